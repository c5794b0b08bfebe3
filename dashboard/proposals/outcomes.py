"""How a proposal ends: confirmed by a second person, declined, withdrawn, or overtaken by what has happened since."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict
from dashboard.audit.models import Outcome
from dashboard.audit.record import record, record_denial
from dashboard.client.reads import read_live
from dashboard.commands.access_changes import copy_policy
from dashboard.enqueue import enqueue_on_commit
from dashboard.errors import NotAllowed, NotFound, Stale
from dashboard.notifications.services import notify
from dashboard.notifications.topics import ACCESS
from dashboard.proposals import targets
from dashboard.proposals.models import (
    Proposal,
    ProposalState,
)
from dashboard.proposals.selectors import is_proposer, may_decide, may_withdraw, target_of
from dashboard.proposals.services import audit_details
from dashboard.schemas.wallet_policies import AnsweredPolicy

READ_S = 4.0


def confirm(actor: Actor, proposal: Proposal) -> None:
    """Has it applied, as the actor, once its day has come.

    NotAllowed for its proposer and whom it is about; Stale where what it is about has changed since it was proposed, which
    ends it; Unavailable where that cannot be found out now.
    """
    _refuse_unless(actor, proposal, may_decide(actor, proposal))
    if overtaken := changed_since(actor, proposal):
        _move(actor, proposal, ProposalState.STALE, overtaken, "found overtaken")
        raise Stale(f"{overtaken} The proposal has ended.", code="policy_changed")
    _move(actor, proposal, ProposalState.CONFIRMED, "", "confirmed")
    enqueue_on_commit("dashboard.proposals.apply", proposal.pk, expires_s=60)


def decline(actor: Actor, proposal: Proposal, reason: str) -> None:
    """Declines it with a reason that its proposer reads. NotAllowed for who may not, Stale where somebody was faster."""
    _refuse_unless(actor, proposal, may_decide(actor, proposal))
    _move(actor, proposal, ProposalState.DECLINED, reason, "declined")


def withdraw(actor: Actor, proposal: Proposal) -> None:
    """Withdraws it before anything is sent. NotAllowed for who may not."""
    _refuse_unless(actor, proposal, may_withdraw(actor, proposal))
    _move(actor, proposal, ProposalState.WITHDRAWN, "", "withdrew")


def overtake(actor: Actor, proposal: Proposal, outcome: str) -> None:
    """Ends one that something else has taken the place of before anything was sent, for a caller that asked its own gate."""
    _move(actor, proposal, ProposalState.STALE, outcome, "ended")


def changed_since(actor: Actor, proposal: Proposal) -> str:
    """What has happened to what it is about since the proposer looked at it; empty where it is as it was."""
    if proposal.target_type:
        return targets.changed_since(actor, proposal, target_of(proposal))
    if not proposal.policy_id:
        return ""
    path = {"policyId": proposal.policy_id}
    try:
        answer = read_live(
            actor, operations.READ_WALLET_POLICY, path=path, subject=target_of(proposal), deadline=READ_S
        )
    except NotFound:
        return "The policy no longer exists."
    policy: AnsweredPolicy = answer.data
    copy_policy(actor, policy)
    if proposal.seen_version is None or policy.get("version") == proposal.seen_version:
        return ""
    return (
        f"The policy has changed since this was proposed: it is {str(policy.get('status') or 'changed').lower()} now."
    )


def _refuse_unless(actor: Actor, proposal: Proposal, verdict: Verdict) -> None:
    if not verdict:
        sentence = f"tried to decide the proposed {proposal.bare_noun}: {proposal.headline}"
        record_denial(
            actor, proposal.operation, target_of(proposal), reason=verdict.reason, rule=verdict.rule, sentence=sentence
        )
        raise NotAllowed(verdict.reason, code=verdict.rule)


def _move(actor: Actor, proposal: Proposal, state: ProposalState, reason: str, did: str) -> None:
    now = timezone.now()
    ends: datetime | None = None if state == ProposalState.CONFIRMED else now
    with transaction.atomic():
        mine = Proposal.objects.filter(pk=proposal.pk, state=proposal.state, may_be_sent=False).update(
            state=state, decided_by_id=None if actor.program else actor.member_id, decided_at=now, settled_at=ends, outcome=reason,
            body=proposal.body if state == ProposalState.CONFIRMED else proposal.body_without_secrets,
        )  # fmt: skip
        if not mine:
            raise Stale("Somebody has already decided on this. Review it again.", code="decided")
        record(
            actor, proposal.operation, target_of(proposal), Outcome.TAKEN, reason=reason, after=audit_details(proposal),
            sentence=f"{did} the proposed {proposal.bare_noun}: {proposal.headline}"[:500],
        )  # fmt: skip
        if not proposal.program and not is_proposer(actor, proposal):
            why = f" “{reason}”" if reason else ""
            message = f"{actor.name} {did} the {proposal.bare_noun} that you proposed: {proposal.headline}.{why}"
            notify([proposal.proposed_by], ACCESS, message, key=f"proposal:{proposal.pk}:{state}")
