"""The one way access is changed: at once, or proposed, and then confirmed by a second admin, declined or withdrawn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject
from dashboard.audit.models import Outcome
from dashboard.audit.record import check_or_record_denial, record
from dashboard.client.outbox import settle_by_reading
from dashboard.commands import categories, journal_exports, policies, reconciliation, vendor_records, workflows
from dashboard.commands.access_changes import change_policy, change_rights
from dashboard.commands.run import FormKey
from dashboard.errors import Conflict, FinanceError, NotFound, Unknown
from dashboard.mirror.apply import notify_open_pages
from dashboard.notifications.services import notify
from dashboard.notifications.topics import ACCESS
from dashboard.proposals import models, targets
from dashboard.proposals.four_eyes import NAME, others_who_could, requires_second_admin
from dashboard.proposals.models import (
    BANK_DIFFERENCE,
    BANK_STATEMENT,
    CATEGORY_MOVE,
    JOURNAL_EXPORT,
    OF_MEMBERS,
    POLICY,
    SWITCH_OFF,
    VENDOR_MERGE,
    WORKFLOW,
    Proposal,
)
from dashboard.proposals.selectors import target_of
from dashboard.proposals.targets import INVITATION, MANDATE, MEMBER, PROPOSABLE, RIGHTS, ROLE, is_applied


@dataclass(frozen=True)
class Draft:
    """A change before it is submitted: what would be sent, to whom it is about, and what it means in sentences."""

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


def apply_or_propose(actor: Actor, draft: Draft) -> Proposal | None:
    """Makes the change, and answers None; or the proposal that waits for a second admin. Raises the error tree."""
    if requires_second_admin(actor.business):
        return propose(actor, draft)
    row = _row(actor, draft)
    carry_out(actor, row, row.key)
    return None


def carry_out(actor: Actor, row: Proposal, key: str) -> str:
    """Sends the change as it is written down, and copies the answer; returns the id of the request."""
    payload, operation, subject = row.body, PROPOSABLE[row.operation], target_of(row)
    try:
        if row.target_type == POLICY:
            result = policies.change_policy(actor, operation, subject, payload, path=row.path, key=key)
        elif row.target_type == JOURNAL_EXPORT:
            result = journal_exports.undo(actor, subject, row.required_body, path=row.path, key=key)
        elif row.target_type == BANK_DIFFERENCE:
            result = reconciliation.change_difference(
                actor, operation, subject, row.required_body, path=row.path, key=key
            )
        elif row.target_type == BANK_STATEMENT:
            result = reconciliation.remove_statement(actor, subject, row.required_body, path=row.path, key=key)
        elif row.target_type == VENDOR_MERGE:
            result = vendor_records.carry_out_merge(actor, subject, row.required_body, path=row.path, key=key)
        elif row.target_type == CATEGORY_MOVE:
            result = categories.carry_out_move(actor, subject, row.required_body, path=row.path, key=key)
        elif row.target_type == WORKFLOW:
            result = workflows.change_workflow(actor, operation, subject, payload, path=row.path, key=key)
        elif row.target_type:
            about = row.employee_id
            result = change_rights(
                actor, operation, subject, row.required_body, path=row.path, employee_id=about, key=key
            )
        else:
            result = change_policy(actor, operation, subject, payload, path=row.path, key=key)
    except (NotFound, Unknown) as doubt:
        # What is to be removed and is not there is not asked about again, where what was sent before may have done it:
        # else somebody else has removed it.
        may_be_ours = isinstance(doubt, Unknown) or row.may_be_sent
        if not (may_be_ours and _is_applied_upstream(actor, row)):
            raise
        settle_by_reading(actor.business.pk, doubt.sent_key or key, done=True)
        return doubt.request_id
    return result.request_id


def _is_applied_upstream(actor: Actor, row: Proposal) -> bool:
    try:
        return is_applied(actor, row)
    except FinanceError:
        # Nobody could look: the doubt stays what it is.
        return False


def propose(actor: Actor, draft: Draft) -> Proposal:
    """Writes the change down for a second admin. NotAllowed for who could not make it; Conflict where nobody could
    confirm it, or another change of the same access waits. The same form twice gives the same proposal."""
    row = _row(actor, draft)
    subject = target_of(row)
    check_or_record_denial(actor, draft.operation, subject)
    return write_down(actor, row, subject)


def propose_switching_off(actor: Actor, key: str, reason: str) -> Proposal:
    """Asks that no second admin be needed any more: that, too, needs one."""
    row = Proposal(
        business=actor.business,
        operation=SWITCH_OFF,
        title="Access changes without a second admin",
        sentences=["A single admin can change access immediately."],
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
        key=FormKey(draft.key).of(draft.operation),
        proposed_by_id=actor.member_id,
    )


def _plain(value: Any) -> Any:
    # Amounts as text: the database's JSON must not make a float of them.
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, str | int | bool) else str(value)


def write_down(actor: Actor, row: Proposal, subject: Subject) -> Proposal:
    """Stores a proposal that its proposer could carry out, tells whoever could confirm it, and the audit.

    Conflict where nobody could, or where another one of the same target waits. The same form twice stores one.
    """
    earlier = Proposal.objects.filter(business=actor.business, key=row.key, proposed_by_id=actor.member_id).first()
    if earlier is not None:
        return earlier
    row.program = actor.program
    others = others_who_could(actor, row.employee_id, row.operation, row.target_id)
    if not others:
        linked = "" if row.operation in OF_MEMBERS else " is linked to an employee"
        who = "there is no other super admin" if row.operation in OF_MEMBERS else "nobody with this permission"
        raise Conflict(
            f"Nobody could confirm this: apart from you and the person concerned, {who}{linked}.",
            code="nobody_to_confirm",
        )
    try:
        with transaction.atomic():
            row.save()
            record(
                actor, row.operation, subject, Outcome.NOTED, reason=row.reason, after=audit_details(row),
                sentence=f"proposed {row.noun}: {row.headline}"[:500],
            )  # fmt: skip
            message = f"{actor.name} proposes {row.noun}: {row.headline}. It is waiting for a second admin."
            notify(others, ACCESS, message, key=f"proposal:{row.pk}")
            notify_open_pages(actor.business)
    except IntegrityError:
        raise Conflict(_already_proposed(row), code="already_proposed") from None
    return row


def audit_details(row: Proposal) -> dict[str, str]:
    """The sentences of a proposal for the audit: number to sentence."""
    return {f"{place}": sentence for place, sentence in enumerate(row.sentences, 1)}


def _already_proposed(row: Proposal) -> str:
    names = ("business", "wallet_id", "employee_id", "target_type", "target_id")
    same = {name: getattr(row, name) for name in names}
    other = (
        Proposal.objects.filter(**same, state__in=models.OPEN_PROPOSAL_STATES)
        .select_related("proposed_by__user")
        .first()
    )
    who = f" by {other.proposer}" if other else ""
    names_of = {MANDATE: "this mandate", ROLE: "this role", RIGHTS: "their rights"}
    names_of |= {MEMBER: "their role here", INVITATION: "this invitation"}
    names_of |= {POLICY: "this policy", WORKFLOW: "this workflow", JOURNAL_EXPORT: "this export"}
    names_of |= {BANK_DIFFERENCE: "this difference", BANK_STATEMENT: "this statement", VENDOR_MERGE: "this vendor"}
    names_of |= {CATEGORY_MOVE: "this category"}
    names_of |= {targets.SINGLE_SIGN_ON: "single sign-on", targets.SERVICE_CONNECTION: "the connection"}
    names_of |= {targets.SECOND_FACTOR: "the roles that need a second factor", targets.SCIM_TOKEN: "the SCIM token"}
    what = names_of.get(row.target_type, "this access")
    return f"Another change of {what}{who} is already waiting: decide or withdraw it first."
