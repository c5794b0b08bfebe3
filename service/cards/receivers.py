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
    holdings = [MONEY] if holds_money(person.business_id, cards.values_list("id", flat=True)) else []
    if cards.exclude(status__in=ENDED).exists():
        holdings.append("cards that are not closed")
    return holdings


def cards_on_wallet(wallet: Wallet) -> list[FieldError]:
    """Those that have not ended, or wait for a decision, on that wallet, whatever they spend."""
    if wallet.holder_id:
        return []
    on_wallet = {"business_id": wallet.business_id, "org_wallet_ref": wallet.org_wallet_ref}
    cards = Card.objects.filter(**on_wallet).exclude(status__in=ENDED).select_related("employee").order_by("id")
    pending = SingleUseRequest.objects.filter(**on_wallet, status=RequestStatus.PENDING).select_related("employee")
    dependents: list[FieldError] = [
        {"field": "cards", "code": card.id, "message": f"card {card} of {card.employee.name} ({card.status})"}
        for card in cards[:MOST_NAMED]
    ]
    dependents += [
        {
            "field": "card_requests",
            "code": card_request.id,
            "message": f"a card that {card_request.employee.name} asked for",
        }
        for card_request in pending.order_by("id")[:MOST_NAMED]
    ]
    return dependents
