"""Offboardings carried out by a worker that may be killed between any two steps: each step is sent under a key of its own.

A step is marked, with what is sent, before it leaves: whoever takes over sends the same under the same key. What was sent
and not answered stays UNKNOWN, and is asked about under its key until an answer or a look at the thing settles it.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.models import Membership
from dashboard.access.roles import OWNING
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.client.models import OutboundOperation
from dashboard.client.outbox import settle_by_reading
from dashboard.errors import AlreadyDone, FinanceError, NotAllowed, NotFound, TooMany, Unavailable, Unknown
from dashboard.notifications.services import notify
from dashboard.notifications.topics import ACCESS
from dashboard.offboarding.actions import step_action_of
from dashboard.offboarding.labels import for_roles
from dashboard.offboarding.models import Offboarding, OffboardingStep
from dashboard.offboarding.outcome import GONE, SO_ALREADY, Carried, StepAction
from dashboard.proposals.models import Proposal, ProposalState
from dashboard.worker_lease import LeaseLostError, claim, is_free, release, renew

log = structlog.get_logger(__name__)

StepState = OffboardingStep.State
LOST_AFTER = timedelta(seconds=60)
# What a worker does something about by itself; the rest needs a person.
OPEN = (StepState.WAITING, StepState.SENDING, StepState.UNKNOWN, StepState.PROPOSED)
LONGEST_PAUSE_S = 3600


def run(offboarding_id: uuid.UUID | str, *, only: int | None = None) -> bool:
    """Carries out what is due of an offboarding, of the step `only` where one is named; False where another worker has it."""
    rows = Offboarding.objects.select_related("business", "started_by__user", "started_by__business")
    job = claim(rows, offboarding_id, Q(finished_at=None), lost_after=LOST_AFTER)
    if job is None:
        return False
    try:
        _end(job, _carry_out_due(job, only))
    except LeaseLostError:
        return False
    return True


def _carry_out_due(offboarding: Offboarding, only: int | None) -> str:
    """Carries out the steps that are due; why it could not go on to the last, "" where it did."""
    try:
        # What needs no answer of the service waits for none: access here ends first.
        for step in sorted(_due(offboarding, only), key=lambda step: step.kind != "membership"):
            renew(offboarding)
            if not _blocked(offboarding, step):
                _carry_out_as_planned(step)
    except (Unavailable, TooMany) as away:
        log.warning("offboarding waits", offboarding=str(offboarding.pk), trouble=type(away).__name__)
        return away.detail
    return ""


def has_due() -> bool:
    """Whether a worker has something to do in any offboarding."""
    return bool(due())


def due() -> list[str]:
    """Ids of the offboardings in which a worker has something to do, and nobody is at it."""
    now = timezone.now()
    steps = Q(steps__state__in=OPEN) & (Q(steps__due_at=None) | Q(steps__due_at__lte=now))
    rows = Offboarding.objects.filter(is_free(LOST_AFTER), steps, finished_at=None).distinct()
    return [str(pk) for pk in rows.values_list("pk", flat=True)]


def _due(offboarding: Offboarding, only: int | None) -> Sequence[OffboardingStep]:
    now = timezone.now()
    rows = offboarding.steps.filter(Q(due_at=None) | Q(due_at__lte=now), state__in=OPEN).order_by("number")
    rows = rows if only is None else rows.filter(number=only)
    # Each knows the offboarding as this worker has claimed it: read anew it might hold another one's lease.
    return list(rows.select_related("by__user", "by__business"))


def _blocked(offboarding: Offboarding, step: OffboardingStep) -> bool:
    return bool(step.after) and not offboarding.steps.filter(number=step.after, state=StepState.DONE).exists()


def _carry_out_as_planned(step: OffboardingStep) -> None:
    """As whoever it was given to, as they stand now."""
    try:
        actor = Actor.for_membership(step.by, fresh=True)
    except NotAllowed as ended:
        return _settle(step, StepState.FOR_ANOTHER, f"{step.by.user} can no longer do this. {ended.detail}")
    return carry_out(actor, step)


def carry_out(actor: Actor, step: OffboardingStep) -> None:
    """Carries out one step, and writes down what came of it. Unavailable and TooMany where the service cannot be asked
    now: the step is as it was. LeaseLostError where another worker has its offboarding."""
    action, tried = step_action_of(step), step.tries
    if action.operation is not None and not can_open(actor, action.operation):
        return _settle(step, StepState.FOR_ANOTHER, for_roles(action.operation.roles))
    if step.proposal_id is not None:
        return _follow(step)
    try:
        if not tried and (so_already := _done_before(actor, action, step)):
            return _settle(step, StepState.DONE, so_already)
        data = step.data or action.prepare(actor, step)
        _settle(step, StepState.SENDING, data=data, tries=tried + 1)
        carried = action.carry_out(actor, step)
    except (Unavailable, TooMany):
        _settle(step, StepState.SENDING if tried else StepState.WAITING, tries=tried)
        raise
    except AlreadyDone as before:
        return _settle(step, StepState.DONE, request_id=before.request_id)
    except Unknown as doubt:
        return _doubt(actor, action, step, doubt)
    except NotAllowed as denied:
        state = StepState.REFUSED if denied.request_id else StepState.FOR_ANOTHER
        return _settle(step, state, denied.explanation, request_id=denied.request_id)
    except FinanceError as refusal:
        # Sent before by a worker that was lost, and so it is now: that was done.
        so_already = _done_before(actor, action, step) if tried else ""
        return _settle(
            step,
            StepState.DONE if so_already else StepState.REFUSED,
            so_already or refusal.explanation,
            refusal.request_id,
        )
    return _carried(step, carried)


def _done_before(actor: Actor, step_action: StepAction, step: OffboardingStep) -> str:
    """That it is so already, or that there is nothing any more to do it to, in a sentence; "" where it is to be done."""
    try:
        return SO_ALREADY if step_action.is_done(actor, step) else ""
    except NotFound:
        return GONE


def _doubt(actor: Actor, step_action: StepAction, step: OffboardingStep, doubt: Unknown) -> None:
    try:
        so_already = _done_before(actor, step_action, step)
    except FinanceError:
        # Nobody could look: the doubt stays what it is.
        so_already = ""
    if not so_already:
        pause = timedelta(seconds=min(5 * 2 ** min(step.tries, 10), LONGEST_PAUSE_S))
        return _settle(
            step, StepState.UNKNOWN, doubt.happened, request_id=doubt.request_id, due_at=timezone.now() + pause
        )
    sent = OutboundOperation.objects.filter(business=actor.business, key__endswith=f"-{step.key}")
    for key in {*sent.values_list("key", flat=True), doubt.sent_key} - {""}:
        settle_by_reading(actor.business.pk, key, done=True)
    return _settle(step, StepState.DONE, so_already, request_id=doubt.request_id)


def _carried(step: OffboardingStep, carried: Carried) -> None:
    if carried.proposal_id is not None:
        return _settle(step, StepState.PROPOSED, proposal_id=carried.proposal_id)
    instead = {"action": carried.action, "heir_id": "", "heir_name": ""} if carried.action else {}
    return _settle(step, StepState.DONE, carried.sentence, request_id=carried.request_id, **instead)


def _follow(step: OffboardingStep) -> None:
    """A proposed step stands as its proposal does."""
    proposal = Proposal.objects.filter(pk=step.proposal_id or 0).first()
    if proposal is None or not (proposal.is_open or proposal.state == ProposalState.APPLIED):
        why = f"The proposal ended: {proposal.get_state_display().lower()}." if proposal else "The proposal is gone."
        outcome = proposal.outcome if proposal else ""
        return _settle(step, StepState.REFUSED, f"{why} {outcome}".strip())
    if proposal.is_open:
        return None
    return _settle(step, StepState.DONE, "A second admin has confirmed it.", request_id=proposal.request_id)


def _settle(
    step: OffboardingStep, state: OffboardingStep.State, sentence: str = "", request_id: str = "", **more: Any
) -> None:
    settled = None if state in OPEN else timezone.now()
    changes = {
        "state": state, "sentence": sentence[:500], "request_id": request_id[:80], "due_at": None, "settled_at": settled,
    } | more  # fmt: skip
    # A worker that was only slow writes nothing over what its successor has found out.
    with transaction.atomic():
        renew(step.offboarding)
        OffboardingStep.objects.filter(pk=step.pk).update(**changes)
    for name, value in changes.items():
        setattr(step, name, value)


def _end(offboarding: Offboarding, trouble: str) -> None:
    """Releases it; finished where nothing is left, and else whoever has to do something about it is told."""
    left = list(offboarding.steps.exclude(state=StepState.DONE))
    now = timezone.now()
    with transaction.atomic():
        release(offboarding, trouble=trouble[:400], finished_at=None if left else now)
        if not left:
            actor, count = Actor.as_recorded(offboarding.started_by), offboarding.steps.count()
            sentence = f"finished offboarding {offboarding.employee_name}: nothing is left of {count} steps"
            record(actor, "offboarding", None, Outcome.DONE, sentence=sentence)
            notify(
                [offboarding.started_by],
                ACCESS,
                f"{offboarding.employee_name} is offboarded.",
                key=f"offboarding:{offboarding.pk}",
            )
        for step in left:
            _ask_others(offboarding, step)


def _ask_others(offboarding: Offboarding, step: OffboardingStep) -> None:
    """Whoever has the role that a step needs is told once; of one that was refused, everybody who offboards, once for each
    try. What no operation decides on needs a super admin: a proposal about members, say."""
    operation = step_action_of(step).operation
    if step.state == StepState.REFUSED:
        _notify_of_refusal(offboarding, step)
    if step.state != StepState.FOR_ANOTHER:
        return
    roles = operation.roles if operation else OWNING
    members = Membership.objects.filter(business=offboarding.business, is_active=True, role__in=roles)
    others = members.exclude(employee_id=offboarding.employee_id).select_related("user")
    message = f"The offboarding of {offboarding.employee_name} needs you: {step.title}."
    notify(list(others), ACCESS, message[:500], key=f"offboarding:{offboarding.pk}:{step.number}")


def _notify_of_refusal(offboarding: Offboarding, step: OffboardingStep) -> None:
    roles = operations.SUSPEND_EMPLOYEE.roles
    members = Membership.objects.filter(business=offboarding.business, is_active=True, role__in=roles)
    others = members.exclude(employee_id=offboarding.employee_id).select_related("user")
    message = f"The offboarding of {offboarding.employee_name} is stuck: {step.title}. {step.sentence}"
    key = f"offboarding:{offboarding.pk}:{step.number}:refused:{step.attempt}"
    notify(list(others), ACCESS, message[:500].strip(), key=key)
