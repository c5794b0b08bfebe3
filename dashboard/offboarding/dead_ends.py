"""What could not go on without somebody: asked before anything is done, so that nothing waits for nobody afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dashboard.access.actor import Actor
from dashboard.delegation.dead_ends import dead_end_of
from dashboard.delegation.presence import Presence, presence_of
from dashboard.impact.mandate_reads import mandates_of
from dashboard.impact.mandate_text import voting
from dashboard.impact.mandates import stranded, waiting
from dashboard.mirror.models import Approval, Employee, Expense
from dashboard.mirror.scopes import visible_approvals, visible_expenses
from dashboard.offboarding.drafts import DRAFT_KINDS, nobody_continues
from dashboard.offboarding.holdings import workflows_naming
from dashboard.offboarding.labels import KEEP_DRAFT, LeftBehind
from dashboard.policies.names import Names
from dashboard.policies.routing import StepSeats, lacking, reviewers_to_try, step_seats
from dashboard.policies.rulebook import rulebook_for
from dashboard.schemas.wallet_policies import Mandate
from dashboard.schemas.workflows import Workflow

MOST_CHECKED = 500
LISTED = 3


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen for one holding: the name of its choice, and its heir, None where it needs none."""

    holding: LeftBehind
    action: str
    heir: Employee | None = None


def without(presence: Presence, employee_id: str) -> Presence:
    """The same presence once this employee is suspended."""
    if (person := presence.people.get(employee_id)) is None:
        return presence
    return replace(presence, people={**presence.people, employee_id: replace(person, active=False)})


def stuck_without(actor: Actor, leaver: Employee) -> list[str]:
    """What waits now and could not be decided on without the leaver, in sentences; [] for nothing."""
    if leaver.status != "ACTIVE":
        return []
    sentences = [row.text for row in stranded(waiting(actor), [leaver.remote_id])]
    before = presence_of(actor.business)
    after = without(before, leaver.remote_id)
    seat = [{"employee_id": leaver.remote_id}]
    votes = visible_approvals(actor).filter(status="PENDING", eligible__contains=seat).order_by("requested_at")
    reviews = visible_expenses(actor).filter(status="PENDING").order_by("pk")
    waiting_rows: list[Approval | Expense] = [*votes[:MOST_CHECKED], *reviews[:MOST_CHECKED]]
    stuck = [row for row in waiting_rows if dead_end_of(after, row) and not dead_end_of(before, row)]
    if stuck and not sentences:
        named = ", ".join(_name(row) for row in stuck[:LISTED])
        more = f" and {len(stuck) - LISTED} more" if len(stuck) > LISTED else ""
        sentences.append(f"Without {leaver.name} nobody could decide on {named}{more}: have them decided first.")
    return sentences


def _name(row: Approval | Expense) -> str:
    return f"{row.title} ({row.amount_text})" if isinstance(row, Approval) else f"{row.merchant} ({row.amount_text})"


def offboarding_problems(actor: Actor, leaver: Employee, chosen: Sequence[Chosen]) -> Mapping[str, str]:
    """What could be completed by nobody after these choices: a sentence by the key of the holding."""
    problems: dict[str, str] = {}
    workflows = {row.id: row for row in workflows_naming(actor, leaver)}
    mandates = {row.id: row for row in mandates_of(actor).value}
    names = rulebook_for(actor).names if workflows else Names()
    for row in chosen:
        problem = ""
        if row.holding.kind == "workflow" and row.holding.remote_id in workflows:
            problem = _of_workflow(workflows[row.holding.remote_id], leaver, row.heir, names)
        elif row.holding.kind == "mandate" and row.holding.remote_id in mandates:
            problem = _of_mandate(mandates[row.holding.remote_id], leaver, row.heir)
        elif row.holding.kind in DRAFT_KINDS and row.action == KEEP_DRAFT.name:
            problem = nobody_continues(actor, leaver.remote_id)
        if problem:
            problems[row.holding.key] = problem
    return problems


def with_heir(workflow: Workflow, leaver_id: str, heir_id: str) -> Workflow:
    """The workflow with the heir in each seat of the leaver; without an heir, without the leaver."""
    steps = []
    for step in workflow.steps:
        ids = step.approver_ids
        if ids is not None and leaver_id in ids:
            added = [heir_id] if heir_id and heir_id not in ids else []
            ids = [seat for approver in ids for seat in (added if approver == leaver_id else [approver])]
        steps.append(step.model_copy(update={"approver_ids": ids}))
    return workflow.model_copy(update={"steps": steps})


def _of_workflow(workflow: Workflow, leaver: Employee, heir: Employee | None, names: Names) -> str:
    after = with_heir(workflow, leaver.remote_id, heir.remote_id if heir else "")
    if any(step.approver_ids == [] for step in after.steps):
        return "A step would have no approver left: choose a successor."
    left = [employee_id for employee_id in names.approvers if employee_id != leaver.remote_id]
    # Where a step asks the reviewers of the spender's team, of each team that could complete it until now.
    for reviewers in reviewers_to_try(workflow.steps, names.reviewers):
        short = lacking(step_seats(after.steps, left, reviewers=reviewers))
        if short is not None and lacking(step_seats(workflow.steps, names.approvers, reviewers=reviewers)) is None:
            return _short(short)
    return ""


def _short(short: StepSeats) -> str:
    able = len(short.employee_ids)
    who = "nobody" if not able else f"only {able} {'person' if able == 1 else 'people'}"
    votes = f"{short.needed} approval{'s' * (short.needed != 1)}"
    return f"A step needs {votes}, and {who} could give them: choose another successor."


def _of_mandate(mandate: Mandate, leaver: Employee, heir: Employee | None) -> str:
    left = {seat.approver_id for seat in voting(mandate)} - {leaver.remote_id}
    able = left | {heir.remote_id} if heir is not None else left
    if len(able) < mandate.min_approvers:
        other = f"{heir.name} is an approver of it already: choose somebody else." if heir else "Choose a successor."
        return f"It requires {mandate.min_approvers} approvals, and {len(able)} could give one. {other}"
    return ""
