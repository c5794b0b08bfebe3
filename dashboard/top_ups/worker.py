"""Runs what is due, in a worker that may be killed at any moment: a run is written down with its amount before anything is
sent. Whoever takes over asks the outbox what was sent of it: what may have been done is sent again under the same key by
the same member, so that the service does it once; what was not is sent on its own day alone, while it is active."""

from __future__ import annotations

import uuid
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from itertools import islice

import structlog
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import check
from dashboard.access.models import Membership
from dashboard.client.models import IN_DOUBT, OutboundOperation, OutboundState
from dashboard.client.outbox import outbound_of
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.commands import allocations
from dashboard.errors import AlreadyDone, FinanceError, NotFound, TooMany, Unavailable, Unknown
from dashboard.mirror.models import Employee
from dashboard.money import exponent, text, to_minor
from dashboard.schemas.employees import EmployeeBalances, FundsTerms
from dashboard.times import today_of
from dashboard.top_ups.models import UNSETTLED, RunState, TopUp, TopUpRun, TopUpState
from dashboard.top_ups.outcomes import end_as_over, is_over, leave, settle, stop
from dashboard.top_ups.schedule import next_day
from dashboard.top_ups.services import employee_of
from dashboard.worker_lease import LeaseLostError, claim, is_free, release, renew

log = structlog.get_logger(__name__)

LOST_AFTER = timedelta(seconds=120)
LONGEST_PAUSE_S = 3600
# In one task: a day of thousands leaves the queue to others in between.
MOST = 50
READ_S = 4.0
NOTE = "Recurring top-up"
NOT_SENT = "Not sent: nothing was allocated."
NOT_DONE = "The finance service did not do it: nothing was allocated."
TOO_OLD = "It was sent too long ago to be asked about again."


def due() -> list[str]:
    """Ids of at most MOST top-ups in which there is something to do, and nobody is at it: a day that has come, or a run
    that is not settled. Those that have waited longest come first."""
    rows = _waiting().select_related("business").order_by("next_on", "pk")
    ids = (str(row.pk) for row in rows.iterator(chunk_size=200) if _is_unsettled(row) or _is_due(row) or is_over(row))
    return list(islice(ids, MOST))


def has_due() -> bool:
    """Whether anything may be due: asked before a worker is."""
    return _waiting().exists()


def _waiting() -> QuerySet[TopUp]:
    """Those that may be due, each with `is_unsettled`. One with a run that waits for a person begins no other."""
    now = timezone.now()
    runs = TopUpRun.objects.filter(top_up=OuterRef("pk"))
    rows = TopUp.objects.filter(is_free(LOST_AFTER), Q(due_at=None) | Q(due_at__lte=now)).annotate(
        is_unsettled=Exists(runs.filter(state__in=UNSETTLED)),
        is_in_doubt=Exists(runs.filter(state=RunState.IN_DOUBT)),
    )
    tomorrow = now.date() + timedelta(days=1)
    due = Q(next_on__lte=tomorrow) | Q(next_on__gt=F("last_on"))
    return rows.filter(Q(is_unsettled=True) | (due & Q(state=TopUpState.ACTIVE, is_in_doubt=False)))


def _is_unsettled(top_up: TopUp) -> bool:
    return bool(top_up.is_unsettled)  # type: ignore[attr-defined]  # an annotation of `_waiting`


def _is_due(top_up: TopUp) -> bool:
    return top_up.state == TopUpState.ACTIVE and top_up.next_on <= today_of(top_up.business)


def run(top_up_id: uuid.UUID | str) -> bool:
    """Settles a run that is open, else begins the one that is due; False where another worker has it or nothing is."""
    rows = TopUp.objects.select_related("business", "by__user", "by__business")
    top_up = claim(rows, top_up_id, Q(), lost_after=LOST_AFTER)
    if top_up is None:
        return False
    waits = False
    try:
        open_run = _open_run(top_up)
        if open_run is None and is_over(top_up):
            end_as_over(top_up)
            return True
        if open_run is None and (not _is_due(top_up) or top_up.runs.filter(state=RunState.IN_DOUBT).exists()):
            return False
        _carry_out(top_up, open_run)
        waits = top_up.runs.filter(state__in=UNSETTLED).exists()
    except (Unavailable, TooMany) as away:
        # Nothing was sent, or it is not known: the run is as it was, and is taken up again.
        log.warning("top-up waits", top_up=str(top_up.pk), trouble=type(away).__name__)
        waits = True
    except Exception:
        # Whatever fails is tried again, and later each time, so that it does not stand before the others for ever.
        waits = True
        raise
    finally:
        _release(top_up, waits=waits)
    return True


