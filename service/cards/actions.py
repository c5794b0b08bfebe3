"""What can be done with cards: find them, make them."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from service import errors, periods
from service.accounts.wallets import wallet
from service.auth import Caller
from service.businesses.models import Role
from service.cards import schemas
from service.cards.controls import window_start
from service.cards.models import Authorization, Card, CardStatus
from service.cards.schemas import NewCard
from service.employees.models import Employee
from service.events.audit import note
from service.events.outbox import record
from service.ids import object_id
from service.money import to_number
from service.rails import card_network
from service.teams.actions import reviewed_teams

SPENT = (Authorization.Status.APPROVED, Authorization.Status.CAPTURED)


def visible(caller: Caller) -> QuerySet[Card]:
    """A card user's own, a reviewer's team's and own, else all of the business."""
    rows = Card.objects.filter(business_id=caller.business.id).select_related("employee__team")
    if caller.role == Role.CARD_USER:
        return rows.filter(employee_id=caller.employee_id)
    if caller.role == Role.REVIEWER:
        return rows.filter(Q(employee__team_id__in=reviewed_teams(caller)) | Q(employee_id=caller.employee_id))
    return rows


def own(caller: Caller) -> QuerySet[Card]:
    """The cards of the acting employee; a client without a person has none."""
    return visible(caller).filter(employee_id=caller.employee_id or "")


def of_employee(caller: Caller, employee_id: str) -> QuerySet[Card]:
    """One employee's cards; 404 when that person is none of the caller's to see."""
    rows = visible(caller).filter(employee_id=employee_id)
    if not rows.exists() and not _may_see(caller, employee_id):
        raise errors.not_found("employee")
    return rows


def _may_see(caller: Caller, employee_id: str) -> bool:
    people = Employee.objects.filter(business_id=caller.business.id, id=employee_id)
    if caller.role == Role.CARD_USER:
        return caller.employee_id == employee_id
    if caller.role == Role.REVIEWER:
        people = people.filter(Q(team_id__in=reviewed_teams(caller)) | Q(id=caller.employee_id))
    return people.exists()


def card(caller: Caller, card_id: str) -> Card:
    """One card; 404 when it is none of the caller's to see."""
    found = visible(caller).filter(id=card_id).first()
    if found is None:
        raise errors.not_found("card")
    return found


def create(caller: Caller, new: NewCard) -> Card:
    """A new card; nobody makes one for themselves (403), 422 for an unknown employee, 404 for an unknown wallet."""
    if caller.employee_id == new.employee_id:
        raise errors.self_approval_forbidden("Nobody makes a card for themselves.")
    holder = Employee.objects.select_related("team").filter(
        business_id=caller.business.id, id=new.employee_id, status=Employee.Status.ACTIVE
    )
    person = holder.first()
    if person is None:
        raise errors.validation_failed("employee_id", "There is no such active employee.", "unknown")
    paying = wallet(caller.business, new.org_wallet_ref)
    controls = new.controls.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    row = blank(caller, person, new.org_wallet_ref, paying.currency, new.name)
    row.type, row.controls = new.type, controls
    if new.type == Card.Type.PHYSICAL:
        row.status = CardStatus.INACTIVE
    row.save(force_insert=True)
    shown = show([row])[0]
    record(caller.business, "card.created", shown, actor=caller)
    note(caller, "card.create", "card", row.id, after=shown)
    return row


def blank(caller: Caller, person: Employee, org_wallet_ref: str, currency: str, name: str) -> Card:
    """An active virtual card not saved yet, with a token in the place of a number."""
    now, card_id = timezone.now(), object_id()
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
        expiry_month=issued.expiry_month,
        expiry_year=issued.expiry_year,
        created_at=now,
        updated_at=now,
    )


def show(cards: Iterable[Card]) -> list[dict[str, Any]]:
    """The cards as the interface shows them: what was spent is read for all of them at once."""
    rows = list(cards)
    spent = _spent(rows)
    return [schemas.card(row, spent[row.id]) for row in rows]


def _spent(cards: list[Card]) -> dict[str, tuple[Decimal, Decimal, Decimal]]:
    if not cards:
        return {}
    zone, now = periods.zone_of(cards[0].business), timezone.now()
    day, month = window_start("PER_DAY", now, zone), window_start("PER_MONTH", now, zone)
    sums = {
        row["card_id"]: row
        for row in Authorization.objects.filter(card__in=cards, status__in=SPENT)
        .values("card_id")
        .annotate(
            day=Sum("amount_minor", filter=Q(created_at__gte=day), default=0),
            month=Sum("amount_minor", filter=Q(created_at__gte=month), default=0),
            lifetime=Sum("amount_minor", default=0),
        )
    }
    nothing = {"day": 0, "month": 0, "lifetime": 0}
    return {
        card.id: (
            to_number(sums.get(card.id, nothing)["day"], card.currency),
            to_number(sums.get(card.id, nothing)["month"], card.currency),
            to_number(sums.get(card.id, nothing)["lifetime"], card.currency),
        )
        for card in cards
    }
