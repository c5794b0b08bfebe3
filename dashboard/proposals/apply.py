"""Applying what a second admin has confirmed: as that admin, through the gate, once, when its day has come."""

from collections.abc import Callable, Mapping
from datetime import timedelta

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.models import Business
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.client.outbox import KEY_TOO_OLD
from dashboard.client.outbox_keys import was_sent
from dashboard.errors import AlreadyDone, Conflict, FinanceError, TooMany, Unavailable, Unknown
from dashboard.notifications.services import notify
from dashboard.notifications.topics import ACCESS
from dashboard.operations_pages import MEMBERS
from dashboard.proposals import connection, invitations, members, override_roles, own_key, second_factor, single_sign_on
from dashboard.proposals.four_eyes import switch_four_eyes_off
from dashboard.proposals.models import (
    CHANGE_CONNECTION,
    CHANGE_OVERRIDE_ROLES,
    CHANGE_OWN_KEY,
    CHANGE_SECOND_FACTOR,
    CHANGE_SINGLE_SIGN_ON,
    INVITE_MEMBER,
    ISSUE_SCIM_TOKEN,
    OF_MEMBERS,
    SWITCH_OFF,
    Proposal,
    ProposalState,
)
from dashboard.proposals.outcomes import changed_since
from dashboard.proposals.selectors import target_of
from dashboard.proposals.services import carry_out

log = structlog.get_logger(__name__)

LEASE = timedelta(minutes=2)
AT_ONCE = 50
ENDED_IN_DOUBT = (
    "It was sent, and no answer came within a day: whether it was made is not known, and it is not sent again. "
    "Look at how it stands before you propose it anew."
)
# Answers of 409 that tell of no other change: the service does not want this one.
REFUSALS = frozenset({"approvers_insufficient", "duplicate", "in_use", "no_break_glass"})


def due_proposals() -> list[int]:
    """Those that are confirmed, whose day has come and that nobody is at."""
    now = timezone.now()
    waiting = Proposal.objects.filter(Q(effective_at=None) | Q(effective_at__lte=now), state=ProposalState.CONFIRMED)
    free = waiting.filter(Q(lease_until=None) | Q(lease_until__lt=now))
    return list(free.order_by("decided_at").values_list("pk", flat=True)[:AT_ONCE])


def apply_proposal(proposal_id: int) -> None:
    """Applies one, if it is due and nobody else is at it. What cannot be reached now is tried again.

    Withdrawn, or overtaken, before anything was sent, it is not applied. Whoever proposed and confirmed it is notified
    where it is not.
    """
    proposal = _claimed(proposal_id)
    if proposal is None:
        return
    try:
        if proposal.operation == SWITCH_OFF or proposal.operation in OF_MEMBERS:
            _apply_here(proposal)
        else:
            _apply_at_service(proposal)
    except _NotOursError:
        log.info("proposal not applied: it is no longer confirmed, or another worker has it", proposal=proposal.pk)
    except Unknown as doubt:
        if doubt.code == KEY_TOO_OLD:
            _end_in_doubt(proposal, doubt)
        else:
            _record_not_applied(proposal, doubt)
    except (Unavailable, TooMany) as away:
        _claimed_rows(proposal).update(may_be_sent=proposal.may_be_sent)
        _record_not_applied(proposal, away)
    except AlreadyDone as before:
        _settle(proposal, ProposalState.APPLIED, "", before.request_id)
    except Conflict as other:
        state = ProposalState.REFUSED if other.code in REFUSALS else ProposalState.STALE
        _settle(proposal, state, other.detail, other.request_id)
    except FinanceError as refused:
        _settle(proposal, ProposalState.REFUSED, refused.detail, refused.request_id)


def _nothing(actor: Actor, proposal: Proposal) -> None:
    """That it is confirmed is all: its proposer takes it up (scim_token.py)."""
    check_open(actor, MEMBERS)


# What changes a setting of the business here, by operation.
SETTINGS: Mapping[str, Callable[[Actor, Proposal], None]] = {
    CHANGE_OVERRIDE_ROLES: override_roles.carry_out,
    CHANGE_SINGLE_SIGN_ON: single_sign_on.carry_out,
    CHANGE_OWN_KEY: own_key.carry_out,
    CHANGE_CONNECTION: connection.carry_out,
    CHANGE_SECOND_FACTOR: second_factor.carry_out,
    ISSUE_SCIM_TOKEN: _nothing,
}


class _NotOursError(Exception):
    """It was withdrawn or ended meanwhile, or another worker has claimed it."""


def _claimed(proposal_id: int) -> Proposal | None:
    now = timezone.now()
    due = Q(effective_at=None) | Q(effective_at__lte=now)
    free = Q(lease_until=None) | Q(lease_until__lt=now)
    mine = Proposal.objects.filter(due, free, pk=proposal_id, state=ProposalState.CONFIRMED).update(
        lease_until=now + LEASE
    )
    rows = Proposal.objects.select_related(
        "business", "proposed_by__user", "proposed_by__business", "decided_by__user", "decided_by__business"
    )
    return rows.get(pk=proposal_id) if mine else None


