"""One timeline per item: what was done with it, decided on it and said about it, together, the newest first."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.access.subject import subject_of
from dashboard.audit.changes import FieldChange, changes_of
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.conversation.comments import COMMENT, EDIT_COMMENT, comments_on, may_edit
from dashboard.conversation.mentions import pieces_of
from dashboard.conversation.models import Comment
from dashboard.mirror.item_kinds import item_at
from dashboard.times import day_and_time, local

MOST_LINES = 400
# The steps of the exchange that a reviewer makes.
DECISIONS = {
    operations.REQUEST_EXPENSE_DETAILS.name: "Question", operations.APPROVE_EXPENSE.name: "Decision",
    operations.REJECT_EXPENSE.name: "Decision",
}  # fmt: skip
# What one sees of one's own expense: the exchange, and what was changed in it. What made others look twice (an override, a
# dismissed flag, a sample that was drawn or checked) is theirs.
SPENDER_SEES = frozenset(
    operation.name
    for operation in (
        operations.NOTE_EXPENSE, operations.CATEGORISE_EXPENSE, operations.UPLOAD_TRANSACTION_DOCUMENT,
        operations.REQUEST_EXPENSE_DETAILS, operations.APPROVE_EXPENSE, operations.APPROVE_EXPENSES,
        operations.REJECT_EXPENSE, operations.REJECT_EXPENSES, operations_extra.TAG_EXPENSE,
    )
)  # fmt: skip
# Of what else is one's own: what the interface has as an operation, and nothing that only the reviewers have.
HOLDER_SEES = frozenset({*operations.OPERATIONS, *operations_extra.OPERATIONS_EXTRA})
# What needs no word: it happened.
PLAIN = {Outcome.NOTED, Outcome.DONE}
TONES = {
    Outcome.TAKEN: "info", Outcome.ATTEMPT: "info", Outcome.REFUSED: "bad", Outcome.DENIED: "bad",
    Outcome.FAILED: "bad", Outcome.UNKNOWN: "warn", Outcome.CANCELLED: "warn",
}  # fmt: skip


@dataclass(frozen=True)
class TimelineMoment:
    """Something that happened: who, in which role, what, when; what became of it, what it changed.

    `step` is its place in the exchange about the item: Question, Answer, Receipt or Decision; "" for all else.
    """

    at: datetime
    who: str
    role: str
    when: str
    exact: str
    what: str = ""
    step: str = ""
    reason: str = ""
    outcome: str = ""
    tone: str = ""
    changes: list[FieldChange] = field(default_factory=list)
    comment: Comment | None = None
    parts: list[tuple[str, bool]] = field(default_factory=list)
    former: list[dict[str, str]] = field(default_factory=list)
    may_edit: bool = False


def timeline_of(actor: Actor, kind: str, remote_id: str) -> list[TimelineMoment]:
    """What happened to an item that the caller has fetched through its scope."""
    lines = (
        AuditEntry.objects.filter(chain=actor.business.pk, object_type=kind, object_id=remote_id)
        .exclude(operation__in=(COMMENT, EDIT_COMMENT))
        .order_by("-id")[:MOST_LINES]
    )
    comments = comments_on(actor, kind, remote_id)
    names = _names(actor, comments)
    groups = _grouped(_lines_to_show(actor, kind, remote_id, list(lines)))
    answers = _answers(groups)
    moments = [_deed(actor, group, answer=group[0].pk in answers) for group in groups]
    moments += [_comment_moment(actor, comment, names) for comment in comments]
    return sorted(moments, key=lambda moment: moment.at, reverse=True)


def _grouped(lines: Iterable[AuditEntry]) -> list[list[AuditEntry]]:
    """The lines of one decision, or of one call, are one deed: taken, sent, done. Each group the newest first."""
    groups: dict[str, list[AuditEntry]] = {}
    for line in lines:
        called = line.request_id if line.outcome != Outcome.DENIED else ""
        groups.setdefault(str(line.decision_id or called or line.pk), []).append(line)
    return _sent_again(groups.values())


def _sent_again(groups: Iterable[list[AuditEntry]]) -> list[list[AuditEntry]]:
    """A file that somebody sent again, because no answer came, was added once: its calls are one deed."""
    deeds: dict[str, list[AuditEntry]] = {}
    for group in groups:
        digest = next((line.after["digest"] for line in group if line.after and "digest" in line.after), "")
        deeds.setdefault(f"{digest} {group[0].user_id}" if digest else str(group[0].pk), []).extend(group)
    return list(deeds.values())


def _lines_to_show(actor: Actor, kind: str, remote_id: str, lines: list[AuditEntry]) -> list[AuditEntry]:
    """All lines of an item, or of one's own item those that one may see. Whose it is is looked up only where that hides any."""
    permitted = _permitted(actor, kind, lines)
    return permitted if len(permitted) < len(lines) and _is_own(actor, kind, remote_id) else lines


