"""The one way a change of access is made: sent at once, or proposed where the business asks for a second admin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from dashboard.access.actor import Actor, forget_standing
from dashboard.access.check import check
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject
from dashboard.audit.models import Outcome
from dashboard.audit.record import record, record_denial
from dashboard.client.errors import Conflict, NotAllowed, NotFound
from dashboard.client.gateway import send
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Source
from dashboard.notifications.tell import tell
from dashboard.notifications.topics import ACCESS
from dashboard.proposals.four_eyes import NAME, asks_for_second, others_who_could
from dashboard.proposals.models import OPEN, SWITCH_OFF, Proposal
from dashboard.proposals.reading import target_of


@dataclass(frozen=True)
class Draft:
    """A change as somebody wants it: what would be sent, to whom it is about, and what it means in sentences."""

    operation: Operation
    title: str
    wallet_id: str
    employee_id: str
    key: str
    path: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    policy_id: str = ""
    seen_version: int | None = None
    sentences: Sequence[str] = ()
    consequences: Sequence[str] = ()
    reason: str = ""
    effective_at: datetime | None = None


def make(actor: Actor, draft: Draft) -> Proposal | None:
    """Makes the change, and answers None; or the proposal that waits for a second admin. Raises the error tree."""
    if asks_for_second(actor.business):
        return propose(actor, draft)
    subject = target_of(_row(actor, draft))
    key = f"{draft.operation.name}-{draft.key}"
    take_home(actor, send(actor, draft.operation, path=draft.path, body=draft.body, subject=subject, key=key).data)
    return None


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
    return _kept(actor, row, subject)


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
    return _kept(actor, row, target_of(row))


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


def _kept(actor: Actor, row: Proposal, subject: Subject) -> Proposal:
    again = Proposal.objects.filter(business=actor.business, key=row.key, proposed_by_id=actor.member_id).first()
    if again is not None:
        return again
    others = others_who_could(actor, row.employee_id)
    if not others:
        raise Conflict(
            "Nobody could confirm this: besides you and whoever it is about, no admin is linked to an employee.",
            code="nobody_to_confirm",
        )
    try:
        with transaction.atomic():
            row.save()
            record(
                actor, row.operation, subject, Outcome.NOTED, reason=row.reason, after=told(row),
                sentence=f"proposed a change of access: {row.title}"[:500],
            )  # fmt: skip
            said = f"{actor.name} proposes a change of access: {row.title}. It waits for a second admin."
            tell(others, ACCESS, said, key=f"proposal:{row.pk}")
    except IntegrityError:
        raise Conflict(_taken(row), code="already_proposed") from None
    return row


def told(row: Proposal) -> dict[str, str]:
    """What the audit keeps of it: each sentence under its number."""
    return {f"{place}": sentence for place, sentence in enumerate(row.sentences, 1)}


def _taken(row: Proposal) -> str:
    same = {"business": row.business, "wallet_id": row.wallet_id, "employee_id": row.employee_id}
    other = Proposal.objects.filter(**same, state__in=OPEN).select_related("proposed_by__user").first()
    who = f" by {other.proposed_by.user}" if other else ""
    return f"Another change of this access{who} waits already: it is decided or withdrawn first."
