"""Applying what a second admin has confirmed: as that admin, through the gate, once, when its day has come."""

from datetime import timedelta

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import AlreadyDone, Conflict, FinanceError, TooMany, Unavailable, Unknown
from dashboard.notifications.services import notify
from dashboard.notifications.topics import ACCESS
from dashboard.proposals import members, override_roles, single_sign_on
from dashboard.proposals.four_eyes import switch_off
from dashboard.proposals.models import (
    CHANGE_OVERRIDE_ROLES,
    CHANGE_SINGLE_SIGN_ON,
    OF_MEMBERS,
    SWITCH_OFF,
    Proposal,
    State,
)
from dashboard.proposals.selectors import target_of
from dashboard.proposals.services import carry_out, changed_since

log = structlog.get_logger(__name__)

LEASE = timedelta(minutes=2)
AT_ONCE = 50
# Answers of 409 that tell of no other change: the service does not want this one.
REFUSALS = frozenset({"approvers_insufficient", "duplicate", "in_use", "no_break_glass"})


def due_proposals() -> list[int]:
    """Those that are confirmed, whose day has come and that nobody is at."""
    now = timezone.now()
    waiting = Proposal.objects.filter(Q(effective_at=None) | Q(effective_at__lte=now), state=State.CONFIRMED)
    free = waiting.filter(Q(lease_until=None) | Q(lease_until__lt=now))
    return list(free.order_by("decided_at").values_list("pk", flat=True)[:AT_ONCE])


def apply_proposal(proposal_id: int) -> None:
    """Applies one, if it is due and nobody else is at it. What cannot be reached now is tried again."""
    proposal = _claimed(proposal_id)
    if proposal is None:
        return
    try:
        _apply(proposal)
    except Unknown as doubt:
        _note(proposal, doubt)
    except (Unavailable, TooMany) as away:
        _mine(proposal).update(may_be_sent=proposal.may_be_sent)
        _note(proposal, away)
    except AlreadyDone as before:
        _settle(proposal, State.APPLIED, "", before.request_id)
    except Conflict as other:
        state = State.REFUSED if other.code in REFUSALS else State.STALE
        _settle(proposal, state, other.detail, other.request_id)
    except FinanceError as refused:
        _settle(proposal, State.REFUSED, refused.detail, refused.request_id)


def _claimed(proposal_id: int) -> Proposal | None:
    now = timezone.now()
    due = Q(effective_at=None) | Q(effective_at__lte=now)
    free = Q(lease_until=None) | Q(lease_until__lt=now)
    mine = Proposal.objects.filter(due, free, pk=proposal_id, state=State.CONFIRMED).update(lease_until=now + LEASE)
    rows = Proposal.objects.select_related("business", "decided_by__user", "decided_by__business", "proposed_by__user")
    return rows.get(pk=proposal_id) if mine else None


def _apply(proposal: Proposal) -> None:
    if proposal.decided_by is None:
        raise ValueError("nobody has confirmed this")
    actor = Actor.for_membership(proposal.decided_by, fresh=True)
    if proposal.operation == SWITCH_OFF:
        switch_off(actor)
        _settle(proposal, State.APPLIED, "", "")
        return
    # Where an earlier try may have done it, the policy may have changed by that very try: the same key tells.
    if not proposal.may_be_sent and (overtaken := changed_since(actor, proposal)):
        if _settle(proposal, State.STALE, overtaken, ""):
            record(
                actor, proposal.operation, target_of(proposal), Outcome.CANCELLED, reason=overtaken,
                sentence=f"did not apply the proposed {proposal.bare_noun}: {proposal.headline}"[:500],
            )  # fmt: skip
        return
    # Withdrawn while the service was asked, or claimed by another: nothing is sent.
    if not _mine(proposal).update(may_be_sent=True):
        return
    if proposal.operation == CHANGE_OVERRIDE_ROLES:
        override_roles.carry_out(actor, proposal)
        request_id = ""
    elif proposal.operation == CHANGE_SINGLE_SIGN_ON:
        single_sign_on.carry_out(actor, proposal)
        request_id = ""
    elif proposal.operation in OF_MEMBERS:
        members.carry_out(actor, proposal)
        request_id = ""
    else:
        request_id = carry_out(actor, proposal, f"proposal-{proposal.pk}")
    _settle(proposal, State.APPLIED, "", request_id)


def _mine(proposal: Proposal) -> QuerySet[Proposal]:
    """The row as long as it is confirmed and under the lease that it was claimed with."""
    return Proposal.objects.filter(pk=proposal.pk, state=State.CONFIRMED, lease_until=proposal.lease_until)


def _settle(proposal: Proposal, state: State, outcome: str, request_id: str) -> bool:
    """Whether it was this worker's to settle: not one that was withdrawn, or claimed by another, meanwhile. Of one that was
    not made its proposer and whoever confirmed it are told: they believe that it is in force."""
    with transaction.atomic():
        settled = _mine(proposal).update(
            state=state, outcome=outcome, request_id=request_id[:80], settled_at=timezone.now(), lease_until=None
        )
        if settled and state != State.APPLIED:
            concerned = {row.pk: row for row in (proposal.proposed_by, proposal.decided_by) if row is not None}
            message = f"The confirmed {proposal.bare_noun} was not made: {proposal.headline}. {outcome}"
            notify(list(concerned.values()), ACCESS, message[:500].strip(), key=f"proposal:{proposal.pk}:not-made")
    return bool(settled)


def _note(proposal: Proposal, error: FinanceError) -> None:
    log.warning("proposal not applied yet", proposal=proposal.pk, code=error.code)
    _mine(proposal).update(outcome=error.detail, request_id=error.request_id[:80], lease_until=None)