def _permitted(actor: Actor, kind: str, lines: Iterable[AuditEntry]) -> list[AuditEntry]:
    """Those of the lines of one's own item that one may see: a list of what is, and not of what is hidden."""
    visible = SPENDER_SEES if kind == "expense" else HOLDER_SEES
    own = actor.user.pk if actor.user else None
    return [
        line for line in lines if line.operation in visible and (line.outcome != Outcome.DENIED or line.user_id == own)
    ]


def _is_own(actor: Actor, kind: str, remote_id: str) -> bool:
    """Whether the actor spent or holds it: what made others look twice is not theirs to know."""
    row = item_at(actor, kind, remote_id)
    return row is not None and bool(actor.employee_id) and subject_of(row).holder_id == actor.employee_id


def _answers(groups: list[list[AuditEntry]]) -> set[int]:
    """The deeds (by the id of their newest line) in which the spender answered: notes written while a question stands."""
    answers: set[int] = set()
    has_question = False
    for newest in sorted((group[0] for group in groups), key=lambda line: line.pk):
        if newest.outcome != Outcome.DONE:
            continue
        if newest.operation in DECISIONS:
            has_question = newest.operation == operations.REQUEST_EXPENSE_DETAILS.name
        elif has_question and newest.operation == operations.NOTE_EXPENSE.name and newest.own_item:
            answers.add(newest.pk)
    return answers


def _deed(actor: Actor, group: list[AuditEntry], *, answer: bool) -> TimelineMoment:
    first, last = group[-1], group[0]
    outcome = Outcome(last.outcome)
    what, reason = first.sentence, next((line.reason for line in group if line.reason), "")
    changes = [change for line in group for change in _changes(line)]
    is_receipt = last.operation == operations.UPLOAD_TRANSACTION_DOCUMENT.name
    if is_receipt and outcome != Outcome.DENIED:
        name = next((str(line.after["document"]) for line in group if line.after and "document" in line.after), "")
        what = f"added a receipt {name}".strip()
    if answer:
        what, reason = "answered", str(next((line.after["notes"] for line in group if line.after), "")) or reason
    return TimelineMoment(
        at=first.at,
        who=first.actor_name,
        role=_role(first.role),
        when=day_and_time(first.at, actor.business),
        exact=_exact(first.at, actor),
        what=what,
        step="Answer" if answer else "Receipt" if is_receipt else DECISIONS.get(last.operation, ""),
        reason=reason,
        outcome="" if outcome in PLAIN else outcome.label.lower(),
        tone=TONES.get(outcome, ""),
        changes=[] if answer or is_receipt else changes,
    )


def _changes(entry: AuditEntry) -> list[FieldChange]:
    if entry.outcome == Outcome.DENIED or (entry.before is None and entry.after is None):
        return []
    return [
        FieldChange(change.name[:1].upper() + change.name[1:], change.before or "nothing", change.after or "nothing")
        for change in changes_of(entry)
    ]


def _comment_moment(actor: Actor, comment: Comment, names: dict[int, list[str]]) -> TimelineMoment:
    called = [name for pk in comment.mentions for name in names.get(pk, [])]
    return TimelineMoment(
        at=comment.written_at,
        who=comment.author_name,
        role=_role(comment.author_role),
        when=day_and_time(comment.written_at, actor.business),
        exact=_exact(comment.written_at, actor),
        comment=comment,
        parts=list(pieces_of(comment.text, called)),
        former=[
            {"text": version["text"], "when": day_and_time(datetime.fromisoformat(version["at"]), actor.business)}
            for version in comment.former
        ],
        may_edit=may_edit(actor, comment),
    )


def _names(actor: Actor, comments: list[Comment]) -> dict[int, list[str]]:
    """How those who are mentioned may be written, by membership: the whole name and the first."""
    called = {pk for comment in comments for pk in comment.mentions}
    if not called:
        return {}
    members = Membership.objects.filter(business=actor.business, pk__in=called).select_related("user")
    return {member.pk: [member.user.get_full_name(), member.user.get_full_name().split(" ")[0]] for member in members}


def _role(word: str) -> str:
    return Role(word).label.lower() if word in Role.values else ""


def _exact(at: datetime, actor: Actor) -> str:
    return f"{local(at, actor.business):%d %b %Y, %H:%M:%S %Z}"
