"""A proposed change of access, as a row and on its own page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from django.urls import reverse

from dashboard import operations_pages
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can_open
from dashboard.impact.consequences import Consequence
from dashboard.impact.proposals import TONES, impact_of_proposal, proposal_address
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import OF_MEMBERS, SWITCH_OFF, Proposal, ProposalState
from dashboard.proposals.selectors import may_decide, may_withdraw, visible_proposals
from dashboard.times import day, day_and_time
from dashboard.web.forms import DeclineForm
from dashboard.web.submission import new_key

TABS = (("", "Waiting"), ("all", "All"))


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """A proposal as it is printed."""

    proposal: Proposal
    state: str
    tone: str
    who: str
    when: str
    effective: str
    decided_by: str
    decided: str
    settled: str


def proposal_row(actor: Actor, proposal: Proposal) -> ProposalRow:
    """The row of a proposal, its times on the clock of the business."""
    where = actor.business
    return ProposalRow(
        proposal,
        ProposalState(proposal.state).label,
        TONES[ProposalState(proposal.state)],
        proposal.proposer,
        day_and_time(proposal.proposed_at, where),
        day(proposal.effective_at, where) if proposal.effective_at else "immediately",
        proposal.decided_by.user.get_full_name() if proposal.decided_by else "",
        day_and_time(proposal.decided_at, where),
        day_and_time(proposal.settled_at, where),
    )


class ProposalsContext(TypedDict):
    """What wallet_policies/proposals.html reads: the proposals that wait, or all ("all" in `show`), the key of the next page, ""
    on the last; whether a second admin is asked for, and the proposal to ask for none, None without one."""

    lines: list[ProposalRow]
    next: str
    show: str
    shows: tuple[tuple[str, str], ...]
    second: bool
    may_change: Verdict
    switching: Proposal | None
    key: str


def proposals_context(actor: Actor, proposals: Sequence[Proposal], following: str, show: str) -> ProposalsContext:
    """A page of proposals, and what may be done beside them."""
    return {
        "lines": [proposal_row(actor, row) for row in proposals],
        "next": following,
        "show": show,
        "shows": TABS,
        "second": requires_second_admin(actor.business),
        "may_change": can_open(actor, operations_pages.ACCESS_CHANGES),
        "switching": visible_proposals(actor).filter(operation=SWITCH_OFF, state=ProposalState.WAITING).first(),
        "key": new_key(),
    }


class ProposalContext(TypedDict):
    """What wallet_policies/proposal.html reads; `is_current` whether its impact is that of today,
    `decide` is None once it is decided, `look` the address of its subject."""

    line: ProposalRow
    consequences: list[Consequence]
    is_current: bool
    decide: Verdict | None
    withdraw: Verdict
    form: DeclineForm
    look: str


def proposal_context(actor: Actor, proposal: Proposal) -> ProposalContext:
    """A proposal with its consequences and what the actor may do with it."""
    decide: Verdict | None = may_decide(actor, proposal) if proposal.is_waiting else None
    impact = impact_of_proposal(actor, proposal)
    return {
        "line": proposal_row(actor, proposal),
        "consequences": impact.consequences,
        "is_current": impact.is_current,
        "decide": decide,
        "withdraw": may_withdraw(actor, proposal),
        "form": DeclineForm(),
        "look": _subject_address(proposal),
    }


def _subject_address(proposal: Proposal) -> str:
    """The address of what it is about; "" for asking for no second admin, and for members, whom few may look at."""
    if proposal.operation == SWITCH_OFF or proposal.operation in OF_MEMBERS:
        return ""
    if proposal.target_type:
        return proposal_address(proposal)
    return reverse("wallet-policies_trace", args=[proposal.business.slug, proposal.employee_id, proposal.wallet_id])
