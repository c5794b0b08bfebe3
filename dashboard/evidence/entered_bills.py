"""The bills that a person entered: by what the finance service has of each, and, where it does not name a person, by the line of the
audit log that says that it was entered here."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.fields.json import KT

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.evidence.audit_lines import lines_of_person
from dashboard.evidence.moments import entered_at
from dashboard.evidence.own_item import OwnItem
from dashboard.mirror.models import Bill
from dashboard.mirror.scopes import visible_bills

ENTERED, ENTERED_HERE = "entered by them", "entered by them, as the audit log says"
# A program that entered a bill for nobody in particular: "client:…", "key:…", or nothing.
NOBODY = r"^$|:"
# What the service made within so long of a line of the audit was made by what the line is about.
WITHIN = timedelta(minutes=10)


def bills_entered(
    actor: Actor, employee_id: str, begin: datetime | None, end: datetime | None, most: int
) -> list[OwnItem]:
    """The bills that somebody entered from one moment to another, as far as the actor sees them, the earliest first, `most` of
    them."""
    entered = {item.key: item for item in _by_lines(actor, employee_id, begin, end, most)}
    entered |= {item.key: item for item in _by_service(actor, employee_id, begin, end, most)}
    return sorted(entered.values(), key=lambda item: (item.at, item.pk))[:most]


def _by_service(
    actor: Actor, employee_id: str, begin: datetime | None, end: datetime | None, most: int
) -> Iterator[OwnItem]:
    count = 0
    for pk, remote_id, at in _created(actor, visible_bills(actor).filter(created_by_id=employee_id)):
        if (begin is None or begin <= at) and (end is None or at < end) and count < most:
            count += 1
            yield OwnItem(pk, at, ("bill", remote_id), ENTERED)


def _by_lines(
    actor: Actor, employee_id: str, begin: datetime | None, end: datetime | None, most: int
) -> Iterator[OwnItem]:
    """By the lines: before a bill is there it has no id, so a line names it by its number."""
    lines = lines_of_person(actor.business, employee_id).filter(
        operation=operations_payables.CREATE_BILL.name, outcome=Outcome.DONE, object_type="bill"
    )
    bounds = {"at__gte": begin, "at__lt": end}
    lines = lines.filter(**{name: at for name, at in bounds.items() if at is not None}).exclude(object_title="")
    entered = _numbers(lines.order_by("pk")[:most])
    if not entered:
        return
    unnamed = visible_bills(actor).filter(bill_no__in=entered, created_by_id__regex=NOBODY)
    numbers = dict(unnamed.values_list("pk", "bill_no"))
    for pk, remote_id, created_at in _created(actor, unnamed):
        at = next((at for at in entered.get(numbers.get(pk, ""), ()) if abs(created_at - at) <= WITHIN), None)
        if at is not None:
            yield OwnItem(pk, at, ("bill", remote_id), ENTERED_HERE)


def _numbers(lines: QuerySet[AuditEntry]) -> dict[str, list[datetime]]:
    """When each number was entered, by the number."""
    entered: dict[str, list[datetime]] = {}
    for title, at in lines.values_list("object_title", "at"):
        entered.setdefault(title, []).append(at)
    return entered


def _created(actor: Actor, bills: QuerySet[Bill]) -> Iterator[tuple[int, str, datetime]]:
    """Key, id and the moment at which the service made each; the begin of the day of issue where it does not say."""
    zone = ZoneInfo(actor.business.time_zone)
    rows = bills.order_by("pk").values_list("pk", "remote_id", KT("payload__createdAt"), "issued_on")
    with transaction.atomic(), connection.cursor() as cursor:
        # No index leads from a person to their bills, and this is read by a worker for whom nobody waits.
        cursor.execute("select set_config('statement_timeout', '0', true)")
        for pk, remote_id, created_at, issued_on in rows.iterator():
            yield pk, remote_id, entered_at(created_at or "") or datetime.combine(issued_on, time(), zone)
