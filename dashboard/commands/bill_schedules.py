"""Recurring bills: adding one, pausing, resuming and ending it.

Raises what `run` raises; what the service refuses stands on the form. The copy holds none of them. Beside the interface.
"""

from django import forms

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject
from dashboard.commands.run import CommandResult, Key, run
from dashboard.errors import FAILED, NotFound
from dashboard.schemas.bill_schedules import BillSchedule, BillScheduleBody

REFUSALS = (*FAILED, NotFound)
NAMES = {"subcategory_id": "subcategory"}


def schedule_subject(actor: Actor, id: str, title: str) -> Subject:  # noqa: A002  as Subject names it
    """What a rule and the audit must know of a recurring bill."""
    return Subject(business_id=actor.business.pk, kind="bill_schedule", id=id, title=title)


def create_schedule(
    actor: Actor, body: BillScheduleBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Adds a recurring bill. Answers with it."""
    subject = schedule_subject(actor, "", str(body.get("number_prefix") or ""))
    return run(
        actor,
        operations_payables.CREATE_BILL_SCHEDULE,
        subject,
        body,
        key=key,
        form=form,
        names=NAMES,
        refusals=REFUSALS,
    )


def pause_schedule(actor: Actor, schedule: BillSchedule, *, key: Key) -> CommandResult:
    """Enters no bill of it until it is resumed. Answers with it."""
    return _change(actor, operations_payables.PAUSE_BILL_SCHEDULE, schedule, key)


def resume_schedule(actor: Actor, schedule: BillSchedule, *, key: Key) -> CommandResult:
    """Enters its bills again, from the next day on. Answers with it."""
    return _change(actor, operations_payables.RESUME_BILL_SCHEDULE, schedule, key)


def end_schedule(actor: Actor, schedule: BillSchedule, *, key: Key) -> CommandResult:
    """Ends it for good; its bills stay. Answers with it."""
    return _change(actor, operations_payables.END_BILL_SCHEDULE, schedule, key)


def _change(actor: Actor, operation: Operation, schedule: BillSchedule, key: Key) -> CommandResult:
    subject = schedule_subject(actor, schedule.id, schedule.number_prefix)
    return run(actor, operation, subject, key=key, path={"id": schedule.id}, refusals=REFUSALS)
