"""The gate: may this actor do this operation to this subject? The same code for buttons, pages, jobs and sending.

It fails closed: an unknown role, rule, grant or fact is a no; a rule without a subject to judge is a mistake of ours
and raises.
"""

from dataclasses import dataclass
from typing import Protocol

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.roles import Role
from dashboard.access.rules import RULES
from dashboard.access.subject import Subject, subjects_of
from dashboard.errors import NotAllowed, NotFound


@dataclass(frozen=True)
class Verdict:
    """Yes, or no with the sentence why. `hidden`: not theirs to see at all, `rule`: the word that said no."""

    allowed: bool
    reason: str = ""
    hidden: bool = False
    rule: str = ""

    def __bool__(self) -> bool:
        return self.allowed


YES = Verdict(True)


class SubjectMissing(TypeError):
    """An operation with a rule or narrowed rows was checked without its subject: our mistake."""


class Opening(Protocol):
    """Something a role opens: an operation, or a page."""

    @property
    def name(self) -> str:
        """What it is called in the audit and in settings."""

    @property
    def roles(self) -> frozenset[Role]:
        """The roles that may open it, whatever their rows."""

    @property
    def is_ours(self) -> bool:
        """Whether the finance service knows nothing of it."""


def can_open(actor: Actor, opening: Opening) -> Verdict:
    """The role part alone: may this role do the operation or open the page at all? For navigation
    and before a view runs.

    Where a grant could open it to someone without the role, only its subject can tell: ask `can`.
    """
    # An operation that is the dashboard's own goes by the role of the membership: where that differs from the
    # employee's role at the service, it is here that an admin puts it right.
    held = {actor.member_role or actor.role} if opening.is_ours else actor.roles_held
    if held <= opening.roles:
        return YES
    return Verdict(False, _reason_by_role(opening.roles, actor), rule="role")


def can(actor: Actor, operation: Operation, subject: object | None = None) -> Verdict:
    """Whether the actor may do the operation to the subject, or to every one of several.

    `subject` is anything that `subjects_of` knows; None for an operation without a rule that reaches all rows, else
    SubjectMissing.
    """
    if actor.reads_only and not operation.is_read:
        return Verdict(False, "This job only reads.", rule="role")
    if subject is None:
        return _without_subject(actor, operation)
    subjects = subjects_of(subject)
    if not subjects:
        raise SubjectMissing(f"{operation} was asked about no thing at all")
    verdicts = (_judge(actor, operation, item) for item in subjects)
    return next((verdict for verdict in verdicts if not verdict), YES)


def check(actor: Actor, operation: Operation, subject: object | None = None) -> None:
    """Like `can`, but raises: NotFound where it is not theirs to see, else NotAllowed with the sentence."""
    verdict = can(actor, operation, subject)
    if verdict.hidden:
        raise NotFound(code="hidden")
    if not verdict:
        raise NotAllowed(verdict.reason, code=verdict.rule)


def check_open(actor: Actor, opening: Opening) -> None:
    """Like `can_open`, but raises NotAllowed."""
    if not (verdict := can_open(actor, opening)):
        raise NotAllowed(verdict.reason, code=verdict.rule)


def _without_subject(actor: Actor, operation: Operation) -> Verdict:
    if not (verdict := can_open(actor, operation)):
        return verdict
    if operation.rule:
        raise SubjectMissing(f"{operation} has the rule {operation.rule!r}: say what it is done to")
    if not operation.rows.reaches_all(actor.role):
        raise SubjectMissing(f"{operation} reaches only some rows for {actor.role}: say which")
    return YES


def _judge(actor: Actor, operation: Operation, subject: Subject) -> Verdict:
    if subject.business_id != actor.business.pk:
        return Verdict(False, "This belongs to another business.", hidden=True, rule="business")
    has_role = can_open(actor, operation)
    if has_role and not reaches(actor, operation, subject):
        return Verdict(False, "You don't have access to this.", hidden=True, rule="rows")
    if not has_role and not _granted(actor, operation, subject):
        return has_role
    for word in operation.rules:
        if reason := RULES[word](actor, subject):
            return Verdict(False, reason, rule=word)
    return YES


def reaches(actor: Actor, operation: Operation, subject: Subject) -> bool:
    """Whether the operation's rows include this one for the actor, whose role is right."""
    if operation.rows.reaches_all(actor.role):
        return True
    if actor.employee_id and actor.employee_id == subject.holder_id:
        return True
    reviews = operation.rows.word == "scoped" and actor.role is Role.REVIEWER
    return reviews and bool(subject.team_id) and subject.team_id in actor.teams


def _granted(actor: Actor, operation: Operation, subject: Subject) -> bool:
    # A grant is on one subject, or ("PEOPLE_EDIT", "") on none in particular. Unknown is denied.
    grant = operation.grant
    return bool(grant) and ((grant, subject.id) in actor.grants or (grant, "") in actor.grants)


def _reason_by_role(roles: frozenset[Role], actor: Actor) -> str:
    titles = [str(role.label).lower() + "s" for role in Role if role in roles]
    if not titles:
        return "Nobody has permission to do this."
    who = titles[0] if len(titles) == 1 else f"{', '.join(titles[:-1])} and {titles[-1]}"
    at_business = f"This is for {who}; your role here is {(actor.member_role or actor.role).label}"
    at_service = (
        f", at the finance service {actor.service_role.label}" if actor.service_role and actor.roles_differ else ""
    )
    return f"{at_business}{at_service}."
