"""Dead ends of a workflow before it is saved: a step that nobody, or too few, could complete; and workflows never reached.

Who is there is what the desk asks of a request that waits (delegation/presence.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dashboard.delegation.kinds import DECIDED_BY
from dashboard.delegation.presence import Presence
from dashboard.policies.findings import RuleFinding
from dashboard.policies.names import Names
from dashboard.policies.policy_text import listed_with
from dashboard.policies.routing import StepSeats, lacking, step_seats
from dashboard.policies.rulebook import Rulebook
from dashboard.schemas.workflows import Conditions, Workflow

MOST_NAMED = 3


def workflow_findings(workflow: Workflow, rulebook: Rulebook, presence: Presence) -> list[RuleFinding]:
    """What stands against an active workflow, the gravest first; [] for one that is taken out of use."""
    if not workflow.active:
        return []
    names = rulebook.names
    findings = list(_named_in_vain(workflow, names))
    short = lacking(step_seats(workflow.steps, names.approvers))
    if short is not None:
        findings.append(RuleFinding(f"Nobody could complete it: {_lack(workflow, short)}."))
    else:
        findings += _away(workflow, names, presence)
        findings += _makers(workflow, names)
    findings += _never_reached(workflow, rulebook)
    return findings


def _lack(workflow: Workflow, step_seats: StepSeats) -> str:
    place = sorted(row.order for row in workflow.steps).index(step_seats.order) + 1
    able = len(step_seats.employee_ids)
    people = "nobody" if not able else f"only {able} {'person' if able == 1 else 'people'}"
    return (
        f"step {place} needs {step_seats.needed} approval{'s' * (step_seats.needed != 1)}, and {people} could give them"
    )


def _named_in_vain(workflow: Workflow, names: Names) -> Iterator[RuleFinding]:
    """Who is named in a step and cannot vote: not an active approver any more."""
    named = {employee_id for step in workflow.steps for employee_id in step.approver_ids or ()}
    unable = sorted(names.person(employee_id) for employee_id in named - set(names.approvers))
    if unable:
        yield RuleFinding(f"{listed_with(unable)} cannot vote: only active approvers can.")


def _away(workflow: Workflow, names: Names, presence: Presence) -> list[RuleFinding]:
    """Whether those who are there now could complete it."""
    operation = DECIDED_BY["approval"]
    reasons = {
        employee_id: why
        for employee_id in names.approvers
        if (why := presence.missing(employee_id, operation, "approval", None, ""))
    }
    there = [employee_id for employee_id in names.approvers if employee_id not in reasons]
    short = lacking(step_seats(workflow.steps, there))
    if short is None:
        return []
    whole = {step.order: step for step in step_seats(workflow.steps, names.approvers)}
    absent = [f"{names.person(seat)} {reasons[seat]}" for seat in whole[short.order].employee_ids if seat in reasons]
    return [RuleFinding(f"Nobody could complete it now: {_lack(workflow, short)}: {'; '.join(absent[:MOST_NAMED])}.")]


def _makers(workflow: Workflow, names: Names) -> list[RuleFinding]:
    """Whose own items nobody could complete: whoever makes, edits or requests an item never votes on it."""
    stranded = [
        names.person(employee_id)
        for employee_id in names.approvers
        if lacking(step_seats(workflow.steps, names.approvers, {employee_id})) is not None
    ]
    if not stranded:
        return []
    short = [*stranded[:MOST_NAMED], f"{len(stranded) - MOST_NAMED} more"] if len(stranded) > MOST_NAMED else stranded
    who = listed_with(short, "or")
    return [
        RuleFinding(f"Where {who} requested or made the item, nobody could complete it: nobody votes on their own.")
    ]


def _never_reached(workflow: Workflow, rulebook: Rulebook) -> list[RuleFinding]:
    order = [row for row in rulebook.with_workflow(workflow).workflows if row.active]
    same = sorted(
        (row for row in order if row.action_type == workflow.action_type), key=lambda row: (row.priority, row.id)
    )
    place = next(index for index, row in enumerate(same) if row.id == workflow.id)
    findings = [_hidden(workflow, row) for row in same[:place] if is_within(workflow.conditions, row.conditions)]
    return findings[:1] + [
        _hidden(row, workflow) for row in same[place + 1 :] if is_within(row.conditions, workflow.conditions)
    ]


def _hidden(hidden: Workflow, first: Workflow) -> RuleFinding:
    text = f"“{hidden.name}” is never reached: “{first.name}” comes first and matches all that it matches."
    return RuleFinding(text, grave=False)


def is_within(narrow: Conditions, wide: Conditions) -> bool:
    """Whether all that meets the narrow conditions meets the wide ones."""
    if wide.currency and wide.currency != narrow.currency:
        return False
    if wide.min_amount_minor is not None and (narrow.min_amount_minor or 0) < wide.min_amount_minor:
        return False
    most = narrow.max_amount_minor
    if wide.max_amount_minor is not None and (most is None or most > wide.max_amount_minor):
        return False
    pairs: Sequence[tuple[list[str], list[str]]] = (
        (wide.team_ids, narrow.team_ids),
        (wide.subcategory_ids, narrow.subcategory_ids),
        (wide.vendor_ids, narrow.vendor_ids),
    )
    # A bill may be of several subcategories: of those the narrow one names, each must be among the wide one's.
    return all(not accepted or (bool(given) and set(given) <= set(accepted)) for accepted, given in pairs)
