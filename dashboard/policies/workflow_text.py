"""Approval workflows in words: what each is for, its steps, and what a change makes of it."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.money import text
from dashboard.policies.names import Names
from dashboard.policies.policy_text import listed_with
from dashboard.schemas.workflows import OF_BILLS, Conditions, Step, Workflow

KINDS = {3: "Bills", 11: "Spend policies"}
STATES = {True: ("Active", "ok"), False: ("Inactive", "")}
MOST_NAMED = 4


def workflow_kind(action_type: int) -> str:
    """What a workflow is for: "Bills" or "Spend policies"."""
    return KINDS.get(action_type, f"type {action_type}")


def conditions_text(workflow: Workflow, names: Names) -> str:
    """What a workflow is for, as a sentence: "Bill payments of KES 10,000.00 or more, of team Field sales."""
    conditions = workflow.conditions
    noun = "Bill payments" if workflow.action_type == OF_BILLS else "Items that a spend policy sends for approval"
    parts = [
        _amounts(conditions, names),
        _any_of("of the team", [names.team(team_id) for team_id in conditions.team_ids]),
        _any_of("categorised under", [names.subcategory(filed) for filed in conditions.subcategory_ids]),
        _any_of("to", [names.vendor(vendor_id) for vendor_id in conditions.vendor_ids]),
    ]
    narrowed = ", ".join(filter(None, parts))
    return f"{noun} {narrowed}." if narrowed else f"All {noun[0].lower()}{noun[1:]}."


def _any_of(word: str, terms: list[str]) -> str:
    return f"{word} {listed_with(terms, 'or')}" if terms else ""


def _amounts(conditions: Conditions, names: Names) -> str:
    currency, least, most = conditions.currency, conditions.min_amount_minor, conditions.max_amount_minor
    low = None if least is None else text(least, currency, names.locale)
    high = None if most is None else text(most, currency, names.locale)
    if low and high:
        return f"from {low} to {high}"
    if low:
        return f"of {low} or more"
    return f"of at most {high}" if high else f"in {currency}" if currency else ""


def step_text(workflow_step: Step, names: Names, others: Sequence[Step] = ()) -> str:
    """A step as a sentence: "2 of Apollo, Juma and Zawadi approve."; whom the `others` name, or ask as reviewers, does not vote
    in a step by role, and that is said there."""
    votes = workflow_step.min_approvals
    if workflow_step.approver_ids is None:
        noun = "reviewer" if workflow_step.by_reviewers else "approver"
        who = f"Any {noun}" if votes == 1 else f"Any {votes} {noun}s"
        whose = " of the spender's team" if workflow_step.by_reviewers else ""
        return f"{who}{whose} approve{'s' if votes == 1 else ''}{_apart(workflow_step, others)}."
    people = [names.person(employee_id) for employee_id in workflow_step.approver_ids]
    if len(people) == votes:
        return f"{listed_with(people)} approve{'s' if votes == 1 else ''}."
    more = len(people) - MOST_NAMED
    short = [*people[:MOST_NAMED], f"{more} more"] if more > 1 else people
    return f"{votes} of {listed_with(short)} approve{'s' if votes == 1 else ''}."


def _apart(workflow_step: Step, others: Sequence[Step]) -> str:
    apart = ["those named in another step"] * any(row.approver_ids for row in others)
    if not workflow_step.by_reviewers:
        apart += ["the reviewers of the spender's team"] * any(row.by_reviewers for row in others)
    return f", apart from {listed_with(apart)}" if apart else ""


def sentences_of(workflow: Workflow, names: Names) -> list[str]:
    """The workflow in words: what it is for, then each step."""
    steps = sorted(workflow.steps, key=lambda step: step.order)
    numbered = [f"Step {place}: {step_text(step, names, steps)}" for place, step in enumerate(steps, 1)]
    return [conditions_text(workflow, names), *numbered]


def differences(before: Workflow, after: Workflow, names: Names) -> list[str]:
    """What a change makes of a workflow, sentence by sentence; [] where nothing changes."""
    changes = [
        f"{what}: {was} becomes {becomes}."
        for what, was, becomes in (
            ("Name", before.name, after.name),
            ("For", conditions_text(before, names).rstrip("."), conditions_text(after, names).rstrip(".")),
            ("Priority", str(before.priority), str(after.priority)),
            ("Status", STATES[before.active][0].lower(), STATES[after.active][0].lower()),
        )
        if was != becomes
    ]
    were, become = sentences_of(before, names)[1:], sentences_of(after, names)[1:]
    for place in range(max(len(were), len(become))):
        if place >= len(become):
            changes.append(f"Step {place + 1} is removed: {were[place].partition(': ')[2]}")
        elif place >= len(were):
            changes.append(f"Step {place + 1} is added: {become[place].partition(': ')[2]}")
        elif were[place] != become[place]:
            changes.append(f"Step {place + 1} becomes: {become[place].partition(': ')[2]}")
    return changes
