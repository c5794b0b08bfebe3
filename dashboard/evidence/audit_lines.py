"""The lines of the audit for a pack, each with its link of the chain and the link before: enough to compute it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from functools import reduce
from operator import or_
from typing import TypedDict
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from dashboard.access.models import Business, Membership
from dashboard.audit.chain import FIRST, canonical
from dashboard.audit.models import AuditEntry, AuditSeal
from dashboard.audit.seal import seal_chain
from dashboard.errors import Rejected, Unavailable
from dashboard.schemas.base import JsonObject

MOST_LINES = 50_000
TRIES = 5
CHUNK = 500


class SealedLine(TypedDict):
    """A line as it is hashed (audit/chain.py), the number and hash of its link, and the hash of the link before."""

    number: int
    before: str
    hash: str
    line: JsonObject


def lines_of_items(business: Business, subjects: Iterable[tuple[str, str]]) -> QuerySet[AuditEntry]:
    """The lines about these things, each its kind and id as the audit names it."""
    about = reduce(or_, (Q(object_type=kind, object_id=remote_id) for kind, remote_id in subjects))
    return AuditEntry.objects.filter(about, chain=business.pk)


def lines_of_person(business: Business, employee_id: str) -> QuerySet[AuditEntry]:
    """What somebody did here, and what was done with them as an employee."""
    users = Membership.objects.filter(business=business, employee_id=employee_id).values_list("user_id", flat=True)
    theirs = Q(user_id__in=list(users)) | Q(object_type="employee", object_id=employee_id) | Q(employee_id=employee_id)
    return AuditEntry.objects.filter(theirs, chain=business.pk)


def lines_of_period(business: Business, first: date, last: date) -> QuerySet[AuditEntry]:
    """Everything from the first day to the end of the last, on the clock of the business."""
    begin, end = moments_of(business, first, last)
    return AuditEntry.objects.filter(chain=business.pk, at__gte=begin, at__lt=end)


def moments_of(business: Business, first: date, last: date) -> tuple[datetime, datetime]:
    """The first moment of a day and the first after another, at the business."""
    zone = ZoneInfo(business.time_zone)
    return datetime.combine(first, time(), zone), datetime.combine(last + timedelta(days=1), time(), zone)


def sealed(business: Business, entries: QuerySet[AuditEntry], beat: Callable[[], None]) -> Iterator[SealedLine]:
    """These lines in the order of the chain, a few in memory at a time; `beat` is called between. Lines that wait for their seal
    are sealed first.

    Rejected for more than MOST_LINES, Unavailable while somebody else is sealing.
    """
    ids = list(entries.order_by("pk").values_list("pk", flat=True)[: MOST_LINES + 1])
    if len(ids) > MOST_LINES:
        raise Rejected(
            f"These are more than {MOST_LINES:,} lines of the audit log: choose fewer days.", code="too_many"
        )
    _seal(business, ids)
    numbers = list(AuditSeal.objects.filter(entry__in=ids).order_by("number").values_list("number", flat=True))
    for start in range(0, len(numbers), CHUNK):
        beat()
        yield from _links(business, numbers[start : start + CHUNK])


def _links(business: Business, numbers: Sequence[int]) -> Iterator[SealedLine]:
    of_chain = AuditSeal.objects.filter(chain=business.pk)
    earlier = of_chain.filter(number__in=[number - 1 for number in numbers])
    before = dict(earlier.values_list("number", "hash"))
    for seal in of_chain.filter(number__in=numbers).select_related("entry").order_by("number"):
        yield {
            "number": seal.number, "before": before.get(seal.number - 1, FIRST), "hash": seal.hash,
            "line": json.loads(canonical(seal.entry)),
        }  # fmt: skip


def _seal(business: Business, ids: list[int]) -> None:
    for _ in range(TRIES):
        if not AuditEntry.objects.filter(pk__in=ids, seal__isnull=True).exists():
            return
        seal_chain(business.pk)
    if AuditEntry.objects.filter(pk__in=ids, seal__isnull=True).exists():
        raise Unavailable("The audit log is being sealed. Try again in a moment.")
