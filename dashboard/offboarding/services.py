"""Starting an offboarding, and going on with what was left: nothing is sent before all of it is written down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db import IntegrityError, transaction

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.models import Membership
from dashboard.audit.models import Outcome
from dashboard.audit.record import check_or_record_denial, record
from dashboard.enqueue import enqueue_on_commit
from dashboard.errors import Conflict, Rejected
from dashboard.mirror.models import Employee
from dashboard.offboarding import worker
from dashboard.offboarding.actions import step_action_of
from dashboard.offboarding.dead_ends import Chosen, offboarding_problems, stuck_without
from dashboard.offboarding.labels import LeftBehind, for_roles
from dashboard.offboarding.models import Offboarding, OffboardingStep
from dashboard.proposals.members import check_leaver

SUSPEND, END_ACCESS = 1, 2
# What an heir takes over in two calls, each with a key of its own: first theirs, then the leaver's.
TWICE = {("review", "replace"), ("mandate", "replace")}
TASK, WAITS_S = "dashboard.offboarding.carry_out", 600
StepState = OffboardingStep.State


def start(actor: Actor, leaver: Employee, chosen: Sequence[Chosen], *, key: str) -> Offboarding:
    """Suspends an employee and ends their access here at once, and begins all that was chosen for what they leave behind.

    The same form posted again gives the same offboarding. NotAllowed for who may not suspend them, and for an admin where
    they are a super admin; Rejected where something could be decided by nobody afterwards; Conflict where somebody else is
    offboarding them already, or fewer than two super admins would be left.
    """
    check_or_record_denial(actor, operations.SUSPEND_EMPLOYEE, leaver)
    job = Offboarding.objects.filter(business=actor.business, key=key, employee_id=leaver.remote_id).first()
    if job is None:
        stuck = [*stuck_without(actor, leaver), *offboarding_problems(actor, leaver, chosen).values()]
        if stuck:
            raise Rejected(" ".join(stuck), code="dead_end")
        theirs = Membership.objects.filter(business=actor.business, employee_id=leaver.remote_id, ended_at=None)
        for member in theirs.select_related("user"):
            check_leaver(actor, member)
        job = _write_down(actor, leaver, chosen, key)
    # First here, which needs nobody: the leaver is out also where the finance service does not answer.
    for number in (END_ACCESS, SUSPEND):
        worker.run(job.pk, only=number)
    enqueue_on_commit(TASK, str(job.pk), expires_s=WAITS_S)
    return job


def refuse_stuck(actor: Actor, leaver: Employee) -> None:
    """Rejected where something that waits now could be decided by nobody without the leaver."""
    if stuck := stuck_without(actor, leaver):
        raise Rejected(" ".join(stuck), code="dead_end")


def _write_down(actor: Actor, leaver: Employee, chosen: Sequence[Chosen], key: str) -> Offboarding:
    try:
        with transaction.atomic():
            job: Offboarding = Offboarding.objects.create(
                business=actor.business, employee_id=leaver.remote_id, employee_name=leaver.name,
                started_by_id=actor.member_id, key=key,
            )  # fmt: skip
            steps = list(_steps(actor, job, leaver, chosen))
            OffboardingStep.objects.bulk_create(steps)
            after = {f"{step.number}": step_text(step) for step in steps}
            sentence = f"started offboarding {leaver.name}: {len(steps)} steps"
            record(actor, "offboarding", leaver, Outcome.NOTED, sentence=sentence, after=after)
    except IntegrityError:
        raise Conflict(f"{leaver.name} is being offboarded already.", code="already_started") from None
    return job


def step_text(step: OffboardingStep) -> str:
    """A step in a line for the audit: "Card •••• 4821: close"."""
    heir = f", to {step.heir_name}" if step.heir_name else ""
    return f"{step.title}: {step.action.partition(':')[0].replace('_', ' ')}{heir}"


def _steps(
    actor: Actor, offboarding: Offboarding, leaver: Employee, chosen: Sequence[Chosen]
) -> Iterator[OffboardingStep]:
    yield OffboardingStep(
        offboarding=offboarding, number=SUSPEND, kind="suspend", action="suspend", remote_id=leaver.remote_id,
        title="Suspend the account", by_id=actor.member_id,
    )  # fmt: skip
    yield OffboardingStep(
        offboarding=offboarding, number=END_ACCESS, kind="membership", action="end", remote_id=leaver.remote_id,
        title="End access to this dashboard", by_id=actor.member_id,
    )  # fmt: skip
    number = END_ACCESS
    for row in chosen:
        twice = (row.holding.kind, row.action) in TWICE
        for action in ("add", "remove") if twice else (row.action,):
            number += 1
            heir = row.heir if action != "remove" else None
            step = OffboardingStep(
                offboarding=offboarding, number=number, after=number - 1 if twice and action == "remove" else SUSPEND,
                kind=row.holding.kind, action=action, remote_id=row.holding.remote_id, title=row.holding.title[:300],
                heir_id=heir.remote_id if heir else "", heir_name=heir.name if heir else "", by_id=actor.member_id,
            )  # fmt: skip
            # What needs another role waits for it from the beginning, also behind a step that it follows.
            if not is_theirs(actor, step):
                operation = step_action_of(step).operation
                step.state, step.sentence = StepState.FOR_ANOTHER, for_roles(operation.roles) if operation else ""
            yield step


def is_theirs(actor: Actor, step: OffboardingStep) -> bool:
    """Whether the actor's role lets them carry out a step."""
    operation = step_action_of(step).operation
    return operation is None or bool(can_open(actor, operation))


