"""Runs what is due, in a worker that may be killed at any moment: a run is written down with its amount before anything is
sent, and whoever takes over sends the same under the same key, so that the service does it once."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import check
from dashboard.access.models import Business, Membership
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.commands import allocations
from dashboard.errors import AlreadyDone, FinanceError, TooMany, Unavailable, Unknown
from dashboard.mirror.models import Employee
from dashboard.money import exponent, text, to_minor
from dashboard.notifications.services import notify
from dashboard.notifications.topics import TOP_UPS
from dashboard.schemas.employees import EmployeeBalances
from dashboard.times import local
from dashboard.top_ups.models import UNSETTLED, RunState, TopUp, TopUpRun, TopUpState
from dashboard.top_ups.schedule import next_day
from dashboard.top_ups.services import OPERATION, employee_of, text_of

log = structlog.get_logger(__name__)

LOST_AFTER = timedelta(seconds=120)
READ_S = 4.0
NOTE = "Recurring top-up"


def due() -> list[str]:
    """Ids of the top-ups in which there is something to do, and nobody is at it: a day that has come, or an open run."""
    now = timezone.now()
    free = Q(run_lease=None) | Q(heartbeat_at__lt=now - LOST_AFTER)
    open_run = TopUpRun.objects.filter(top_up=OuterRef("pk"), state__in=UNSETTLED)
    tomorrow = now.date() + timedelta(days=1)
    rows = TopUp.objects.filter(free).filter(Exists(open_run) | Q(state=TopUpState.ACTIVE, next_on__lte=tomorrow))
    return [str(row.pk) for row in rows.select_related("business") if _is_due(row) or _open_run(row)]


def has_due() -> bool:
    """Whether anything may be due: asked before a worker is."""
    soon = timezone.now().date() + timedelta(days=1)
    runs = TopUpRun.objects.filter(state__in=UNSETTLED)
    return TopUp.objects.filter(state=TopUpState.ACTIVE, next_on__lte=soon).exists() or runs.exists()


def _is_due(top_up: TopUp) -> bool:
    return top_up.state == TopUpState.ACTIVE and top_up.next_on <= _today(top_up.business)


def _today(business: Business) -> date:
    return local(timezone.now(), business).date()


def _open_run(top_up: TopUp) -> TopUpRun | None:
    return top_up.runs.filter(state__in=UNSETTLED).order_by("day").first()


def run(top_up_id: uuid.UUID | str) -> bool:
    """Settles a run that is open, else begins the one that is due; False where another worker has it or nothing is."""
    top_up = _claim(top_up_id)
    if top_up is None:
        return False
    try:
        open_run = _open_run(top_up)
        if open_run is None and not _is_due(top_up):
            return False
        _carry_out(top_up, open_run)
    except (Unavailable, TooMany) as away:
        # Nothing was sent, or it is not known: the run is as it was, and is taken up again.
        log.warning("top-up waits", top_up=str(top_up.pk), trouble=type(away).__name__)
    finally:
        TopUp.objects.filter(pk=top_up.pk, run_lease=top_up.run_lease).update(run_lease=None)
    return True


def _claim(top_up_id: uuid.UUID | str) -> TopUp | None:
    now = timezone.now()
    free = Q(run_lease=None) | Q(heartbeat_at__lt=now - LOST_AFTER)
    if not TopUp.objects.filter(free, pk=top_up_id).update(run_lease=uuid.uuid4(), heartbeat_at=now):
        return None
    return TopUp.objects.select_related("business", "by__user", "by__business").get(pk=top_up_id)


def _carry_out(top_up: TopUp, open_run: TopUpRun | None) -> None:
    try:
        actor = Actor.for_membership(top_up.by, fresh=True)
        employee = employee_of(actor, top_up)
        check(actor, operations.ALLOCATE_FUNDS, employee)
    except FinanceError as ended:
        if isinstance(ended, Unavailable | TooMany):
            raise
        _stop(
            top_up, open_run, f"{top_up.by.user} can no longer allocate: somebody else must resume it. {ended.detail}"
        )
        return
    if employee.status != "ACTIVE" and open_run is None:
        _stop(top_up, None, f"{employee.name} is not active.")
        return
    _send(actor, top_up, employee, open_run or _begin(actor, top_up, employee))


def _begin(actor: Actor, top_up: TopUp, employee: Employee) -> TopUpRun:
    """Reads what they can spend, and writes the run down with what is missing. Days that were missed are one run."""
    before = _available(actor, employee, top_up.currency)
    missing = max(0, top_up.target_minor - before)
    today = _today(top_up.business)
    with transaction.atomic():
        row: TopUpRun = TopUpRun.objects.create(top_up=top_up, day=today, before_minor=before, amount_minor=missing)
        TopUp.objects.filter(pk=top_up.pk).update(next_on=next_day(top_up.interval, top_up.day, today))
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


def _send(actor: Actor, top_up: TopUp, employee: Employee, row: TopUpRun) -> None:
    minor = row.amount_minor or 0
    if minor <= 0:
        _settle(actor, row, RunState.NOTHING, f"{_amount(top_up, row.before_minor or 0)} were there already.")
        return
    body = {
        "amount": Decimal(minor).scaleb(-exponent(top_up.currency)), "currency": top_up.currency, "note": NOTE,
        "org_wallet_ref": top_up.org_wallet_ref,
    }  # fmt: skip
    try:
        allocations.allocate(actor, employee, body, key=row.key)
    except Unknown as doubt:
        TopUpRun.objects.filter(pk=row.pk).update(state=RunState.UNKNOWN, request_id=doubt.request_id[:80])
        return
    except (Unavailable, TooMany):
        raise
    except AlreadyDone:
        pass
    except FinanceError as refusal:
        _settle(actor, row, RunState.REFUSED, refusal.explanation, refusal.request_id)
        return
    _settle(actor, row, RunState.DONE, f"{_amount(top_up, minor)} allocated.")


def _amount(top_up: TopUp, minor: int) -> str:
    return text(minor, top_up.currency, top_up.business.locale)


def _settle(actor: Actor, row: TopUpRun, state: RunState, sentence: str, request_id: str = "") -> None:
    changes: dict[str, Any] = {"state": state, "sentence": sentence[:300], "settled_at": timezone.now()}
    if request_id:
        changes["request_id"] = request_id[:80]
    with transaction.atomic():
        if not TopUpRun.objects.filter(pk=row.pk, state__in=UNSETTLED).update(**changes):
            return
        top_up = row.top_up
        outcome = Outcome.REFUSED if state == RunState.REFUSED else Outcome.DONE
        line = f"ran the recurring top-up of {top_up.employee_name} {text_of(top_up)}: {sentence}"
        record(actor, OPERATION, employee_of(actor, top_up), outcome, sentence=line[:500])
        if state == RunState.REFUSED:
            message = f"The recurring top-up of {top_up.employee_name} was refused. {sentence}"
            notify([top_up.by], TOP_UPS, message, key=f"top-up:{top_up.pk}:{row.day}")


def _stop(top_up: TopUp, open_run: TopUpRun | None, reason: str) -> None:
    """Pauses it, says why, and tells whoever set it up and everybody who could resume it. A run of which it is not known
    whether it was sent stays open: nobody may say that nothing was allocated."""
    if open_run is not None and top_up.state != TopUpState.ACTIVE:
        return
    actor, business = Actor.as_recorded(top_up.by), top_up.business
    with transaction.atomic():
        active = TopUp.objects.filter(pk=top_up.pk, state=TopUpState.ACTIVE)
        if not active.update(state=TopUpState.PAUSED, reason=reason[:300]):
            return
        line = f"paused the recurring top-up of {top_up.employee_name}: {reason}"
        record(actor, OPERATION, None, Outcome.NOTED, sentence=line[:500])
        roles = operations.ALLOCATE_FUNDS.roles
        members = Membership.objects.filter(business=business, is_active=True, role__in=roles).select_related("user")
        message = f"The recurring top-up of {top_up.employee_name} is paused. {reason}"
        notify(list(members), TOP_UPS, message, key=f"top-up:{top_up.pk}:paused:{_today(business)}")
