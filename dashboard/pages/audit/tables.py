"""The lines of the audit page: newest first, by key, with what was before and after."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.utils.safestring import SafeString
from django.utils.text import Truncator

from dashboard import operations_pages
from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.audit.changes import changes_of
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.lists.columns import Column, List
from dashboard.lists.expressions import label, minute, plain, yes_or
from dashboard.lists.filters import Choice, Day, Filter, Flag, Holds
from dashboard.lists.registry import register
from dashboard.pages.audit.selectors import entries_of
from dashboard.times import day_and_time
from dashboard.web.stencil import drawn, item_address

TEMPLATE = "audit/line.html"
# Characters of a change that are printed; the evidence pack has all of it.
MOST_CHARACTERS = 200
TONES = {"DONE": "ok", "DENIED": "bad", "REFUSED": "bad", "FAILED": "bad", "UNKNOWN": "warn", "TAKEN": "info"}


@dataclass(frozen=True)
class LineShape:
    """What the look of a line depends on; `changes` says of each whether there was something before."""

    slug: str
    tone: str
    own: bool
    reason: bool
    item: bool
    changes: tuple[bool, ...]

    def context(self, mark: Callable[[], str]) -> dict[str, Any]:
        """{"row": …} as `audit/line.html` needs it, with a mark in the place of each text that differs from line to line."""
        names = ("number", "when", "who", "role", "sentence", "outcome", "request_id")
        row: dict[str, Any] = {name: mark() for name in names} | {"tone": self.tone, "own": self.own}
        row["reason"] = mark() if self.reason else ""
        if self.item:
            row["evidence"] = item_address("audit_evidence", self.slug, mark(), mark())
        row["changes"] = [(mark(), mark() if before else "", mark()) for before in self.changes]
        return {"row": row}


def drawn_line(actor: Actor, entry: AuditEntry, _: str) -> SafeString:
    """One line as it is printed."""
    changes = changes_of(entry)
    shape = LineShape(
        slug=actor.business.slug,
        tone=TONES.get(entry.outcome, ""),
        own=entry.own_item,
        reason=bool(entry.reason),
        item=bool(entry.object_id),
        changes=tuple(bool(change.before) for change in changes),
    )
    texts = [str(entry.pk), day_and_time(entry.at, actor.business), entry.actor_name, _role(entry.role)]
    texts += [entry.sentence, Outcome(entry.outcome).label, Truncator(entry.request_id or "–").chars(14)]
    texts += [entry.reason] if entry.reason else []
    texts += [quote(entry.object_type, safe=""), quote(entry.object_id, safe="")] if entry.object_id else []
    for change in changes:
        texts += [
            change.name,
            *([change.before[:MOST_CHARACTERS]] if change.before else []),
            change.after[:MOST_CHARACTERS],
        ]
    return drawn(TEMPLATE, shape, texts)


def _role(code: str) -> str:
    return Role(code).label if code in Role.values else code


AUDIT = register(
    List(
        name="audit",
        title="Audit",
        noun=("line", "lines"),
        icon="scroll-text",
        opens=operations_pages.AUDIT_LOG,
        rows=entries_of,
        drawn=drawn_line,
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
