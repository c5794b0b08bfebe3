"""Cards and requests for cards that keep a wallet of the business open."""

from service.accounts.hooks import MOST_NAMED
from service.accounts.models import Wallet
from service.cards.models import Card, CardStatus, RequestStatus, SingleUseRequest
from service.errors import FieldError

ENDED = (CardStatus.RETIRED, CardStatus.EXPIRED, CardStatus.REJECTED)


def attached(wallet: Wallet) -> list[FieldError]:
    """Those that have not ended, or wait for a decision, on that wallet, whatever they spend."""
    if wallet.holder_id:
        return []
    on = {"business_id": wallet.business_id, "org_wallet_ref": wallet.org_wallet_ref}
    cards = Card.objects.filter(**on).exclude(status__in=ENDED).select_related("employee").order_by("id")
    pending = SingleUseRequest.objects.filter(**on, status=RequestStatus.PENDING).select_related("employee")
    found: list[FieldError] = [
        {"field": "cards", "code": each.id, "message": f"card {each} of {each.employee.name} ({each.status})"}
        for each in cards[:MOST_NAMED]
    ]
    found += [
        {"field": "card_requests", "code": each.id, "message": f"a card that {each.employee.name} asked for"}
        for each in pending.order_by("id")[:MOST_NAMED]
    ]
    return found
