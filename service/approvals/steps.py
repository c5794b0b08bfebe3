"""How far a request has come: which step is at its turn, who may still vote, and what is missing.

A request keeps a copy of what it was asked under. A mandate's copy has no `steps`: so many of its approvers vote, in
their order where it is sequential, and those required must. A workflow's copy has steps, each with so many of its people,
one step after the other; nobody votes twice.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NotRequired, TypedDict

from service import errors
from service.approvals.models import Approval, ApprovalStatus, Vote, Workflow
from service.businesses.models import Employee, Role, TeamReviewer

# The role of a step in which the reviewers of the spender's team vote, those of them who are active approvers.
TEAM_REVIEWER = "TEAM_REVIEWER"


class StoredStep(TypedDict):
    """A step as a workflow's row has it; without `approver_ids` everybody of the role votes in it, of TEAM_REVIEWER whoever
    reviews the team of the spender."""

    order: int
    approver_ids: list[str] | None
    role: str | None
    min_approvals: int


class StepSeats(TypedDict):
    """A step with the people who can vote in it."""

    order: int
    min_approvals: int
    employee_ids: list[str]


class StoredSeat(TypedDict):
    """An approver of a request: up to which amount (minor units; None: any), and in which turn."""

    employee_id: str
    required: bool
    max_amount_minor: int | None
    order: int


class Snapshot(TypedDict):
    """The copy that a request keeps of the mandate or, with `steps`, of the workflow that it was asked under. Whoever reviewed
    the spender's team then sits in its steps, whatever becomes of their seat."""

    mandate_id: str
    workflow_id: NotRequired[str]
    name: str
    version: int
    min_approvers: int
    sequential: bool
    code_required: bool
    steps: NotRequired[list[StepSeats]]
    approvers: list[StoredSeat]


def of_workflow(
    workflow: Workflow, maker_ids: Sequence[str], *, extra: bool, least: int = 0, team_id: str = ""
) -> tuple[Snapshot, int]:
    """The copy that a request keeps of its workflow, and how many votes that asks for; makers do not vote. `team_id` is the
    team of the spender, whose reviewers a step may ask.

    Where it asks for fewer than `least` in all, its last step asks for those that are missing. A high risk (`extra`) asks for one more in the last step, as far as there is somebody to give it.
    409 approvers_insufficient where a step asks for more votes than there are people to give them.
    """
    steps = filled(workflow.business_id, workflow.steps, maker_ids, reviewers=reviewers_of(team_id))
    steps[-1]["min_approvals"] += max(0, least - sum(step["min_approvals"] for step in steps))
    refuse_impossible(steps)
    if extra:
        steps[-1]["min_approvals"] += 1
        if not _enough(_votes_of(steps)):
            steps[-1]["min_approvals"] -= 1
    needed = sum(step["min_approvals"] for step in steps)
    snapshot: Snapshot = {
        "mandate_id": "",
        "workflow_id": workflow.id,
        "name": workflow.name,
        "version": workflow.version,
        "sequential": True,
        "code_required": False,
        "steps": steps,
        "approvers": list(_seats_of(steps)),
        "min_approvers": needed,
    }
    return snapshot, needed


def reviewers_of(team_id: str) -> frozenset[str]:
    """Who reviews a team and may decide, by their seats; nobody for no team."""
    if not team_id:
        return frozenset()
    seats = TeamReviewer.objects.filter(team_id=team_id, read_only=False)
    return frozenset(seats.values_list("employee_id", flat=True))


def filled(
    business_id: str,
    steps: Sequence[StoredStep],
    maker_ids: Collection[str] = (),
    *,
    reviewers: Collection[str] = (),
) -> list[StepSeats]:
    """A workflow's steps with the people who can vote in each now: those it names, or of its role whoever no step names. Where
    a step asks the `reviewers` of the spender's team, they vote in it, and in no step of all approvers."""
    named = {employee_id for step in steps for employee_id in step["approver_ids"] or ()}
    reviewing = {*reviewers} - named if any(step["role"] == TEAM_REVIEWER for step in steps) else set()
    people = Employee.objects.filter(business_id=business_id, role=Role.APPROVER, status=Employee.Status.ACTIVE)
    able = [
        employee_id
        for employee_id in people.order_by("created_at", "id").values_list("id", flat=True)
        if employee_id not in maker_ids
    ]
    return [
        {
            "order": step["order"],
            "min_approvals": step["min_approvals"],
            "employee_ids": [employee_id for employee_id in able if _sits(employee_id, step, named, reviewing)],
        }
        for step in steps
    ]


def _sits(employee_id: str, stored_step: StoredStep, named: Collection[str], reviewing: Collection[str]) -> bool:
    """Whether somebody votes in a step: nobody sits in two that have not all their people in common."""
    if stored_step["approver_ids"] is not None:
        return employee_id in stored_step["approver_ids"]
    if stored_step["role"] == TEAM_REVIEWER:
        return employee_id in reviewing
    return employee_id not in named and employee_id not in reviewing


