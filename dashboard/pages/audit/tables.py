"""The lines of the audit page: newest first, by key, with what was before and after."""

from dataclasses import dataclass

from dashboard import operations_pages
from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.audit.changes import FieldChange, changes_of
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.decisions.preconditions import OVERRIDE
from dashboard.decisions.samples import CHECKED, DRAWN
from dashboard.lists.columns import Column, List
from dashboard.lists.expressions import exported_field, label, minute, yes_or
from dashboard.lists.filters import ChoiceFilter, DayFilter, Filter, FlagFilter, Holds
from dashboard.lists.registry import register
from dashboard.pages.audit.selectors import entries_of
from dashboard.times import day_and_time
from dashboard.web.jinja2 import item_address

# Characters of a change that are shown; the evidence pack has all of it.
MOST_CHARACTERS = 200
MOST_OF_ID = 14
ROLES = dict(Role.choices)
# What is looked for by its kind alone.
KINDS = ((OVERRIDE, "Policy overrides"), (DRAWN, "Audit samples drawn"), (CHECKED, "Audit samples checked"))
TONES = {"DONE": "ok", "DENIED": "bad", "REFUSED": "bad", "FAILED": "bad", "UNKNOWN": "warn", "TAKEN": "info"}


@dataclass(frozen=True)
class Line:
    """A line as it is printed; `changes` cut to what is shown, `evidence` an address ("" where the line is of no item)."""

    number: int
    when: str
    who: str
    role: str
    sentence: str
    outcome: str
    tone: str
    own: bool
    reason: str
    request_id: str
    evidence: str
    changes: tuple[FieldChange, ...]


def line_of(actor: Actor, entry: AuditEntry, _: str) -> Line:
    """One line as it is printed."""
    business, item = actor.business, (entry.object_type, entry.object_id)
    return Line(
        number=entry.pk,
        when=day_and_time(entry.at, business),
        who=entry.actor_name,
        role=_role(entry.role),
        sentence=entry.sentence,
        outcome=Outcome(entry.outcome).label,
        tone=TONES.get(entry.outcome, ""),
        own=entry.own_item,
        reason=entry.reason,
        request_id=_short(entry.request_id or "–"),
        evidence=item_address("audit_new_item_pack", business.slug, *item) if entry.object_id else "",
        changes=tuple(
            FieldChange(change.name, change.before[:MOST_CHARACTERS], change.after[:MOST_CHARACTERS])
            for change in changes_of(entry)
        ),
    )


def _short(request_id: str) -> str:
    # Ids are ASCII: what counts characters of every script would cost a page a tenth.
    return request_id if len(request_id) <= MOST_OF_ID else f"{request_id[: MOST_OF_ID - 1]}…"


def _role(code: str) -> str:
    return ROLES.get(code, code)


AUDIT = register(
    List(
        name="audit",
        title="Audit",
        noun=("line", "lines"),
        icon="scroll-text",
        opens=operations_pages.AUDIT_LOG,
        rows=entries_of,
        row=line_of,
        template="audit/lines.html",
        mirrored=False,
        address="audit",
        item_id="id",
        sort="-when",
        empty="Every decision, denial and settings change is recorded here.",
        filters=(
            Holds("person", "Person", "actor_name"),
            ChoiceFilter("outcome", "Outcome", "outcome", of=tuple(Outcome.choices)),
            ChoiceFilter("kind", "Kind", "operation", of=KINDS),
            DayFilter("since", "Start date", "at"),
            DayFilter("until", "End date", "at", until=True),
            FlagFilter("own", "acted on own item", "own_item"),
            Filter("object", "Item", "object_id"),
        ),
        columns=(
            Column("when", "Time", "at", "figure", exported=minute("at"), sort="id", sorted_as=int, always=True),
            Column("who", "Person", "actor_name", exported=exported_field("actor_name"), always=True),
            Column("role", "Role", "role", exported=label("role", dict(Role.choices)), always=True),
            Column("what", "Action", "sentence", exported=exported_field("sentence"), always=True),
            Column("outcome", "Outcome", "outcome", exported=label("outcome", dict(Outcome.choices)), always=True),
            Column("reason", "Reason", "reason", exported=exported_field("reason"), always=True),
            Column("own", "Own item", "own_item", exported=yes_or("own_item", "yes", ""), always=True),
            Column("request", "Request", "request_id", exported=exported_field("request_id"), always=True),
        ),
        file_only=(
            Column("line", "Line", "id"),
            Column("kind", "Kind", "object_type", exported=exported_field("object_type")),
            Column("id", "Id", "object_id", exported=exported_field("object_id")),
            Column("title", "Title", "object_title", exported=exported_field("object_title")),
        ),
    )
)