def _release(top_up: TopUp, *, waits: bool) -> None:
    """Gives it back; where it waits, the longer the more often it has: each try of a write is two lines of the audit."""
    tries = min(top_up.tries + 1, 30) if waits else 0
    pause = timedelta(seconds=min(30 * 2 ** min(tries, 10), LONGEST_PAUSE_S))
    # Whoever changed it meanwhile took the lease, and said when it is due.
    with suppress(LeaseLostError):
        release(top_up, tries=tries, due_at=timezone.now() + pause if waits else None)


def _open_run(top_up: TopUp) -> TopUpRun | None:
    rows = top_up.runs.filter(state__in=UNSETTLED).select_related("by__user", "by__business")
    return rows.order_by("day").first()


def _carry_out(top_up: TopUp, open_run: TopUpRun | None) -> None:
    if open_run is not None and not _take_up(top_up, open_run):
        return
    try:
        actor, employee = _standing(top_up, top_up.by)
    except (Unavailable, TooMany):
        raise
    except FinanceError as ended:
        stop(top_up, _why(top_up, ended))
        return
    if employee.status != "ACTIVE":
        stop(top_up, f"{employee.name} is not active.")
        return
    row = _begin(actor, top_up, employee)
    if row is not None:
        _send(actor, top_up, employee, row)


def _standing(top_up: TopUp, by: Membership) -> tuple[Actor, Employee]:
    """The member as they stand now, and whom it is for; a FinanceError where they may not allocate to them."""
    actor = Actor.for_membership(by, fresh=True)
    employee = employee_of(actor, top_up)
    check(actor, operations.ALLOCATE_FUNDS, employee)
    return actor, employee


def _why(top_up: TopUp, ended: FinanceError) -> str:
    """Why its member may not allocate any more: because nobody is there to allocate to, or for a reason of their own."""
    if not Employee.objects.filter(business=top_up.business, remote_id=top_up.employee_id).exists():
        return f"{top_up.employee_name} is no longer there."
    detail = "" if isinstance(ended, NotFound) else f" {ended.detail}"
    return f"{top_up.by.user} can no longer allocate: somebody else must resume it.{detail}"


def _take_up(top_up: TopUp, row: TopUpRun) -> bool:
    """Does what there is to do about an open run; whether the run of today is to be begun in its place."""
    outbound = outbound_of(top_up.business_id, row.key)
    recorded = Actor.as_recorded(row.by)
    if outbound is not None and outbound.state == OutboundState.CONFIRMED:
        settle(recorded, top_up, row, RunState.DONE, _allocated(top_up, row), outbound.request_id)
        return False
    if row.state == RunState.UNKNOWN or (outbound is not None and outbound.state in IN_DOUBT):
        _ask_again(top_up, row, outbound)
        return False
    if outbound is not None and outbound.state == OutboundState.REJECTED:
        settle(recorded, top_up, row, RunState.REFUSED, "It was refused: nothing was allocated.", outbound.request_id)
        return False
    # Nothing was done, and the amount is what was missing then: it is sent on its own day, or not at all.
    active = top_up.state == TopUpState.ACTIVE and (top_up.resumed_at is None or row.started_at >= top_up.resumed_at)
    if active and row.day == today_of(top_up.business):
        try:
            actor, employee = _standing(top_up, row.by)
        except (Unavailable, TooMany):
            raise
        except FinanceError:
            # Settled below; why it pauses is said where today's would be begun.
            pass
        else:
            if employee.status == "ACTIVE":
                _send(actor, top_up, employee, row)
                return False
    sentence = NOT_DONE if outbound is not None and outbound.has_left else NOT_SENT
    settle(recorded, top_up, row, RunState.NOTHING, sentence)
    return active