def refuse_for_every_team(business_id: str, steps: Sequence[StoredStep]) -> None:
    """409 approvers_insufficient where no item of any team could have its votes: which team an item is of is not known before."""
    if all(step["role"] != TEAM_REVIEWER for step in steps):
        refuse_impossible(filled(business_id, steps))
        return
    seats = TeamReviewer.objects.filter(team__business_id=business_id, read_only=False)
    by_team: dict[str, set[str]] = {}
    for team_id, employee_id in seats.values_list("team_id", "employee_id"):
        by_team.setdefault(team_id, set()).add(employee_id)
    # A query for each set of reviewers, of which there are at most as many as teams.
    distinct = {frozenset(reviewers) for reviewers in by_team.values()}
    if not any(_enough(_votes_of(filled(business_id, steps, reviewers=reviewers))) for reviewers in distinct):
        raise errors.conflict(
            "approvers_insufficient",
            "No team has reviewers who are active approvers, and as many as the steps ask for.",
        )


def refuse_impossible(steps: Sequence[StepSeats]) -> None:
    """409 approvers_insufficient where a step of `filled` asks for more votes than its people can give."""
    if not _enough(_votes_of(steps)):
        raise errors.conflict(
            "approvers_insufficient", "A step requires more approvals than there are people to give them."
        )


def _votes_of(steps: Iterable[StepSeats]) -> Iterator[tuple[list[str], int]]:
    return ((step["employee_ids"], step["min_approvals"]) for step in steps)


def _seats_of(steps: Sequence[StepSeats]) -> Iterable[StoredSeat]:
    seen: set[str] = set()
    for step in steps:
        for employee_id in step["employee_ids"]:
            if employee_id not in seen:
                seen.add(employee_id)
                yield {"employee_id": employee_id, "required": False, "max_amount_minor": None, "order": step["order"]}


def _enough(steps: Iterable[tuple[Collection[str], int]]) -> bool:
    """Whether every step, given as its people and the votes it needs, can have them: two steps have the same people, or
    none in common."""
    approvals_needed: dict[frozenset[str], int] = {}
    for employee_ids, needed in steps:
        people = frozenset(employee_ids)
        approvals_needed[people] = approvals_needed.get(people, 0) + needed
    return all(len(people) >= needed for people, needed in approvals_needed.items())


def able(snapshot: Snapshot, maker_ids: Collection[str], amount_minor: int) -> list[StoredSeat]:
    """The approvers of a copy who may vote at all: not makers, and not beyond their cap."""
    return [
        seat
        for seat in snapshot["approvers"]
        if seat["employee_id"] not in maker_ids
        and (seat["max_amount_minor"] is None or amount_minor <= seat["max_amount_minor"])
    ]


def seats(row: Approval) -> list[StoredSeat]:
    """Who may still vote: able, and not heard yet; nobody once it is decided. Votes should be loaded."""
    if row.status != ApprovalStatus.PENDING:
        return []
    voter_ids = {vote.voter_id for vote in row.votes.all()}
    return [
        seat
        for seat in able(row.mandate_snapshot, row.maker_ids, row.amount_minor)
        if seat["employee_id"] not in voter_ids
    ]


def at_turn(row: Approval) -> list[StoredSeat]:
    """Who may vote now: of a workflow the people of its step, of a sequential mandate the first that are left."""
    waiting = seats(row)
    snapshot = row.mandate_snapshot
    if "steps" in snapshot:
        open_steps = [step for step, given in progress(row) if len(given) < step["min_approvals"]]
        people: list[str] = open_steps[0]["employee_ids"] if open_steps else []
        return [seat for seat in waiting if seat["employee_id"] in people]
    if snapshot["sequential"] and waiting:
        first = min(seat["order"] for seat in waiting)
        waiting = [seat for seat in waiting if seat["order"] == first]
    return waiting


def progress(row: Approval) -> list[tuple[StepSeats, list[str]]]:
    """Each step of a workflow's copy with those who approved in it: a vote counts in the first step of its voter that still needs
    one, which was at its turn when it was cast unless the steps have changed since. Of whoever sits in none it counts in none."""
    votes_by_step: list[tuple[StepSeats, list[str]]] = [(step, []) for step in row.mandate_snapshot["steps"]]
    for vote in sorted(row.votes.all(), key=attrgetter("created_at", "id")):
        if vote.decision == Vote.Decision.APPROVE:
            for step, given in votes_by_step:
                if len(given) < step["min_approvals"] and vote.voter_id in step["employee_ids"]:
                    given.append(vote.voter_id)
                    break
    return votes_by_step


def is_complete(row: Approval) -> bool:
    """Whether every vote that is needed was given. The votes are read anew: the caller has just added one."""
    if "steps" in row.mandate_snapshot:
        return all(len(given) >= step["min_approvals"] for step, given in progress(row))
    votes = Vote.objects.filter(approval=row, decision=Vote.Decision.APPROVE)
    given = set(votes.values_list("voter_id", flat=True))
    musts = {seat["employee_id"] for seat in row.mandate_snapshot["approvers"] if seat["required"]}
    return len(given) >= row.approvals_required and musts - set(row.maker_ids) <= given


def can_complete(row: Approval, active: Collection[str]) -> bool:
    """Whether the votes that are missing can still be given by those of its people who are in `active`."""
    left = {seat["employee_id"] for seat in seats(row)} & set(active)
    if "steps" in row.mandate_snapshot:
        missing = (
            (left & set(step["employee_ids"]), step["min_approvals"] - len(given)) for step, given in progress(row)
        )
        return _enough((people, needed) for people, needed in missing if needed > 0)
    given = {vote.voter_id for vote in row.votes.all() if vote.decision == Vote.Decision.APPROVE}
    musts = {seat["employee_id"] for seat in row.mandate_snapshot["approvers"] if seat["required"]}
    return len(left) >= row.approvals_required - len(given) and musts - set(row.maker_ids) - given <= left
