"""The steps that deal with what comes again by itself: recurring bills, and recurring top-ups of allocations."""

from __future__ import annotations

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.client.page import parsed
from dashboard.client.reads import read_live
from dashboard.commands.bill_schedules import end_schedule, pause_schedule, schedule_subject
from dashboard.commands.run import FormKey
from dashboard.errors import NotFound
from dashboard.offboarding.models import OffboardingStep
from dashboard.offboarding.outcome import Carried, StepAction
from dashboard.schemas.bill_schedules import BillSchedule
from dashboard.top_ups import services as top_ups
from dashboard.top_ups.models import TopUp, TopUpState

READ_S = 4.0


def _schedule(actor: Actor, step: OffboardingStep) -> BillSchedule:
    path, subject = {"id": step.remote_id}, schedule_subject(actor, step.remote_id, step.title)
    answer = read_live(actor, operations_payables.READ_BILL_SCHEDULE, path=path, subject=subject, deadline=READ_S)
    return parsed(answer.data, BillSchedule)


def _pause_schedule(actor: Actor, step: OffboardingStep) -> Carried:
    return Carried(pause_schedule(actor, _schedule(actor, step), key=FormKey(step.key)).request_id)


def _end_schedule(actor: Actor, step: OffboardingStep) -> Carried:
    return Carried(end_schedule(actor, _schedule(actor, step), key=FormKey(step.key)).request_id)


def _keep_schedule(actor: Actor, step: OffboardingStep) -> Carried:
    return Carried(sentence="It belongs to the business, and was left as it is.")


def _never(actor: Actor, step: OffboardingStep) -> bool:
    return False


def _top_up(actor: Actor, step: OffboardingStep) -> TopUp:
    row = top_ups.visible_top_ups(actor).filter(pk=step.remote_id).first()
    if row is None:
        raise NotFound("It no longer exists.", code="not_found")
    return row


def _end_top_up(actor: Actor, step: OffboardingStep) -> Carried:
    top_ups.end(actor, _top_up(actor, step))
    return Carried()


def _has_ended(actor: Actor, step: OffboardingStep) -> bool:
    return _top_up(actor, step).state == TopUpState.ENDED


def _take_over(actor: Actor, step: OffboardingStep) -> Carried:
    row = _top_up(actor, step)
    top_ups.edit(
        actor, row, target_minor=row.target_minor, interval=row.interval, day=row.day, last_on=row.last_on
    )  # fmt: skip
    return Carried(sentence=f"It runs as {actor.name} now." if row.state == TopUpState.ACTIVE else "It is paused.")


def _is_anothers(actor: Actor, step: OffboardingStep) -> bool:
    row = _top_up(actor, step)
    return row.state == TopUpState.ENDED or row.by.employee_id != step.offboarding.employee_id


RECURRING: dict[tuple[str, str], StepAction] = {
    ("bill_schedule", "keep"): StepAction(None, _keep_schedule, _never),
    ("bill_schedule", "pause"): StepAction(
        operations_payables.PAUSE_BILL_SCHEDULE, _pause_schedule, lambda actor, step: _schedule(actor, step).status != "ACTIVE"
    ),
    ("bill_schedule", "end"): StepAction(
        operations_payables.END_BILL_SCHEDULE, _end_schedule, lambda actor, step: _schedule(actor, step).status == "ENDED"
    ),
    ("top_up", "end"): StepAction(operations.ALLOCATE_FUNDS, _end_top_up, _has_ended),
    ("top_up", "take_over"): StepAction(operations.ALLOCATE_FUNDS, _take_over, _is_anothers),
}  # fmt: skip
