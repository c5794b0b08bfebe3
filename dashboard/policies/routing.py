"""Which approval workflow an item falls under, and whether its votes could be given: pure functions, as the service decides
(decisions B.9, service rules for steps: nobody votes twice, whoever made the item never votes)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dashboard.schemas.workflows import Conditions, Step, Workflow


@dataclass(frozen=True, slots=True)
class RoutedFacts:
    """What conditions are compared with: an amount in minor units, and what it is about (a bill may be of several)."""

    amount_minor: int
    currency: str
    team_ids: frozenset[str] = frozenset()
    subcategory_ids: frozenset[str] = frozenset()
    vendor_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class StepSeats:
    """A step with the people who could vote in it, and how many votes it needs."""

    order: int
    needed: int
    employee_ids: tuple[str, ...]


def in_order(workflows: Iterable[Workflow], action_type: int) -> list[Workflow]:
    """The active workflows of an action type, in the order in which they are compared."""
    active = (workflow for workflow in workflows if workflow.active and workflow.action_type == action_type)
    return sorted(active, key=lambda workflow: (workflow.priority, workflow.id))


def route(routed_facts: RoutedFacts, workflows: Iterable[Workflow]) -> Workflow | None:
    """The first workflow, of those in order, whose conditions the facts meet; None where none matches."""
    return next((workflow for workflow in workflows if meets(workflow.conditions, routed_facts)), None)


def meets(conditions: Conditions, routed_facts: RoutedFacts) -> bool:
    """Whether facts meet conditions: everything that is given must hold."""
    if conditions.currency and conditions.currency != routed_facts.currency:
        return False
    least, most = conditions.min_amount_minor, conditions.max_amount_minor
    if least is not None and routed_facts.amount_minor < least:
        return False
    if most is not None and routed_facts.amount_minor > most:
        return False
    named = (
        (conditions.team_ids, routed_facts.team_ids),
        (conditions.subcategory_ids, routed_facts.subcategory_ids),
        (conditions.vendor_ids, routed_facts.vendor_ids),
    )
    return all(not accepted or not given.isdisjoint(accepted) for accepted, given in named)


def step_seats(
    steps: Sequence[Step], approvers: Sequence[str], makers: Collection[str] = (), *, reviewers: Collection[str] = ()
) -> list[StepSeats]:
    """The steps with the people of `approvers` who could vote in each: those it names, or, of a step by role, whoever no
    step names; never a maker. Where a step asks the `reviewers` of the spender's team, they sit in no step of all."""
    named = {employee_id for step in steps for employee_id in step.approver_ids or ()}
    reviewing = {*reviewers} - named if any(step.by_reviewers for step in steps) else set()
    able = [employee_id for employee_id in approvers if employee_id not in makers]
    return [
        StepSeats(
            step.order,
            step.min_approvals,
            tuple(employee_id for employee_id in able if _sits(employee_id, step, named, reviewing)),
        )
        for step in sorted(steps, key=lambda step: step.order)
    ]


def _sits(employee_id: str, workflow_step: Step, named: Collection[str], reviewing: Collection[str]) -> bool:
    if workflow_step.approver_ids is not None:
        return employee_id in workflow_step.approver_ids
    if workflow_step.by_reviewers:
        return employee_id in reviewing
    return employee_id not in named and employee_id not in reviewing


def reviewers_to_try(steps: Iterable[Step], reviewers: Mapping[str, frozenset[str]]) -> set[frozenset[str]]:
    """The reviewers with whom steps are to be tried: those of each team where a step asks them, else nobody once."""
    return set(reviewers.values()) if any(step.by_reviewers for step in steps) else {frozenset()}


def lacking(seats: Iterable[StepSeats]) -> StepSeats | None:
    """The first step that asks for more votes than its people could give; None where every step can be completed. Steps
    by role share their people, who vote once."""
    needed: dict[frozenset[str], int] = {}
    for step in seats:
        people = frozenset(step.employee_ids)
        needed[people] = needed.get(people, 0) + step.needed
        if needed[people] > len(people):
            return step
    return None


def votes_of(workflow: Workflow) -> int:
    """How many votes a workflow asks for in all."""
    return sum(step.min_approvals for step in workflow.steps)
