"""The steps that deal with what comes again by itself: recurring bills, recurring top-ups of allocations, and rules that categorise."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.categorisation import conditions, rules
from dashboard.categorisation.models import CategoryRule
from dashboard.client.page import parsed
from dashboard.client.reads import read_live
from dashboard.commands.bill_schedules import end_schedule, pause_schedule, schedule_subject
from dashboard.commands.run import FormKey
from dashboard.errors import NotFound
from dashboard.mirror.models import Employee
from dashboard.offboarding.labels import RULE_OFF, RULE_OVER, LeftBehind
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


def category_rules_left(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    """The rules that categorise in an employee's name, in their order: they stop once the employee may not act any more."""
    for row in rules.rules_of_member(actor.business, employee.remote_id):
        title = conditions.sentence_of(row, actor.business.locale)
        yield LeftBehind("category_rule", str(row.pk), title[:300], (RULE_OVER, RULE_OFF))


def _category_rule(actor: Actor, step: OffboardingStep) -> CategoryRule:
    row = CategoryRule.objects.filter(business=actor.business, pk=step.remote_id).first()
    if row is None:
        raise NotFound("It no longer exists.", code="not_found")
    return row


def _take_rule_over(actor: Actor, step: OffboardingStep) -> Carried:
    if rules.take_over(actor, _category_rule(actor, step)):
        return Carried(sentence=f"It runs as {actor.name} now.")
    return Carried(sentence="Somebody has switched it off, and it stays so.", action="off")


def _switch_rule_off(actor: Actor, step: OffboardingStep) -> Carried:
    rules.switch_off(actor, _category_rule(actor, step))
    return Carried()


def _is_rule_anothers(actor: Actor, step: OffboardingStep) -> bool:
    theirs = rules.rules_of_member(actor.business, step.offboarding.employee_id)
    return not theirs.filter(pk=_category_rule(actor, step).pk).exists()


RECURRING: dict[tuple[str, str], StepAction] = {
    ("bill_schedule", "keep"): StepAction(None, _keep_schedule, _never),
    ("bill_schedule", "pause"): StepAction(
        operations_payables.PAUSE_BILL_SCHEDULE, _pause_schedule, lambda actor, step: _schedule(actor, step).status != "ACTIVE"
    ),
    ("bill_schedule", "end"): StepAction(
        operations_payables.END_BILL_SCHEDULE, _end_schedule, lambda actor, step: _schedule(actor, step).status == "ENDED"
    ),
    # Those who may suspend somebody are those who switch rules.
    ("category_rule", "take_over"): StepAction(operations.SUSPEND_EMPLOYEE, _take_rule_over, _is_rule_anothers),
    ("category_rule", "off"): StepAction(operations.SUSPEND_EMPLOYEE, _switch_rule_off, _is_rule_anothers),
    ("top_up", "end"): StepAction(operations.ALLOCATE_FUNDS, _end_top_up, _has_ended),
    ("top_up", "take_over"): StepAction(operations.ALLOCATE_FUNDS, _take_over, _is_anothers),
}  # fmt: skip
