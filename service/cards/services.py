"""Finding cards, and what every change of one shares: the locked row, the saved version, the event."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from service import effects, errors
from service.auth import Caller
from service.businesses.models import Employee, Role
from service.cards import funding, hooks, schemas, spend
from service.cards.models import Card, CardStatus
from service.cards.transitions import leads
from service.events.audit import note
from service.events.outbox import record
from service.rails import card_network
from service.teams.services import reviewed_teams

ENDED = (CardStatus.RETIRED, CardStatus.EXPIRED)


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


def card(caller: Caller, card_id: str) -> Card:
    """One card; 404 when it is none of the caller's to see."""
    found = visible(caller).filter(id=card_id).first()
    if found is None:
        raise errors.not_found("card")
    return found


def locked(caller: Caller, card_id: str) -> Card:
    """The same, locked for a change."""
    found = visible(caller).select_for_update(no_key=True, of=("self",)).filter(id=card_id).first()
    if found is None:
        raise errors.not_found("card")
    return found


def holder(caller: Caller, employee_id: str) -> Employee:
    """Somebody who may be given a card; 422 for one who is not active in the business."""
    people = Employee.objects.select_related("team").filter(business_id=caller.business.id, id=employee_id)
    found = people.filter(status=Employee.Status.ACTIVE).first()
    if found is None:
        raise errors.validation_failed("employee_id", "There is no such active employee.", "unknown")
    return found


def blank(caller: Caller, person: Employee, org_wallet_ref: str, currency: str, name: str) -> Card:
    """An active virtual card not saved yet, with a token in the place of a number; of one request, always the same."""
    now, card_id = timezone.now(), effects.new_id(caller)
    issued = card_network.network.issue(card_id, now.date())
    return Card(
        id=card_id,
        business_id=caller.business.id,
        employee=person,
        org_wallet_ref=org_wallet_ref,
        currency=currency,
        name=name,
        token=issued.token,
        last_four=issued.last_four,
        brand=issued.brand,
        expiry_month=issued.expiry_month,
        expiry_year=issued.expiry_year,
        created_by=caller.label,
        created_at=now,
        updated_at=now,
    )


def earlier_card(caller: Caller) -> Card | None:
    """The card that the same request made before, however long ago; None for the first."""
    rows = Card.objects.filter(business_id=caller.business.id)
    return effects.earlier(caller, rows.select_related("employee__team"))


def add(caller: Caller, row: Card) -> dict[str, Any]:
    """Saves a new card and tells of it; the card as the interface shows it."""
    row.save(force_insert=True)
    shown = show([row])[0]
    record(caller.business, "card.created", shown, actor=caller)
    note(caller, "card.create", "card", row.id, after=shown)
    return shown


def save(caller: Caller, row: Card, event: str, action: str, before: dict[str, Any]) -> None:
    """Saves the fields named in `before` and tells of the change; inside the caller's transaction."""
    row.version += 1
    row.save(update_fields=[*before, "version", "updated_at"])
    record(caller.business, event, show([row])[0], previous=before, actor=caller)
    note(caller, action, "card", row.id, before, {name: getattr(row, name) for name in before})


def carry_out(caller: Caller, row: Card, verb: str, **fields: Any) -> bool:
    """Moves a locked card on and sets `fields` with it; False where it is there already."""
    move = leads(row, verb)
    if move is None:
        return False
    before = {"status": row.status, **{name: getattr(row, name) for name in fields}}
    row.status = move.target
    for name, value in fields.items():
        setattr(row, name, value)
    save(caller, row, move.event, f"card.{verb}", before)
    # Of a card with another in its place its reissue tells, once the other is there.
    if row.status in ENDED and not row.replaced_by:
        hooks.notify_ended(caller, row, None)
    return True


def show(cards: Iterable[Card]) -> list[dict[str, Any]]:
    """The cards as the interface shows them: what was spent, and what is allocated, is read for all of them at once."""
    rows = list(cards)
    spent, allocated = spend.spend_of(rows), funding.allocations(rows)
    return [schemas.card(row, spent[row.id], allocated.get(row.id)) for row in rows]
