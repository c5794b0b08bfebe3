"""Setting a top-up up, pausing, resuming and ending it. Whoever may allocate to somebody may, and nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.audit.models import Outcome
from dashboard.audit.record import check_or_record_denial, record
from dashboard.client.outbox import settle_by_reading
from dashboard.errors import Conflict, NotFound
from dashboard.mirror.models import Employee, Wallet
from dashboard.mirror.scopes import visible_employees
from dashboard.money import text
from dashboard.times import day_text, local
from dashboard.top_ups import models
from dashboard.top_ups.models import RunState, TopUp, TopUpRun, TopUpState
from dashboard.top_ups.schedule import next_day, schedule_text
from dashboard.worker_lease import revoke

OPERATION = "top_up"


@dataclass(frozen=True, slots=True)
class NewTopUp:
    """A top-up to be set up: from which wallet, up to how much in its minor units, and when."""

    wallet: Wallet
    target_minor: int
    interval: str
    day: int
    last_on: date | None = None


def visible_top_ups(actor: Actor) -> QuerySet[TopUp]:
    """Those of the people whom the actor sees and whose balances they may read; none for anybody else."""
    if not can_open(actor, operations.LIST_EMPLOYEE_BALANCES):
        return TopUp.objects.none()
    people = visible_employees(actor).values("remote_id")
    rows = TopUp.objects.filter(business=actor.business, employee_id__in=people)
    return rows.select_related("business", "by__user", "by__business").order_by(
        "employee_name", "currency", "created_at"
    )


def top_up_text(top_up: TopUp) -> str:
    """A top-up in a line: "up to KES 5,000.00 every Monday, until 27 Nov 2026"."""
    amount = text(top_up.target_minor, top_up.currency, top_up.business.locale)
    until = f", until {day_text(top_up.last_on)}" if top_up.last_on else ""
    return f"up to {amount} {schedule_text(top_up.interval, top_up.day)}{until}"


def _first_run(interval: str, day: int, last_on: date | None, today: date) -> date:
    """The next of its days; Conflict where that is after its end date."""
    first = next_day(interval, day, today)
    if last_on is not None and first > last_on:
        raise Conflict(f"It would not run any more: the next of its days is {day_text(first)}.", code="over")
    return first


def start(actor: Actor, employee: Employee, new: NewTopUp, *, key: str) -> TopUp:
    """Sets a top-up up, which runs first on the next of its days; audited. The same form twice is one.

    NotAllowed for who may not allocate to them, Conflict where they are not active, have one in this currency, or where none
    of its days comes before its end date.
    """
    check_or_record_denial(actor, operations.ALLOCATE_FUNDS, employee)
    earlier = TopUp.objects.filter(business=actor.business, key=key, employee_id=employee.remote_id).first()
    if earlier is not None:
        return earlier
    if employee.status != "ACTIVE":
        raise Conflict(f"{employee.name} is not active.", code="not_active")
    first = _first_run(new.interval, new.day, new.last_on, local(timezone.now(), actor.business).date())
    try:
        with transaction.atomic():
            top_up: TopUp = TopUp.objects.create(
                business=actor.business, employee_id=employee.remote_id, employee_name=employee.name,
                currency=new.wallet.currency, org_wallet_ref=new.wallet.org_wallet_ref, target_minor=new.target_minor,
                interval=new.interval, day=new.day, next_on=first, last_on=new.last_on, by_id=actor.member_id,
                key=key,
            )  # fmt: skip
            _record(actor, top_up, "set up")
    except IntegrityError:
        raise Conflict(
            f"{employee.name} has a recurring top-up in {new.wallet.currency} already: end it first.", code="exists"
        ) from None
    return top_up


def edit(
    actor: Actor, top_up: TopUp, *, target_minor: int, interval: str, day: int, last_on: date | None = None
) -> None:
    """Gives it another amount, other days and another end date, from the next of them on and as the actor; audited with before and after.

    NotAllowed as for `start`, Conflict where it has ended, where it is not known yet what became of a run, or none
    of its days comes before its end date.
    """
    employee = employee_of(actor, top_up)
    check_or_record_denial(actor, operations.ALLOCATE_FUNDS, employee)
    before = top_up_text(top_up)
    first = _first_run(interval, day, last_on, local(timezone.now(), actor.business).date())
    with transaction.atomic():
        open_rows = TopUp.objects.filter(pk=top_up.pk, state__in=(TopUpState.ACTIVE, TopUpState.PAUSED))
        # Without the lease a worker that has read the earlier amount begins no run with it.
        if not revoke(
            open_rows,
            target_minor=target_minor, interval=interval, day=day, next_on=first, last_on=last_on,
            by_id=actor.member_id, tries=0, due_at=None,
        ):  # fmt: skip
            raise Conflict("It has ended. Set a new one up.", code="invalid_state")
        if top_up.runs.filter(state__in=models.OPEN).exists():
            raise Conflict("A run of it is not settled yet: wait, or say what became of it.", code="in_doubt")
        top_up.target_minor, top_up.interval, top_up.day, top_up.last_on = target_minor, interval, day, last_on
        record(
            actor, OPERATION, employee, Outcome.DONE, sentence=f"changed the recurring top-up of {top_up.employee_name}",
            before={"top-up": before}, after={"top-up": top_up_text(top_up)},
        )  # fmt: skip


def pause(actor: Actor, top_up: TopUp) -> None:
    """Stops it until somebody resumes it; audited. NotAllowed as for `start`, Conflict where it is not active."""
    _move(actor, top_up, (TopUpState.ACTIVE,), "paused", state=TopUpState.PAUSED, reason=f"Paused by {actor.name}.")


def resume(actor: Actor, top_up: TopUp) -> None:
    """Lets it run again from the next of its days, as the actor; audited. Conflict where it is not paused, the person is
    not active, somebody has to say first what became of a run, or its end date has come. What was begun before is not sent as the actor."""
    employee = employee_of(actor, top_up)
    if employee.status != "ACTIVE":
        raise Conflict(f"{employee.name} is not active: activate them first.", code="not_active")
    if top_up.runs.filter(state=RunState.IN_DOUBT).exists():
        raise Conflict("First say whether the run in doubt was allocated.", code="in_doubt")
    today = local(timezone.now(), actor.business).date()
    coming = _first_run(top_up.interval, top_up.day, top_up.last_on, today)
    _move(
        actor, top_up, (TopUpState.PAUSED,), "resumed", state=TopUpState.ACTIVE, reason="", next_on=coming,
        by_id=actor.member_id, resumed_at=timezone.now(),
    )  # fmt: skip


def end(actor: Actor, top_up: TopUp) -> None:
    """Ends it for good; audited. Conflict where it has ended."""
    open_states = (TopUpState.ACTIVE, TopUpState.PAUSED)
    _move(actor, top_up, open_states, "ended", state=TopUpState.ENDED, reason=f"Ended by {actor.name}.")


def settle_by_hand(actor: Actor, run: TopUpRun, *, done: bool) -> None:
    """Closes a run in doubt with what a person saw when they looked; audited, and it pauses or resumes nothing.

    NotAllowed for who may not allocate to them, Conflict where the run waits for no person: a worker may still ask.
    """
    top_up = run.top_up
    check_or_record_denial(actor, operations.ALLOCATE_FUNDS, employee_of(actor, top_up))
    state = RunState.DONE if done else RunState.NOTHING
    sentence = f"{actor.name} looked, and said that it was {'' if done else 'not '}allocated."
    with transaction.atomic():
        rows = TopUpRun.objects.filter(pk=run.pk, state=RunState.IN_DOUBT)
        if not rows.update(state=state, sentence=sentence[:300], settled_at=timezone.now()):
            raise Conflict("It has changed meanwhile. Reload the page.", code="invalid_state")
        settle_by_reading(actor.business.pk, run.key, done=done)
        line = f"said that the run of {run.day} of the recurring top-up of {top_up.employee_name} was "
        line += f"{'' if done else 'not '}allocated"
        record(actor, OPERATION, employee_of(actor, top_up), Outcome.NOTED, sentence=line[:500])


def employee_of(actor: Actor, top_up: TopUp) -> Employee:
    """Whom it is for; NotFound where the copy has nobody like that."""
    employee = visible_employees(actor).filter(remote_id=top_up.employee_id).first()
    if employee is None:
        raise NotFound("They are no longer there.", code="not_found")
    return employee


def _move(actor: Actor, top_up: TopUp, states: tuple[TopUpState, ...], did: str, **changes: object) -> None:
    check_or_record_denial(actor, operations.ALLOCATE_FUNDS, employee_of(actor, top_up))
    with transaction.atomic():
        if not TopUp.objects.filter(pk=top_up.pk, state__in=states).update(tries=0, due_at=None, **changes):
            raise Conflict("It has changed meanwhile. Reload the page.", code="invalid_state")
        _record(actor, top_up, did)


def _record(actor: Actor, top_up: TopUp, did: str) -> None:
    sentence = f"{did} the recurring top-up of {top_up.employee_name} {top_up_text(top_up)}"
    record(actor, OPERATION, employee_of(actor, top_up), Outcome.DONE, sentence=sentence[:500])