def go_on(actor: Actor, offboarding: Offboarding) -> int:
    """Takes on, as the actor, what was refused or needs their role, and asks again about what has no answer.

    How many steps that are. Each is sent under a new key, since a refusal is kept under the old one; what is in doubt
    keeps its key.
    """
    continued = 0
    with transaction.atomic():
        rows = offboarding.steps.select_for_update(no_key=True).filter(
            state__in=(StepState.REFUSED, StepState.FOR_ANOTHER, StepState.UNKNOWN)
        )
        for step in rows:
            if step.state == StepState.UNKNOWN:
                continued += OffboardingStep.objects.filter(pk=step.pk).update(due_at=None)
            elif is_theirs(actor, step):
                continued += OffboardingStep.objects.filter(pk=step.pk).update(
                    state=StepState.WAITING, by_id=actor.member_id, attempt=step.attempt + 1, tries=0, data={},
                    proposal_id=None, sentence="",
                )  # fmt: skip
        if continued:
            sentence = f"continued offboarding {offboarding.employee_name}: {continued} step{'s' * (continued != 1)}"
            record(actor, "offboarding", None, Outcome.NOTED, sentence=sentence)
    if continued:
        enqueue_on_commit(TASK, str(offboarding.pk), expires_s=WAITS_S)
    return continued


def _check_reassigned(actor: Actor, step: OffboardingStep, heir: Employee) -> None:
    # As when it was begun: who sits there already, say, adds no vote to the leaver's that goes.
    leaver = Employee.objects.filter(business=actor.business, remote_id=step.offboarding.employee_id).first()
    if leaver is None:
        return
    chosen = Chosen(LeftBehind(step.kind, step.remote_id, step.title, ()), step.action, heir)
    if problem := "".join(offboarding_problems(actor, leaver, [chosen]).values()):
        raise Rejected(problem, code="dead_end")


# What an heir of a step must be, by its kind (heirs.py).
NEEDS = {
    "review": "staff", "report": "staff", "workflow": "approver", "mandate": "approver", "subscription": "anybody",
    "operator": "member", "exemption": "anybody",
}  # fmt: skip


def may_reassign(step: OffboardingStep) -> bool:
    """Whether a step is stuck and can get another heir."""
    return bool(step.heir_id) and step.state in (StepState.REFUSED, StepState.FOR_ANOTHER)


def reassign(actor: Actor, step: OffboardingStep, heir: Employee) -> None:
    """Gives a step that is stuck another heir, and takes it on as the actor where their role lets them; audited.

    Conflict where it is not stuck any more, Rejected where it could be decided by nobody after that.
    """
    _check_reassigned(actor, step, heir)
    state = StepState.WAITING if is_theirs(actor, step) else StepState.FOR_ANOTHER
    job = step.offboarding
    with transaction.atomic():
        stuck = OffboardingStep.objects.filter(pk=step.pk, state__in=(StepState.REFUSED, StepState.FOR_ANOTHER))
        changed = stuck.update(
            heir_id=heir.remote_id, heir_name=heir.name, state=state, by_id=actor.member_id, attempt=step.attempt + 1,
            tries=0, data={}, proposal_id=None, sentence="",
        )  # fmt: skip
        if not changed:
            raise Conflict("This step is no longer stuck.", code="invalid_state")
        sentence = f"chose {heir.name} as successor for offboarding {job.employee_name}: {step.title}"
        record(actor, "offboarding", None, Outcome.NOTED, sentence=sentence[:500])
    enqueue_on_commit(TASK, str(job.pk), expires_s=WAITS_S)
