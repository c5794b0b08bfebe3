"""The one way a change of access is made: sent at once, or proposed where the business asks for a second admin."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import check
from dashboard.access.operation import Operation
from dashboard.access.standing import forget_standing
from dashboard.access.subject import Subject
from dashboard.audit.models import Outcome
from dashboard.audit.record import record, record_denial
from dashboard.client.gateway import send
from dashboard.client.outbox import settle_by_reading
from dashboard.errors import Conflict, FinanceError, NotAllowed, NotFound, Unknown
from dashboard.mirror.apply import notify_open_pages, upsert
from dashboard.mirror.models import Source
from dashboard.notifications.tell import tell
from dashboard.notifications.topics import ACCESS
from dashboard.operations import OPERATIONS
from dashboard.proposals.four_eyes import NAME, asks_for_second, others_who_could
from dashboard.proposals.models import OF_MEMBERS, OPEN, SWITCH_OFF, Proposal
from dashboard.proposals.reading import target_of
from dashboard.proposals.targets import INVITATION, MANDATE, MEMBER, RIGHTS, ROLE, is_done


@dataclass(frozen=True)
class Draft:
    """A change as somebody wants it: what would be sent, to whom it is about, and what it means in sentences."""

    operation: Operation
    title: str
    key: str
    wallet_id: str = ""
    employee_id: str = ""
    path: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    policy_id: str = ""
    seen_version: int | None = None
    target_type: str = ""
    target_id: str = ""
    seen: Mapping[str, Any] = field(default_factory=dict)
    about: Iterable[str] = ()
    sentences: Sequence[str] = ()
    consequences: Sequence[str] = ()
    reason: str = ""
    effective_at: datetime | None = None


def make(actor: Actor, draft: Draft) -> Proposal | None:
    """Makes the change, and answers None; or the proposal that waits for a second admin. Raises the error tree."""
    if asks_for_second(actor.business):
        return propose(actor, draft)
    row = _row(actor, draft)
    carry_out(actor, row, row.key, draft.body)
    return None


def carry_out(actor: Actor, row: Proposal, key: str, body: Mapping[str, Any] | None = None) -> str:
    """Sends what is wanted, as it was kept or with a body of its own, and takes home what is answered; the request's id."""
    path, sent, operation = row.path, row.body if body is None else body, OPERATIONS[row.operation]
    try:
        answer = send(actor, operation, path=path, body=sent, subject=target_of(row), key=key)
    except (NotFound, Unknown) as doubt:
        # What is to be removed and is not there is not asked about again: what was sent before may have done it.
        if not _is_seen_done(actor, row):
            raise
        settle_by_reading(actor.business.pk, key, done=True)
        return doubt.request_id
    _bring_home(actor, row, answer.data)
    return answer.request_id


def _is_seen_done(actor: Actor, row: Proposal) -> bool:
    try:
        return is_done(actor, row)
    except FinanceError:
        # Nobody could look: the doubt stays what it is.
        return False


def _bring_home(actor: Actor, row: Proposal, answered: Any) -> None:
    """Writes what was answered to a change into the copy, where that holds it, and has rights looked at anew."""
    if not row.target_type:
        take_home(actor, answered)
        return
    if row.operation == operations.CHANGE_ROLE.name:
        upsert("employee", actor.business, [answered], Source.WRITE)
    if row.employee_id:
        forget_standing(actor.business.pk, row.employee_id)


def take_home(actor: Actor, policy: Any) -> None:
    """Writes the answered policy into the copy, and has its holder's rights looked at anew."""
    upsert("wallet_policy", actor.business, [policy], Source.WRITE)
    forget_standing(actor.business.pk, str(policy.get("employee_id") or ""))


