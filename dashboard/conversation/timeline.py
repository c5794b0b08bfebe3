"""One timeline per item: what was done with it, decided on it and said about it, together, the newest first."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.audit.changes import Change, changes_of
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.conversation.comments import COMMENT, EDIT_COMMENT, comments_on, may_edit
from dashboard.conversation.mentions import parts_of
from dashboard.conversation.models import Comment
from dashboard.times import day_and_time, local

MOST_LINES = 400
# What needs no word: it happened.
PLAIN = {Outcome.NOTED, Outcome.DONE}
TONES = {
    Outcome.TAKEN: "info", Outcome.ATTEMPT: "info", Outcome.REFUSED: "bad", Outcome.DENIED: "bad",
    Outcome.FAILED: "bad", Outcome.UNKNOWN: "warn", Outcome.CANCELLED: "warn",
}  # fmt: skip


@dataclass(frozen=True)
class Moment:
    """Something that happened: who, in which role, what, when; what became of it, what it changed."""

    at: datetime
    who: str
    role: str
    when: str
    exact: str
    what: str = ""
    reason: str = ""
    outcome: str = ""
    tone: str = ""
    changes: list[Change] = field(default_factory=list)
    comment: Comment | None = None
    parts: list[tuple[str, bool]] = field(default_factory=list)
    former: list[dict[str, str]] = field(default_factory=list)
    may_edit: bool = False


def timeline_of(actor: Actor, kind: str, remote_id: str) -> list[Moment]:
    """What happened to an item that the caller has fetched through its scope."""
    lines = (
        AuditEntry.objects.filter(chain=actor.business.pk, object_type=kind, object_id=remote_id)
        .exclude(operation__in=(COMMENT, EDIT_COMMENT))
        .order_by("-id")[:MOST_LINES]
    )
    comments = comments_on(actor, kind, remote_id)
    names = _names(actor, comments)
    found = [_deed(actor, group) for group in _grouped(lines)]
    found += [_said(actor, comment, names) for comment in comments]
    return sorted(found, key=lambda one: one.at, reverse=True)


def _grouped(lines: Iterable[AuditEntry]) -> list[list[AuditEntry]]:
    """The lines of one decision, or of one call, are one deed: taken, sent, done. Each group the newest first."""
    groups: dict[str, list[AuditEntry]] = {}
    for line in lines:
        called = line.request_id if line.outcome != Outcome.DENIED else ""
        groups.setdefault(str(line.decision_id or called or line.pk), []).append(line)
    return list(groups.values())


def _deed(actor: Actor, group: list[AuditEntry]) -> Moment:
    first, last = group[-1], group[0]
    outcome = Outcome(last.outcome)
    return Moment(
        at=first.at,
        who=first.actor_name,
        role=_role(first.role),
        when=day_and_time(first.at, actor.business),
        exact=_exact(first.at, actor),
        what=first.sentence,
        reason=next((line.reason for line in group if line.reason), ""),
        outcome="" if outcome in PLAIN else outcome.label.lower(),
        tone=TONES.get(outcome, ""),
        changes=[change for line in group for change in _changes(line)],
    )


def _changes(line: AuditEntry) -> list[Change]:
    if line.outcome == Outcome.DENIED or (line.before is None and line.after is None):
        return []
    return [
        Change(change.name[:1].upper() + change.name[1:], change.before or "nothing", change.after or "nothing")
        for change in changes_of(line)
    ]


def _said(actor: Actor, comment: Comment, names: dict[int, list[str]]) -> Moment:
    called = [name for pk in comment.mentions for name in names.get(pk, [])]
    return Moment(
        at=comment.written_at,
        who=comment.author_name,
        role=_role(comment.author_role),
        when=day_and_time(comment.written_at, actor.business),
        exact=_exact(comment.written_at, actor),
        comment=comment,
        parts=list(parts_of(comment.text, called)),
        former=[
            {"text": each["text"], "when": day_and_time(datetime.fromisoformat(each["at"]), actor.business)}
            for each in comment.former
        ],
        may_edit=may_edit(actor, comment),
    )


def _names(actor: Actor, comments: list[Comment]) -> dict[int, list[str]]:
    """How those who are mentioned may be written, by membership: the whole name and the first."""
    called = {pk for comment in comments for pk in comment.mentions}
    if not called:
        return {}
    found = Membership.objects.filter(business=actor.business, pk__in=called).select_related("user")
    return {one.pk: [one.user.get_full_name(), one.user.get_full_name().split(" ")[0]] for one in found}


def _role(word: str) -> str:
    return Role(word).label.lower() if word in Role.values else ""


def _exact(at: datetime, actor: Actor) -> str:
    return f"{local(at, actor.business):%d %b %Y, %H:%M:%S %Z}"
