"""A proposed change of access as a second admin decides on it: its sentences, what follows, who asks for it and why."""

from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.access.check import Verdict
from dashboard.decisions.desk_items import ChainStep, DecisionChoice, DeskItem
from dashboard.decisions.filters import CHANGE_SOURCE
from dashboard.impact.consequences import Consequence
from dashboard.impact.proposals import TONES, impact_of_proposal
from dashboard.proposals.models import Proposal, ProposalState
from dashboard.proposals.selectors import may_decide
from dashboard.times import day, day_and_time


@dataclass(frozen=True)
class AccessChangeItem(DeskItem):
    """What the pane shows of a change of access."""

    sentences: tuple[str, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    # Whether what follows was found now, and not when it was proposed.
    is_current: bool = False


def access_change_item(actor: Actor, proposal: Proposal) -> AccessChangeItem:
    """The item of a change, with whether this actor may confirm it: by the same rules as on its own page."""
    state = ProposalState(proposal.state)
    requester = proposal.proposer
    impact = impact_of_proposal(actor, proposal)
    return AccessChangeItem(
        kind=CHANGE_SOURCE,
        id=str(proposal.pk),
        kind_label="Access change",
        ref="",
        amount="",
        title=proposal.headline,
        sub=f"proposed by {requester}",
        requester=requester,
        state=state.label,
        tone=TONES[state],
        level="",
        risk=0,
        facts=_facts(actor, proposal, requester),
        chain=_chain(actor, proposal, requester),
        flags=[],
        choices=_choices(may_decide(actor, proposal)) if proposal.is_waiting else [],
        # Its words never change: whether it still waits, and the policy behind it, is asked when it is decided.
        fingerprint="",
        sentences=tuple(proposal.sentences),
        consequences=tuple(impact.consequences),
        is_current=impact.is_current,
    )


def _choices(verdict: Verdict) -> list[DecisionChoice]:
    return [
        DecisionChoice("approve", "Confirm", "A", verdict, reason_needed=False),
        DecisionChoice("reject", "Decline", "R", verdict, reason_needed=True, longest=500),
    ]


def _facts(actor: Actor, proposal: Proposal, requester: str) -> list[tuple[str, str]]:
    where = actor.business
    begins = f"on {day(proposal.effective_at, where)}" if proposal.effective_at else "as soon as it is confirmed"
    facts = [
        ("Proposed", f"{requester}, {day_and_time(proposal.proposed_at, where)}"),
        ("Reason", proposal.reason or "no reason given"),
        ("Effective date", begins),
    ]
    if proposal.is_waiting:
        facts.append(
            ("If confirmed", "It is applied in your name, unless the access has changed since it was proposed.")
        )
    return [*facts, ("Result", proposal.outcome)] if proposal.outcome else facts


def _chain(actor: Actor, proposal: Proposal, requester: str) -> list[ChainStep]:
    steps = [ChainStep("done", f"Proposed by {requester}")]
    if proposal.is_waiting:
        return [*steps, ChainStep("now", "Confirmation by a second admin"), ChainStep("next", "Applied")]
    by = proposal.decided_by.user.get_full_name() if proposal.decided_by else "Nobody"
    word = (
        "declined"
        if proposal.state == ProposalState.DECLINED
        else "withdrew"
        if proposal.state == ProposalState.WITHDRAWN
        else ""
    )
    if word:
        return [*steps, ChainStep("no", f"{by} {word} it, {day_and_time(proposal.decided_at, actor.business)}")]
    if proposal.state in {ProposalState.STALE, ProposalState.REFUSED, ProposalState.UNKNOWN}:
        return [*steps, ChainStep("no", ProposalState(proposal.state).label)]
    last = (
        ChainStep("done", "Applied")
        if proposal.state == ProposalState.APPLIED
        else ChainStep("now", "Applied on its effective date")
    )
    return [*steps, ChainStep("done", f"{by} confirmed it"), last]
