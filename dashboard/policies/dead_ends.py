"""Dead ends of a workflow before it is saved: a step that nobody, or too few, could complete; and workflows never reached.

Who is there is what the desk asks of a request that waits (delegation/presence.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dashboard.delegation.kinds import DECIDED_BY
from dashboard.delegation.presence import Presence
from dashboard.policies.findings import RuleFinding
from dashboard.policies.names import Names
from dashboard.policies.policy_text import listed_with
from dashboard.policies.routing import StepSeats, lacking, step_seats
from dashboard.policies.rulebook import Rulebook
from dashboard.schemas.workflows import Conditions, Workflow

MOST_NAMED = 3
NO_TEAM = ""


def workflow_findings(workflow: Workflow, rulebook: Rulebook, presence: Presence) -> list[RuleFinding]:
    """What stands against an active workflow, the gravest first; [] for one that is taken out of use."""
    if not workflow.active:
        return []
    names = rulebook.names
    findings = list(_named_in_vain(workflow, names))
    teams = _teams(workflow, rulebook)
    short = _short_teams(workflow, names.approvers, teams, names)
    findings += _by_lack(workflow, short, teams, names, "")
    if able := [team_id for team_id in teams if team_id not in short]:
        findings += _away(workflow, names, presence, able)
        findings += _makers(workflow, rulebook, able)
    findings += _never_reached(workflow, rulebook)
    return findings


def _teams(workflow: Workflow, rulebook: Rulebook) -> list[str]:
    """The teams of active people, whose reviewers a step may ask; "" alone where no step does, which is the same for all."""
    if not any(step.by_reviewers for step in workflow.steps):
        return [NO_TEAM]
    return sorted(set(rulebook.employees.values()), key=lambda team_id: _team(team_id, rulebook.names))


def _team(team_id: str, names: Names) -> str:
    return names.team(team_id) if team_id else "people without a team"


def _short_teams(
    workflow: Workflow, approvers: Sequence[str], teams: Iterable[str], names: Names
) -> dict[str, StepSeats]:
    """By team the first step that could not have its votes for an item of it."""
    shorts = (
        (team_id, lacking(step_seats(workflow.steps, approvers, reviewers=names.reviewers.get(team_id, ()))))
        for team_id in teams
    )
    return {team_id: short for team_id, short in shorts if short is not None}


def _by_lack(
    workflow: Workflow, short: Mapping[str, StepSeats], teams: Sequence[str], names: Names, now: str, why: str = ""
) -> Iterator[RuleFinding]:
    """That nobody could complete it, of which teams where it could be for others; the teams that lack the same together."""
    by_lack: dict[str, list[str]] = {}
    for team_id, step in short.items():
        by_lack.setdefault(_lack(workflow, step), []).append(_team(team_id, names))
    for lack, lacking_teams in by_lack.items():
        where = "" if len(lacking_teams) == len(teams) else f" for spending of {listed_with(_most(lacking_teams))}"
        yield RuleFinding(f"Nobody could complete it{now}{where}: {lack}{why}.")


def _most(words: Sequence[str]) -> list[str]:
    more = len(words) - MOST_NAMED
    return [*words[:MOST_NAMED], f"{more} more"] if more > 0 else list(words)


def _lack(workflow: Workflow, step_seats: StepSeats) -> str:
    place = sorted(row.order for row in workflow.steps).index(step_seats.order) + 1
    able = len(step_seats.employee_ids)
    people = "nobody" if not able else f"only {able} {'person' if able == 1 else 'people'}"
    if next(row for row in workflow.steps if row.order == step_seats.order).by_reviewers:
        people = f"of the team's reviewers who are active approvers {people}"
    return (
        f"step {place} needs {step_seats.needed} approval{'s' * (step_seats.needed != 1)}, and {people} could give them"
    )


def _named_in_vain(workflow: Workflow, names: Names) -> Iterator[RuleFinding]:
    """Who is named in a step and cannot vote: not an active approver any more."""
    named = {employee_id for step in workflow.steps for employee_id in step.approver_ids or ()}
    unable = sorted(names.person(employee_id) for employee_id in named - set(names.approvers))
    if unable:
        yield RuleFinding(f"{listed_with(unable)} cannot approve: only active approvers can.")


def _away(workflow: Workflow, names: Names, presence: Presence, teams: Sequence[str]) -> list[RuleFinding]:
    """Whether those who are there now could complete it, for items of these teams."""
    operation = DECIDED_BY["approval"]
    reasons = {
        employee_id: why
        for employee_id in names.approvers
        if (why := presence.missing(employee_id, operation, "approval", None, ""))
    }
    there = [employee_id for employee_id in names.approvers if employee_id not in reasons]
    short = _short_teams(workflow, there, teams, names)
    absent: dict[str, None] = {}
    for team_id, step in short.items():
        whole = step_seats(workflow.steps, names.approvers, reviewers=names.reviewers.get(team_id, ()))
        seats = next(row.employee_ids for row in whole if row.order == step.order)
        absent |= dict.fromkeys(f"{names.person(seat)} {reasons[seat]}" for seat in seats if seat in reasons)
    return list(_by_lack(workflow, short, teams, names, " now", f": {'; '.join([*absent][:MOST_NAMED])}"))


def _makers(workflow: Workflow, rulebook: Rulebook, teams: Sequence[str]) -> list[RuleFinding]:
    """Whose own items nobody could complete: whoever makes, edits or requests an item never votes on it."""
    names, stranded = rulebook.names, []
    for employee_id in names.approvers:
        # Where the team makes no difference there is none to look up.
        team_id = NO_TEAM if teams == [NO_TEAM] else rulebook.employees.get(employee_id, NO_TEAM)
        reviewers = names.reviewers.get(team_id, ())
        seats = step_seats(workflow.steps, names.approvers, {employee_id}, reviewers=reviewers)
        if team_id in teams and lacking(seats) is not None:
            stranded.append(names.person(employee_id))
    if not stranded:
        return []
    who = listed_with(_most(stranded), "or")
    return [
        RuleFinding(f"Where {who} requested or made the item, nobody could complete it: nobody approves their own.")
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
