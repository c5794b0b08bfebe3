"""The bills that a person entered: by what the finance service has of each, and, where it does not name a person, by the line of the
audit log that says that it was entered here. And the lines about the entry of one bill that were written before it had an id."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.evidence.audit_lines import lines_of_person
from dashboard.evidence.own_item import OwnItem
from dashboard.mirror.mappers.bills import number_key
from dashboard.mirror.models import Bill
from dashboard.mirror.scopes import visible_bills

ENTERED, ENTERED_HERE = "entered by them", "entered by them, as the audit log says"
# A program that entered a bill for nobody in particular: "client:…", "key:…", or nothing.
NOBODY = r"^$|:"
# What the service made within so long of a line of the audit was made by what the line is about.
WITHIN = timedelta(minutes=10)
ENTRY = Q(operation=operations_payables.CREATE_BILL.name, object_type="bill")


def lines_of_entry(business: Business, bill: Bill) -> QuerySet[AuditEntry]:
    """The lines about the entry of a bill that name it by its number, since it had no id yet: that it was sent, and that no answer
    came. None where it is not known when the service made it."""
    if bill.entered_at is None:
        return AuditEntry.objects.none()
    near = (bill.entered_at - WITHIN, bill.entered_at + WITHIN)
    lines = AuditEntry.objects.filter(ENTRY, chain=business.pk, at__range=near)
    return lines.filter(object_id="", object_title=bill.bill_no)


def bills_entered(
    actor: Actor, employee_id: str, begin: datetime | None, end: datetime | None, most: int
) -> list[OwnItem]:
    """The bills that somebody entered from one moment to another, as far as the actor sees them, the earliest first, `most` of
    them."""
    entered = {item.key: item for item in _by_lines(actor, employee_id, begin, end, most)}
    own = visible_bills(actor).filter(created_by_id=employee_id)
    entered |= {item.key: item for item in _by_service(own, begin, end, most)}
    entered |= {item.key: item for item in _by_day_of_issue(actor, own, begin, end, most)}
    return sorted(entered.values(), key=lambda item: (item.at, item.pk))[:most]


def _by_service(own: QuerySet[Bill], begin: datetime | None, end: datetime | None, most: int) -> Iterator[OwnItem]:
    rows = own.filter(_between("entered_at", begin, end), entered_at__isnull=False).order_by("entered_at", "pk")
    for pk, remote_id, at in rows.values_list("pk", "remote_id", "entered_at")[:most]:
        if at is not None:
            yield OwnItem(pk, at, ("bill", remote_id), ENTERED)


def _by_day_of_issue(
    actor: Actor, own: QuerySet[Bill], begin: datetime | None, end: datetime | None, most: int
) -> Iterator[OwnItem]:
    """Where the service does not say when it made them: from the begin of the day that they were issued on."""
    zone = ZoneInfo(actor.business.time_zone)
    rows = own.filter(entered_at__isnull=True).order_by("issued_on", "pk")
    rows = rows.filter(
        _between("issued_on", begin and begin.astimezone(zone).date(), end and end.astimezone(zone).date(), "lte")
    )
    for pk, remote_id, day in rows.values_list("pk", "remote_id", "issued_on")[:most]:
        at = datetime.combine(day, time(), zone)
        if (begin is None or begin <= at) and (end is None or at < end):
            yield OwnItem(pk, at, ("bill", remote_id), ENTERED)


def _between(name: str, begin: object, end: object, before: str = "lt") -> Q:
    bounds = {f"{name}__gte": begin, f"{name}__{before}": end}
    return Q(**{lookup: bound for lookup, bound in bounds.items() if bound is not None})


def _by_lines(
    actor: Actor, employee_id: str, begin: datetime | None, end: datetime | None, most: int
) -> Iterator[OwnItem]:
    """By the lines that say that one was entered, for bills that name nobody: by its id, and by its number where the line has no id."""
    lines = lines_of_person(actor.business, employee_id).filter(ENTRY, _between("at", begin, end), outcome=Outcome.DONE)
    by_id: dict[str, datetime] = {}
    by_number: dict[str, list[datetime]] = {}
    for remote_id, number, at in lines.order_by("pk").values_list("object_id", "object_title", "at")[:most]:
        if remote_id:
            by_id[remote_id] = at
        elif number:
            by_number.setdefault(number, []).append(at)
    unnamed = visible_bills(actor).filter(created_by_id__regex=NOBODY)
    for row in unnamed.filter(remote_id__in=by_id) if by_id else ():
        yield OwnItem(row.pk, by_id[row.remote_id], ("bill", row.remote_id), ENTERED_HERE)
    keys = {number_key(number) for number in by_number}
    for row in unnamed.filter(number_key__in=keys, entered_at__isnull=False) if keys else ():
        near = (at for at in by_number.get(row.bill_no, ()) if row.entered_at and abs(row.entered_at - at) <= WITHIN)
        if (entered := next(near, None)) is not None:
            yield OwnItem(row.pk, entered, ("bill", row.remote_id), ENTERED_HERE)