def _ask_again(top_up: TopUp, row: TopUpRun, outbound: OutboundOperation | None) -> None:
    """Sends what may have been done again, under its key and by whoever sent it; leaves it to a person where it cannot."""
    if outbound is None or outbound.key_is_old:
        leave(top_up, row, TOO_OLD)
        return
    try:
        actor, employee = _standing(top_up, row.by)
    except (Unavailable, TooMany):
        raise
    except FinanceError as ended:
        detail = "" if isinstance(ended, NotFound) else f" {ended.detail}"
        leave(top_up, row, f"It cannot be asked again as {row.by.user}, who sent it.{detail}")
        return
    _send(actor, top_up, employee, row, again=True)


def _begin(actor: Actor, top_up: TopUp, employee: Employee) -> TopUpRun | None:
    """Reads what they can spend, and writes the run down with what is missing; days that were missed are one run. None
    where it was paused, ended or taken by another worker meanwhile, has run today, or where nobody says what they have."""
    try:
        before = _available(actor, employee, top_up.currency)
    except (Unavailable, TooMany):
        raise
    except FinanceError as refused:
        stop(top_up, f"What {employee.name} has could not be read. {refused.explanation}")
        return None
    except (ArithmeticError, ValueError):
        stop(top_up, f"What {employee.name} has could not be read: the amount is none of {top_up.currency}.")
        return None
    today = today_of(top_up.business)
    with transaction.atomic():
        mine = TopUp.objects.select_for_update(no_key=True).filter(
            pk=top_up.pk, state=TopUpState.ACTIVE, lease_id=top_up.lease_id
        )
        if mine.first() is None:
            return None
        TopUp.objects.filter(pk=top_up.pk).update(next_on=next_day(top_up.interval, top_up.day, today))
        if top_up.runs.filter(day=today).exists():
            return None
        row: TopUpRun = TopUpRun.objects.create(
            top_up=top_up, by=top_up.by, day=today, before_minor=before,
            amount_minor=max(0, top_up.target_minor - before),
        )  # fmt: skip
    return row


def _available(actor: Actor, employee: Employee, currency: str) -> int:
    query: dict[str, str | int] = {"employee_id": employee.remote_id, "limit": 100}
    answer = read_live(actor, operations.LIST_EMPLOYEE_BALANCES, query=query, subject=employee, deadline=READ_S)
    rows = typed(read_page(answer.data).rows, EmployeeBalances)
    wallets = next((row.wallets for row in rows if row.id == employee.remote_id), None)
    if wallets is None:
        raise Unavailable("The finance service did not say what they have.")
    own = next((wallet for wallet in wallets if wallet.currency == currency), None)
    return to_minor(own.balances.available or 0, currency) if own else 0


def _send(actor: Actor, top_up: TopUp, employee: Employee, row: TopUpRun, *, again: bool = False) -> None:
    """Sends a run and settles it by the answer; `again` where it may have been done."""
    minor = row.amount_minor or 0
    if minor <= 0:
        there = text(row.before_minor or 0, top_up.currency, top_up.business.locale)
        settle(actor, top_up, row, RunState.NOTHING, f"{there} were there already.")
        return
    if not _is_ours(top_up, again=again):
        return
    body: FundsTerms = {
        "amount": Decimal(minor).scaleb(-exponent(top_up.currency)), "currency": top_up.currency, "note": NOTE,
        "org_wallet_ref": top_up.org_wallet_ref,
    }  # fmt: skip
    try:
        allocations.allocate(actor, employee, body, key=row.key)
    except Unknown as doubt:
        TopUpRun.objects.filter(pk=row.pk, state__in=UNSETTLED).update(
            state=RunState.UNKNOWN, request_id=doubt.request_id[:80]
        )
        return
    except (Unavailable, TooMany):
        raise
    except AlreadyDone:
        pass
    except FinanceError as refusal:
        settle(actor, top_up, row, RunState.REFUSED, refusal.explanation, refusal.request_id)
        return
    settle(actor, top_up, row, RunState.DONE, _allocated(top_up, row))


def _is_ours(top_up: TopUp, *, again: bool) -> bool:
    """Whether it may be sent at this moment: the lease is this worker's, and what is sent first is of an active one."""
    try:
        renew(top_up)
    except LeaseLostError:
        return False
    return again or TopUp.objects.filter(pk=top_up.pk, state=TopUpState.ACTIVE).exists()


def _allocated(top_up: TopUp, row: TopUpRun) -> str:
    return f"{text(row.amount_minor or 0, top_up.currency, top_up.business.locale)} allocated."
