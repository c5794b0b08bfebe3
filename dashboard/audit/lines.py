"""Reading the audit: the page's list by key, its filters, and everything about one item."""

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.audit.models import AuditEntry
from dashboard.audit.verify import verify
from dashboard.operations_pages import AUDIT_LOG
from dashboard.schemas.base import JsonObject
from dashboard.spreadsheet import rows_writer, safe_row

PAGE_ROWS = 50


@dataclass(frozen=True)
class Filters:
    """What the audit page is narrowed by; empty means everything. Times are inclusive and exclusive."""

    user_id: int | None = None
    operation: str = ""
    outcome: str = ""
    object_type: str = ""
    object_id: str = ""
    since: datetime | None = None
    until: datetime | None = None
    own_items: bool = False


@dataclass(frozen=True)
class EntryPage:
    """A page of lines, the newest first; `after` is the key of the next page, None on the last."""

    lines: list[AuditEntry]
    after: int | None


def lines_of(actor: Actor, filters: Filters) -> QuerySet[AuditEntry]:
    """The lines of the actor's business that match; NotAllowed for a role that may not read the audit."""
    check_open(actor, AUDIT_LOG)
    exact = {
        "user_id": filters.user_id,
        "operation": filters.operation,
        "outcome": filters.outcome,
        "object_type": filters.object_type,
        "object_id": filters.object_id,
        "at__gte": filters.since,
        "at__lt": filters.until,
        "own_item": filters.own_items or None,
    }
    entries = AuditEntry.objects.filter(chain=actor.business.pk)
    return entries.filter(**{name: value for name, value in exact.items() if value not in {None, ""}}).order_by("-id")


def entry_page(actor: Actor, filters: Filters, *, before: int | None = None, rows: int = PAGE_ROWS) -> EntryPage:
    """One page of lines, those before the given key; paged by key, so that page 1000 costs what page 1 does."""
    entries = lines_of(actor, filters).select_related("seal")
    if before is not None:
        entries = entries.filter(id__lt=before)
    lines = list(entries[: rows + 1])
    return EntryPage(lines[:rows], lines[rows - 1].pk if len(lines) > rows else None)


def trail_of(actor: Actor, object_type: str, object_id: str) -> list[AuditEntry]:
    """Everything that was done through us with one item, the oldest first; at most 500 lines.

    For whoever may see the item: the caller has fetched it through its scope.
    """
    entries = AuditEntry.objects.filter(chain=actor.business.pk, object_type=object_type, object_id=object_id)
    return list(entries.select_related("seal").order_by("id")[:500])


class ChainShape(TypedDict):
    """Whether the chain of a business holds: `finding` in words; whether it was compared with a head outside the database."""

    ok: bool
    compared_outside: bool
    finding: str


class ObjectShape(TypedDict):
    """What the lines of an evidence pack are about: the kind of the item and its id at the service."""

    type: str
    id: str


class EvidenceLineShape(TypedDict):
    """A line of the evidence pack; `number` is None and `hash` empty while it has no seal."""

    number: int | None
    at: str
    actor: str
    role: str
    employee_id: str
    operation: str
    outcome: str
    sentence: str
    reason: str
    before: JsonObject | None
    after: JsonObject | None
    request_id: str
    decision_id: str
    hash: str


class EvidencePack(TypedDict):
    """The lines of one item with their seals, and whether the chain holds; ready for JSON."""

    business: str
    object: ObjectShape
    chain: ChainShape
    lines: list[EvidenceLineShape]


COLUMNS = (
    "number",
    "at",
    "actor",
    "role",
    "employee_id",
    "operation",
    "outcome",
    "sentence",
    "reason",
    "before",
    "after",
    "request_id",
    "decision_id",
    "hash",
)


def evidence(actor: Actor, object_type: str, object_id: str) -> EvidencePack:
    """The evidence pack of one item."""
    check_open(actor, AUDIT_LOG)
    verification = verify(actor.business)
    return {
        "business": actor.business.name,
        "object": {"type": object_type, "id": object_id},
        "chain": {"ok": verification.ok, "compared_outside": verification.compared, "finding": verification.sentence},
        "lines": [_evidence_row(line) for line in trail_of(actor, object_type, object_id)],
    }


def evidence_csv(actor: Actor, object_type: str, object_id: str) -> Iterator[str]:
    """The lines of the evidence pack as CSV, row by row, beginning with the names of COLUMNS."""
    pack = evidence(actor, object_type, object_id)
    yield _row(COLUMNS)
    lines: Sequence[JsonObject] = pack["lines"]
    for line in lines:
        yield _row([line[name] for name in COLUMNS])


def _evidence_row(entry: AuditEntry) -> EvidenceLineShape:
    seal = getattr(entry, "seal", None)
    return {
        "number": seal.number if seal else None,
        "at": entry.at.isoformat(),
        "actor": entry.actor_name,
        "role": entry.role,
        "employee_id": entry.employee_id,
        "operation": entry.operation,
        "outcome": entry.outcome,
        "sentence": entry.sentence,
        "reason": entry.reason,
        "before": entry.before,
        "after": entry.after,
        "request_id": entry.request_id,
        "decision_id": str(entry.decision_id) if entry.decision_id else "",
        "hash": seal.hash if seal else "",
    }


def _row(values: Any) -> str:
    line = io.StringIO()
    rows_writer(line).writerow(safe_row(json.dumps(value) if isinstance(value, dict) else value for value in values))
    return line.getvalue()