def propose(actor: Actor, draft: Draft) -> Proposal:
    """Writes the change down for a second admin. NotAllowed for who could not make it; Conflict where nobody could
    confirm it, or another change of the same access waits. The same form twice gives the same proposal."""
    row = _row(actor, draft)
    subject = target_of(row)
    try:
        check(actor, draft.operation, subject)
    except (NotAllowed, NotFound) as denied:
        record_denial(actor, draft.operation, subject, reason=denied.detail, rule=denied.code)
        raise
    return write_down(actor, row, subject)


def propose_switching_off(actor: Actor, key: str, reason: str) -> Proposal:
    """Asks that no second admin be needed any more: that, too, needs one."""
    row = Proposal(
        business=actor.business,
        operation=SWITCH_OFF,
        title="Changes without a second admin",
        sentences=["Changes of access are made by one admin alone, at once."],
        reason=reason,
        key=f"{NAME}-{key}",
        proposed_by_id=actor.member_id,
    )
    return write_down(actor, row, target_of(row))


def _row(actor: Actor, draft: Draft) -> Proposal:
    return Proposal(
        business=actor.business,
        operation=draft.operation.name,
        path=dict(draft.path),
        body=_plain(draft.body),
        wallet_id=draft.wallet_id,
        employee_id=draft.employee_id,
        policy_id=draft.policy_id,
        seen_version=draft.seen_version,
        target_type=draft.target_type,
        target_id=draft.target_id,
        seen=dict(draft.seen),
        about=sorted(draft.about),
        title=draft.title,
        sentences=list(draft.sentences),
        consequences=list(draft.consequences),
        reason=draft.reason,
        effective_at=draft.effective_at,
        key=f"{draft.operation.name}-{draft.key}",
        proposed_by_id=actor.member_id,
    )


def _plain(value: Any) -> Any:
    # Amounts as text: the database's JSON must not make a float of them.
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if value is None or isinstance(value, str | int | bool) else str(value)


def write_down(actor: Actor, row: Proposal, subject: Subject) -> Proposal:
    """Stores a proposal that its proposer could carry out, tells whoever could confirm it, and the audit.

    Conflict where nobody could, or where another one of the same target waits. The same form twice stores one.
    """
    again = Proposal.objects.filter(business=actor.business, key=row.key, proposed_by_id=actor.member_id).first()
    if again is not None:
        return again
    others = others_who_could(actor, row.employee_id, row.operation, row.target_id)
    if not others:
        linked = "" if row.operation in OF_MEMBERS else " is linked to an employee"
        who = "there is no other super admin" if row.operation in OF_MEMBERS else "nobody who may change it"
        raise Conflict(
            f"Nobody could confirm this: besides you and whoever it is about, {who}{linked}.", code="nobody_to_confirm"
        )
    try:
        with transaction.atomic():
            row.save()
            record(
                actor, row.operation, subject, Outcome.NOTED, reason=row.reason, after=told(row),
                sentence=f"proposed a change of access: {row.headline}"[:500],
            )  # fmt: skip
            said = f"{actor.name} proposes a change of access: {row.headline}. It waits for a second admin."
            tell(others, ACCESS, said, key=f"proposal:{row.pk}")
            notify_open_pages(actor.business)
    except IntegrityError:
        raise Conflict(_taken(row), code="already_proposed") from None
    return row


def told(row: Proposal) -> dict[str, str]:
    """What the audit keeps of it: each sentence under its number."""
    return {f"{place}": sentence for place, sentence in enumerate(row.sentences, 1)}


def _taken(row: Proposal) -> str:
    names = ("business", "wallet_id", "employee_id", "target_type", "target_id")
    same = {name: getattr(row, name) for name in names}
    other = Proposal.objects.filter(**same, state__in=OPEN).select_related("proposed_by__user").first()
    who = f" by {other.proposed_by.user}" if other else ""
    names_of = {MANDATE: "this mandate", ROLE: "this role", RIGHTS: "their rights"}
    names_of |= {MEMBER: "their role here", INVITATION: "this invitation"}
    what = names_of.get(row.target_type, "this access")
    return f"Another change of {what}{who} waits already: it is decided or withdrawn first."
