"""What is read of cards: within the business of the caller, and as far as they may see."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from service import effects, errors
from service.auth import Caller
from service.businesses.models import Employee, Role
from service.cards import funding, serializers, spend
from service.cards.models import Card
from service.cards.schemas_shapes import CardShape
from service.teams.selectors import reviewed_teams


def visible(caller: Caller) -> QuerySet[Card]:
    """A card user's own, a reviewer's team's and own, else all of the business."""
    rows = Card.objects.filter(business_id=caller.business.id).select_related("employee__team")
    if caller.role == Role.CARD_USER:
        return rows.filter(employee_id=caller.employee_id or "")
    if caller.role == Role.REVIEWER:
        return rows.filter(Q(employee__team_id__in=reviewed_teams(caller)) | Q(employee_id=caller.employee_id or ""))
    return rows


def own(caller: Caller) -> QuerySet[Card]:
    """The cards of the acting employee; a client without a person has none."""
    return visible(caller).filter(employee_id=caller.employee_id or "")


def of_employee(caller: Caller, employee_id: str) -> QuerySet[Card]:
    """One employee's cards; 404 when that person is none of the caller's to see."""
    people = Employee.objects.filter(business_id=caller.business.id, id=employee_id)
    people = people.exclude(status=Employee.Status.DELETED)
    if caller.role == Role.CARD_USER:
        people = people.filter(id=caller.employee_id or "")
    if caller.role == Role.REVIEWER:
        people = people.filter(Q(team_id__in=reviewed_teams(caller)) | Q(id=caller.employee_id or ""))
    if not people.exists():
        raise errors.not_found("employee")
    return visible(caller).filter(employee_id=employee_id)


def get_card(caller: Caller, card_id: str) -> Card:
    """One card; 404 when it is none of the caller's to see."""
    card = visible(caller).filter(id=card_id).first()
    if card is None:
        raise errors.not_found("card")
    return card


def lock_card(caller: Caller, card_id: str) -> Card:
    """One card, locked for a change; 404 when it is none of the caller's to see."""
    card = visible(caller).select_for_update(no_key=True, of=("self",)).filter(id=card_id).first()
    if card is None:
        raise errors.not_found("card")
    return card


def get_holder(caller: Caller, employee_id: str) -> Employee:
    """Somebody who may be given a card; 422 for one who is not active in the business."""
    people = Employee.objects.select_related("team").filter(business_id=caller.business.id, id=employee_id)
    employee = people.filter(status=Employee.Status.ACTIVE).first()
    if employee is None:
        raise errors.validation_failed("employee_id", "There is no such active employee.", "unknown")
    return employee


def earlier_card(caller: Caller) -> Card | None:
    """The card that the same request made before, however long ago; None for the first."""
    rows = Card.objects.filter(business_id=caller.business.id)
    return effects.earlier(caller, rows.select_related("employee__team"))


def card_details(cards: Iterable[Card]) -> list[CardShape]:
    """The cards as the interface shows them: what was spent, and what is allocated, is read for all of them at once."""
    rows = list(cards)
    spent, allocated = spend.spend_of(rows), funding.allocations(rows)
    return [serializers.card(row, spent[row.id], allocated.get(row.id)) for row in rows]
