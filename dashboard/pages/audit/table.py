"""The lines of the audit page: newest first, by key, with what was before and after."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.pages.audit.forms import Filters
from dashboard.web.times import day_and_time

PAGE = 50
TONES = {"DONE": "ok", "DENIED": "bad", "REFUSED": "bad", "FAILED": "bad", "UNKNOWN": "warn", "TAKEN": "info"}


@dataclass(frozen=True)
class Line:
    """A line as it is printed; `changes` are (what, before, after)."""

    number: int
    when: str
    who: str
    role: str
    sentence: str
    outcome: str
    tone: str
    reason: str
    own: bool
    object: tuple[str, str]
    request_id: str
    changes: list[tuple[str, str, str]]


def entries_of(actor: Actor, filters: Filters) -> QuerySet[AuditEntry]:
    """The lines of the actor's business that the filters ask for."""
    found = AuditEntry.objects.filter(chain=actor.business.pk)
    if filters.person:
        found = found.filter(actor_name__icontains=filters.person)
    if filters.outcome:
        found = found.filter(outcome=filters.outcome)
    if filters.own:
        found = found.filter(own_item=True)
    if filters.object:
        found = found.filter(object_id=filters.object)
    return found


def sheet(actor: Actor, filters: Filters) -> tuple[list[Line], str]:
    """The lines of one page, and the number that the next one starts before ("" at the end)."""
    found = entries_of(actor, filters)
    if filters.before is not None:
        found = found.filter(id__lt=filters.before)
    entries = list(found.order_by("-id")[: PAGE + 1])
    return [line_of(actor, entry) for entry in entries[:PAGE]], str(entries[PAGE - 1].pk) if len(entries) > PAGE else ""


def line_of(actor: Actor, entry: AuditEntry) -> Line:
    """One line as it is printed."""
    before, after = entry.before or {}, entry.after or {}
    names = list(dict.fromkeys([*before, *after]))
    return Line(
        number=entry.pk,
        when=day_and_time(entry.at, actor.business),
        who=entry.actor_name,
        role=Role(entry.role).label if entry.role in Role.values else entry.role,
        sentence=entry.sentence,
        outcome=Outcome(entry.outcome).label,
        tone=TONES.get(entry.outcome, ""),
        reason=entry.reason,
        own=entry.own_item,
        object=(entry.object_type, entry.object_id),
        request_id=entry.request_id,
        changes=[(name.replace("_", " "), _text(before.get(name)), _text(after.get(name))) for name in names],
    )


def _text(value: Any) -> str:
    return "" if value is None else str(value)[:200]
