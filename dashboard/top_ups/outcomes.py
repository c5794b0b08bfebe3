"""What became of a run or of a top-up, written down with its line in the audit, and told to whoever has to know."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.client.models import IN_DOUBT, OutboundState
from dashboard.client.outbox import outbound_of
from dashboard.errors import NotFound
from dashboard.mirror.models import Employee
from dashboard.notifications.services import notify
from dashboard.notifications.topics import TOP_UPS
from dashboard.times import day_text, today_of
from dashboard.top_ups import models, services
from dashboard.top_ups.models import UNSETTLED, RunState, TopUp, TopUpRun, TopUpState
from dashboard.top_ups.services import employee_of, top_up_text

MAY_HAVE_BEEN_DONE = IN_DOUBT | {OutboundState.CONFIRMED}


def settle(actor: Actor, top_up: TopUp, row: TopUpRun, state: RunState, sentence: str, request_id: str = "") -> None:
    """Closes a run that a worker has at hand; audited, and a refusal is told. One that is settled already stays."""
    changes: dict[str, Any] = {"state": state, "sentence": sentence[:300], "settled_at": timezone.now()}
    if request_id:
        changes["request_id"] = request_id[:80]
    with transaction.atomic():
        if not TopUpRun.objects.filter(pk=row.pk, state__in=UNSETTLED).update(**changes):
            return
        outcome = Outcome.REFUSED if state == RunState.REFUSED else Outcome.DONE
        line = f"ran the recurring top-up of {top_up.employee_name} {top_up_text(top_up)}: {sentence}"
        record(actor, services.OPERATION, _employee(actor, top_up), outcome, sentence=line[:500])
        if state == RunState.REFUSED:
            message = f"The recurring top-up of {top_up.employee_name} was refused. {sentence}"
            notify([row.by], TOP_UPS, message, key=f"top-up:{top_up.pk}:{row.day}")


def stop(top_up: TopUp, reason: str) -> None:
    """Pauses it, says why, and tells everybody who could resume it."""
    with transaction.atomic():
        if _pause(top_up, reason):
            message = f"The recurring top-up of {top_up.employee_name} is paused. {reason}"
            _notify_allocators(top_up, message, key=f"top-up:{top_up.pk}:paused:{today_of(top_up.business)}")


def leave(top_up: TopUp, row: TopUpRun, why: str) -> None:
    """Leaves a run in doubt to a person, because it cannot be asked about any more; pauses its top-up, and tells."""
    reason = f"It is not known whether the run of {day_text(row.day)} was allocated. {why}"
    actor = Actor.as_recorded(row.by)
    with transaction.atomic():
        if not TopUpRun.objects.filter(pk=row.pk, state__in=UNSETTLED).update(state=RunState.IN_DOUBT):
            return
        line = f"ran the recurring top-up of {top_up.employee_name} {top_up_text(top_up)}: {reason}"
        record(actor, services.OPERATION, _employee(actor, top_up), Outcome.UNKNOWN, sentence=line[:500])
        _pause(top_up, reason)
        message = f"The recurring top-up of {top_up.employee_name}: {reason} Look at their statement, then say on the page of their top-ups whether it was."
        _notify_allocators(top_up, message, key=f"top-up:{top_up.pk}:{row.day}:doubt")


def doubt_of(top_up: TopUp) -> str:
    """What is not known of its open run, in a sentence; "" where nothing is open that may have been done, or may yet be."""
    row = top_up.runs.filter(state__in=models.OPEN).order_by("day").first()
    if row is None:
        return ""
    outbound = outbound_of(top_up.business_id, row.key)
    if row.state == RunState.IN_DOUBT:
        return f"It is not known whether the run of {day_text(row.day)} was allocated."
    held = TopUp.objects.filter(pk=top_up.pk).exclude(lease_id=None).exists()
    if row.state == RunState.SENDING and not held and (outbound is None or outbound.state not in MAY_HAVE_BEEN_DONE):
        return ""
    return f"The run of {day_text(row.day)} is not settled: it may have been allocated, or may still be."


def is_over(top_up: TopUp) -> bool:
    """Whether an active one has no day left on which it may run."""
    last = top_up.last_on
    active = top_up.state == TopUpState.ACTIVE
    return active and last is not None and max(top_up.next_on, today_of(top_up.business)) > last


def end_as_over(top_up: TopUp) -> None:
    """Ends one whose end date has come; audited."""
    reason = f"Its end date was {day_text(top_up.last_on)}." if top_up.last_on else "Its end date has come."
    # By the terms that were claimed: one that was prolonged meanwhile has another lease.
    claimed = TopUp.objects.filter(pk=top_up.pk, state=TopUpState.ACTIVE, lease_id=top_up.lease_id)
    if claimed.update(state=TopUpState.ENDED, reason=reason):
        line = f"ended the recurring top-up of {top_up.employee_name}: {reason}"
        record(Actor.as_recorded(top_up.by), services.OPERATION, None, Outcome.NOTED, sentence=line[:500])


def _pause(top_up: TopUp, reason: str) -> bool:
    active = TopUp.objects.filter(pk=top_up.pk, state=TopUpState.ACTIVE)
    if not active.update(state=TopUpState.PAUSED, reason=reason[:300]):
        return False
    line = f"paused the recurring top-up of {top_up.employee_name}: {reason}"
    record(Actor.as_recorded(top_up.by), services.OPERATION, None, Outcome.NOTED, sentence=line[:500])
    return True


def _notify_allocators(top_up: TopUp, message: str, *, key: str) -> None:
    roles = operations.ALLOCATE_FUNDS.roles
    members = Membership.objects.filter(business=top_up.business, is_active=True, role__in=roles)
    notify(list(members.select_related("user")), TOP_UPS, message, key=key)


def _employee(actor: Actor, top_up: TopUp) -> Employee | None:
    # Whoever it is for may be gone by now: what became of the money is written down all the same.
    try:
        return employee_of(actor, top_up)
    except NotFound:
        return None
