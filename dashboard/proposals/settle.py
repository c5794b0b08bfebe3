"""Deciding on a proposal: confirmed by a second admin, declined with a reason, or withdrawn by who made it."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict
from dashboard.audit.models import Outcome
from dashboard.audit.record import record, record_denial
from dashboard.client.gateway import send
from dashboard.enqueue import enqueue_on_commit
from dashboard.errors import NotAllowed, NotFound, Stale
from dashboard.notifications.tell import tell
from dashboard.notifications.topics import ACCESS
from dashboard.proposals import targets
from dashboard.proposals.make import take_home, told
from dashboard.proposals.models import Proposal, State
from dashboard.proposals.reading import is_proposer, may_decide, may_withdraw, target_of

READ_S = 4.0


def confirm(actor: Actor, proposal: Proposal) -> None:
    """Has it applied, as the actor, once its day has come.

    NotAllowed for its proposer and whom it is about; Stale where what it is about has changed since it was proposed, which
    ends it; Unavailable where that cannot be found out now.
    """
    _refuse_unless(actor, proposal, may_decide(actor, proposal))
    if overtaken := changed_since(actor, proposal):
        _move(actor, proposal, State.STALE, overtaken, "found overtaken")
        raise Stale(f"{overtaken} The proposal has ended.", code="policy_changed")
    _move(actor, proposal, State.CONFIRMED, "", "confirmed")
    enqueue_on_commit("dashboard.proposals.apply", proposal.pk, expires_s=60)


def decline(actor: Actor, proposal: Proposal, reason: str) -> None:
    """Ends it with a reason that its proposer reads."""
    _refuse_unless(actor, proposal, may_decide(actor, proposal))
    _move(actor, proposal, State.DECLINED, reason, "declined")


def withdraw(actor: Actor, proposal: Proposal) -> None:
    """Takes it back: nothing has been sent."""
    _refuse_unless(actor, proposal, may_withdraw(actor, proposal))
    _move(actor, proposal, State.WITHDRAWN, "", "withdrew")


def changed_since(actor: Actor, proposal: Proposal) -> str:
    """What has happened to what it is about since the proposer looked at it; empty where it is as it was."""
    if proposal.target_type:
        return targets.changed_since(actor, proposal, target_of(proposal))
    if not proposal.policy_id:
        return ""
    path = {"policyId": proposal.policy_id}
    try:
        found = send(actor, operations.READ_WALLET_POLICY, path=path, subject=target_of(proposal), deadline=READ_S).data
    except NotFound:
        return "The policy is no longer there."
    take_home(actor, found)
    if proposal.seen_version is None or found.get("version") == proposal.seen_version:
        return ""
    return f"The policy has changed since this was proposed: it is {str(found.get('status') or 'changed').lower()} now."


def _refuse_unless(actor: Actor, proposal: Proposal, verdict: Verdict) -> None:
    if not verdict:
        sentence = f"tried to settle the proposed change of access: {proposal.headline}"
        record_denial(
            actor, proposal.operation, target_of(proposal), reason=verdict.reason, rule=verdict.rule, sentence=sentence
        )
        raise NotAllowed(verdict.reason, code=verdict.rule)


def _move(actor: Actor, proposal: Proposal, state: State, reason: str, did: str) -> None:
    now = timezone.now()
    ends: datetime | None = None if state == State.CONFIRMED else now
    with transaction.atomic():
        mine = Proposal.objects.filter(pk=proposal.pk, state=proposal.state, may_be_sent=False).update(
            state=state, decided_by_id=actor.member_id, decided_at=now, settled_at=ends, outcome=reason
        )
        if not mine:
            raise Stale("Somebody has decided on this meanwhile. Look at it again.", code="decided")
        record(
            actor, proposal.operation, target_of(proposal), Outcome.TAKEN, reason=reason, after=told(proposal),
            sentence=f"{did} the proposed change of access: {proposal.headline}"[:500],
        )  # fmt: skip
        if not is_proposer(actor, proposal):
            why = f" “{reason}”" if reason else ""
            said = f"{actor.name} {did} the change of access that you proposed: {proposal.headline}.{why}"
            tell([proposal.proposed_by], ACCESS, said, key=f"proposal:{proposal.pk}:{state}")
