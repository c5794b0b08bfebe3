"""Cards that keep an employee's account from being deleted."""

from service.accounts.wallets import holds_money
from service.businesses.models import Employee
from service.cards.models import Card
from service.cards.on_wallets import ENDED
from service.employees.hooks import MONEY


def attached(person: Employee) -> list[str]:
    """Money on cards of theirs, and cards that have not ended, in words."""
    cards = Card.objects.filter(employee=person)
    found = [MONEY] if holds_money(person.business_id, cards.values_list("id", flat=True)) else []
    if cards.exclude(status__in=ENDED).exists():
        found.append("cards that are not retired")
    return found
