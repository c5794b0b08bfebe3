"""What the hooks of areas below reach here: cards that keep a wallet open, or an employee's account from being deleted."""

from service.accounts.hooks import MOST_NAMED
from service.accounts.models import Wallet
from service.accounts.wallets import holds_money
from service.businesses.models import Employee
from service.cards.models import Card, CardStatus, RequestStatus, SingleUseRequest
from service.employees.hooks import MONEY
from service.errors import FieldError

ENDED = (CardStatus.RETIRED, CardStatus.EXPIRED, CardStatus.REJECTED)


def cards_of(person: Employee) -> list[str]:
    """Money on cards of theirs, and cards that have not ended, in words."""
    cards = Card.objects.filter(employee=person)
    found = [MONEY] if holds_money(person.business_id, cards.values_list("id", flat=True)) else []
    if cards.exclude(status__in=ENDED).exists():
        found.append("cards that are not retired")
    return found


def cards_on_wallet(wallet: Wallet) -> list[FieldError]:
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