def _claimed_rows(proposal: Proposal) -> QuerySet[Proposal]:
    """The row as this worker has claimed it: none where it was withdrawn meanwhile, or the claim has gone to another."""
    return Proposal.objects.filter(pk=proposal.pk, state=ProposalState.CONFIRMED, lease_until=proposal.lease_until)


def _confirmer(proposal: Proposal) -> Actor:
    if proposal.decided_by is None:
        raise ValueError("nobody has confirmed this")
    return Actor.for_membership(proposal.decided_by, fresh=True)


def _apply_here(proposal: Proposal) -> None:
    """What is changed in this dashboard alone is compared, changed and settled in one transaction: it is applied once,
    over nothing that the proposer has not seen."""
    actor, link = _confirmer(proposal), ""
    with transaction.atomic():
        # Whoever changes members, roles or the provider holds this lock, and takes a proposal's after it.
        Business.objects.select_for_update(no_key=True).get(pk=proposal.business_id)
        if _claimed_rows(proposal).select_for_update(no_key=True).first() is None:
            raise _NotOursError
        if overtaken := changed_since(actor, proposal):
            _settle(proposal, ProposalState.STALE, overtaken, "")
            return
        link = _change_here(actor, proposal)
        _settle(proposal, ProposalState.APPLIED, "", "")
    if link:
        unsent = invitations.send_confirmed(actor, proposal, link)
        Proposal.objects.filter(pk=proposal.pk).update(outcome=unsent)


def _change_here(actor: Actor, proposal: Proposal) -> str:
    """Changes what the proposal says, and answers the link that somebody invited is to be sent; "" for all else."""
    if proposal.operation == SWITCH_OFF:
        switch_four_eyes_off(actor)
    elif proposal.operation in SETTINGS:
        SETTINGS[proposal.operation](actor, proposal)
    elif proposal.operation == INVITE_MEMBER:
        return invitations.carry_out_invitation(actor, proposal)
    else:
        members.carry_out(actor, proposal)
    return ""


def _apply_at_service(proposal: Proposal) -> None:
    actor, key = _confirmer(proposal), f"proposal-{proposal.pk}"
    # What an earlier try may have done has changed it by that very try: the same key tells. Nothing else may have.
    if not was_sent(proposal.business_id, key) and (overtaken := changed_since(actor, proposal)):
        _settle(proposal, ProposalState.STALE, overtaken, "")
        return
    # From here on nobody withdraws it; whoever did before is not passed over.
    if not _claimed_rows(proposal).update(may_be_sent=True):
        raise _NotOursError
    _settle(proposal, ProposalState.APPLIED, "", carry_out(actor, proposal, key))


def _end_in_doubt(proposal: Proposal, doubt: Unknown) -> None:
    """Sent, and without an answer for so long that its key may be forgotten: nobody will ever learn of it by its key, and
    sent again it might be made twice. What can be seen of its target is told beside it."""
    try:
        overtaken = changed_since(_confirmer(proposal), proposal)
    except FinanceError:
        overtaken = ""
    _settle(proposal, ProposalState.UNKNOWN, f"{ENDED_IN_DOUBT} {overtaken}".strip(), doubt.request_id)


def _settle(proposal: Proposal, state: ProposalState, outcome: str, request_id: str) -> None:
    with transaction.atomic():
        mine = _claimed_rows(proposal).update(
            state=state, outcome=outcome, request_id=request_id[:80], settled_at=timezone.now(), lease_until=None,
            body=proposal.body_without_secrets,
        )  # fmt: skip
        if not mine:
            log.warning("proposal not settled: another worker has claimed it", proposal=proposal.pk, state=state)
        elif state != ProposalState.APPLIED:
            _notify_not_applied(proposal, state, outcome)


def _notify_not_applied(proposal: Proposal, state: ProposalState, outcome: str) -> None:
    """The audit, its proposer and its confirmer: both believe that it is in force from its day on."""
    if proposal.decided_by is None:
        return
    in_doubt = state == ProposalState.UNKNOWN
    did = "does not know whether it applied" if in_doubt else "did not apply"
    record(
        Actor.as_recorded(proposal.decided_by), proposal.operation, target_of(proposal),
        Outcome.UNKNOWN if in_doubt else Outcome.CANCELLED,
        reason=outcome, sentence=f"{did} the proposed {proposal.bare_noun}: {proposal.headline}"[:500],
    )  # fmt: skip
    became = "may or may not have been made" if in_doubt else "was not made"
    message = f"The confirmed {proposal.bare_noun} {became}: {proposal.headline}. {outcome}"
    people = {person.pk: person for person in (proposal.proposed_by, proposal.decided_by)}
    notify(people.values(), ACCESS, message[:500].strip(), key=f"proposal:{proposal.pk}:not-made")


def _record_not_applied(proposal: Proposal, error: FinanceError) -> None:
    log.warning("proposal not applied yet", proposal=proposal.pk, code=error.code)
    _claimed_rows(proposal).update(outcome=error.detail, request_id=error.request_id[:80], lease_until=None)
