"""The lines of the audit page: newest first, by key, with what was before and after."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from dashboard.access import openings
from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.lists.columns import Column, List
from dashboard.lists.expressions import label, minute, plain, yes_or
from dashboard.lists.filters import Choice, Day, Filter, Flag, Holds
from dashboard.lists.registry import register
from dashboard.web.times import day_and_time

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


def entries_of(actor: Actor) -> QuerySet[AuditEntry]:
    """All lines of the actor's business."""
    return AuditEntry.objects.filter(chain=actor.business.pk)


AUDIT = register(
    List(
        name="audit",
        title="Audit",
        noun=("line", "lines"),
        icon="scroll-text",
        opens=openings.AUDIT_LOG,
        rows=entries_of,
        line=line_of,
        mirrored=False,
        address="audit",
        item_id="id",
        sort="-when",
        empty="Every decision, every denial and every change of a setting leaves a line here.",
        filters=(
            Holds("person", "Who", "actor_name"),
            Choice("outcome", "Outcome", "outcome", of=tuple(Outcome.choices)),
            Day("since", "From", "at"),
            Day("until", "To", "at", until=True),
            Flag("own", "acted on own item", "own_item"),
            Filter("object", "Item", "object_id"),
        ),
        columns=(
            Column("when", "When", "at", "figure", exported=minute("at"), sort="id", sorted_as=int, always=True),
            Column("who", "Who", "actor_name", exported=plain("actor_name"), always=True),
            Column("role", "Role", "role", exported=label("role", dict(Role.choices)), always=True),
            Column("what", "What", "sentence", exported=plain("sentence"), always=True),
            Column("outcome", "Outcome", "outcome", exported=label("outcome", dict(Outcome.choices)), always=True),
            Column("reason", "Reason", "reason", exported=plain("reason"), always=True),
            Column("own", "Own item", "own_item", exported=yes_or("own_item", "yes", ""), always=True),
            Column("request", "Request", "request_id", exported=plain("request_id"), always=True),
        ),
        file_only=(
            Column("line", "Line", "id"),
            Column("kind", "Kind", "object_type", exported=plain("object_type")),
            Column("id", "Id", "object_id", exported=plain("object_id")),
            Column("title", "Title", "object_title", exported=plain("object_title")),
        ),
    )
)
