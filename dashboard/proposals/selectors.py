"""Proposals as an actor may see them, and whether they may decide on one: told before the click by the same code."""

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can, can_open
from dashboard.access.subject import Subject
from dashboard.operations_pages import ACCESS_CHANGES, MEMBERS, PROPOSALS
from dashboard.proposals.models import OF_MEMBERS, SWITCH_OFF, Proposal, ProposalState
from dashboard.proposals.targets import GOVERNING, MEMBER, PROPOSABLE

YES = Verdict(True)


def visible_proposals(actor: Actor) -> QuerySet[Proposal]:
    """All of the business, for those who may read who has access to what."""
    rows = Proposal.objects.select_related("proposed_by__user", "decided_by__user")
    return rows.filter(business=actor.business) if can_open(actor, PROPOSALS) else rows.none()


def open_proposals(actor: Actor) -> QuerySet[Proposal]:
    """Those of which nobody has said the last word, or whose day has not come."""
    return visible_proposals(actor).filter(state__in=(ProposalState.WAITING, ProposalState.CONFIRMED))


def waiting_on(actor: Actor) -> QuerySet[Proposal]:
    """Those that `may_decide` lets the actor decide on, for lists and counts; a rule that needs more than whom it is
    about is told on the proposal itself."""
    if not can_open(actor, ACCESS_CHANGES):
        return visible_proposals(actor).none()
    proposals = visible_proposals(actor).filter(state=ProposalState.WAITING).exclude(proposed_by__user=actor.user)
    # Of members only another owner decides, linked to an employee or not, and never on themselves.
    of_members = OF_MEMBERS if can_open(actor, MEMBERS) else frozenset()
    proposals = proposals.exclude(target_type=MEMBER, target_id=str(actor.membership_id))
    if not actor.employee_id:
        return proposals.filter(operation__in=[SWITCH_OFF, *of_members])
    may = [
        name
        for name, operation in PROPOSABLE.items()
        if (name in GOVERNING or "not_self" in operation.rules) and actor.role in operation.roles
    ]
    proposals = proposals.filter(operation__in=[*may, SWITCH_OFF, *of_members]).exclude(employee_id=actor.employee_id)
    return proposals.exclude(about__contains=[actor.employee_id]).exclude(proposed_by__employee_id=actor.employee_id)


def confirmable_count(actor: Actor) -> int:
    """How many proposals the actor could confirm."""
    return waiting_on(actor).count()


def target_of(proposal: Proposal) -> Subject:
    """What the change is done to, as the gate and the audit know it."""
    if proposal.target_type:
        return Subject(
            business_id=proposal.business_id,
            kind=proposal.target_type,
            id=proposal.target_id,
            title=proposal.title,
            holder_id=proposal.employee_id,
            about=frozenset(proposal.about),
        )
    return Subject(
        business_id=proposal.business_id,
        kind="wallet_policy" if proposal.policy_id else "wallet" if proposal.wallet_id else "proposal",
        id=proposal.policy_id or proposal.wallet_id or str(proposal.pk or ""),
        title=proposal.title,
        holder_id=proposal.employee_id,
        about=frozenset({proposal.employee_id}) if proposal.employee_id else None,
    )


def may_do(actor: Actor, proposal: Proposal) -> Verdict:
    """Whether the actor may make such a change at all: their role, and not about themselves."""
    if proposal.operation == SWITCH_OFF:
        return can_open(actor, ACCESS_CHANGES)
    if proposal.operation in OF_MEMBERS:
        return _may_change_member(actor, proposal)
    return can(actor, PROPOSABLE[proposal.operation], target_of(proposal))


def _may_change_member(actor: Actor, proposal: Proposal) -> Verdict:
    if not (verdict := can_open(actor, MEMBERS)):
        return verdict
    if proposal.target_type == MEMBER and proposal.target_id == str(actor.membership_id):
        return Verdict(False, "This is about yourself: another super admin must decide.", rule="not_self")
    return YES


def may_decide(actor: Actor, proposal: Proposal) -> Verdict:
    """Whether the actor may confirm or decline it: one who could make it, but neither its proposer nor whom it is about."""
    if proposal.state != ProposalState.WAITING:
        return Verdict(False, "It is no longer waiting for a decision.", rule="state")
    if not (verdict := may_do(actor, proposal)):
        return verdict
    if is_proposer(actor, proposal):
        return Verdict(False, "You proposed this: a second admin must confirm it.", rule="not_own")
    return YES


def may_withdraw(actor: Actor, proposal: Proposal) -> Verdict:
    """Whether the actor may take it back: whoever proposed it, and whoever confirmed it as long as its day is to come.

    Its proposer also where they could not make the change: an admin who asks super admins to end an access, say.
    """
    if not proposal.is_open or proposal.may_be_sent:
        return Verdict(False, "It can no longer be withdrawn.", rule="state")
    if is_proposer(actor, proposal):
        return YES
    if not (verdict := may_do(actor, proposal)):
        return verdict
    if proposal.decided_by_id == actor.membership_id:
        return YES
    return Verdict(False, "Only the person who proposed or confirmed this can withdraw it.", rule="not_own")


def is_proposer(actor: Actor, proposal: Proposal) -> bool:
    """Whether the actor is its proposer: the same user, membership or employee."""
    by = proposal.proposed_by
    same_person = actor.user is not None and by.user_id == actor.user.pk
    return same_person or by.pk == actor.membership_id or bool(by.employee_id and by.employee_id == actor.employee_id)
