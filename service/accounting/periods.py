"""Accounting periods: months that are closed in order and opened again from the last. Closed means closed.

The ledger refuses postings up to Business.books_closed_until, and decisions on expenses stop there; a period says who
closed its month and why it was opened again.
"""

import logging
import time
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TypedDict

from django.db import connection, transaction
from django.db.models import Count, Exists, Min, OuterRef, Q
from django.utils import timezone

from service import errors
from service.accounting.models import LineStatus, Period, PeriodStatus, StatementLine
from service.auth import Caller
from service.businesses.models import Business
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.expenses.models import Expense, ExpenseStatus
from service.ledger.models import LedgerTransaction
from service.ledger.post import today
from service.periods import between
from service.respond import JsonObject

log = logging.getLogger(__name__)

# How long a close waits for postings that were under way before it.
PATIENCE_S = 2.0
UNDECIDED = (ExpenseStatus.PENDING, ExpenseStatus.DETAILS_REQUESTED)


class UnmatchedShape(TypedDict):
    """How many lines of a wallet's bank are unmatched."""

    org_wallet_ref: str
    count: int


class OpenItemsShape(TypedDict):
    """What closing a month would leave undecided or unmatched."""

    undecided_expenses: int
    unmatched_lines: int
    unmatched_by_wallet: list[UnmatchedShape]


# `from` is a word of Python: a TypedDict can name it in this form alone.
_Days = TypedDict("_Days", {"period": str, "from": date, "to": date})


class PeriodShape(_Days):
    """A month as the interface lists it; who changed its state last, when and why, where anybody did."""

    status: str
    changed_by: str | None
    changed_at: datetime | None
    reason: str | None
    version: int


class PeriodWithItemsShape(PeriodShape, OpenItemsShape):
    """A month with what is still open in it."""


@dataclass(frozen=True, slots=True)
class Month:
    """A month of the books, by its first day."""

    first: date

    @property
    def last(self) -> date:
        """The last day of the month, inclusive."""
        return self.next.first - timedelta(days=1)

    @property
    def next(self) -> "Month":
        """The month after this one; December leads to January."""
        return Month((self.first + timedelta(days=31)).replace(day=1))

    @property
    def before(self) -> "Month":
        """The month before this one."""
        return Month((self.first - timedelta(days=1)).replace(day=1))

    @property
    def name(self) -> str:
        """The month as its address has it: "2026-03"."""
        return f"{self.first:%Y-%m}"

    def status(self, closed_until: date | None) -> PeriodStatus:
        """Whether it is closed where the books are up to a day, None for not at all."""
        return PeriodStatus.CLOSED if closed_until and closed_until >= self.last else PeriodStatus.OPEN


def month(name: str) -> Month:
    """A month from its name, such as 2026-03; 404 for what is none of this or the last or next hundred years."""
    try:
        parsed = datetime.strptime(name, "%Y-%m") if len(name) == 7 and name.isascii() else None  # noqa: DTZ007
    except ValueError:
        parsed = None
    if parsed is None or not 1970 <= parsed.year <= 2200:
        raise errors.not_found("period")
    return Month(parsed.date())


def months(caller: Caller) -> list[Month]:
    """All months from the first posting to now, newest first."""
    rows = LedgerTransaction.objects.filter(business=caller.business.id)
    now = Month(today(caller.business).replace(day=1))
    earliest = rows.aggregate(first=Min("effective_on"))["first"] or now.first
    listed_months, current = [], now
    while current.last >= earliest:
        listed_months.append(current)
        current = current.before
    return listed_months


def listed(caller: Caller) -> list[PeriodShape]:
    """Every month with its state, newest first."""
    closed = closed_until(caller)
    rows = {row.first_day: row for row in Period.objects.filter(business_id=caller.business.id)}
    return [_serialize(caller, period_month, rows.get(period_month.first), closed) for period_month in months(caller)]


def get_period(caller: Caller, name: str) -> PeriodWithItemsShape:
    """One month, whether anything was posted in it or not."""
    chosen = month(name)
    row = Period.objects.filter(business_id=caller.business.id, first_day=chosen.first).first()
    period = _serialize(caller, chosen, row, closed_until(caller))
    return {**period, **open_items(caller, chosen)}


def closed_until(caller: Caller) -> date | None:
    """Read afresh: the caller's business may be some seconds old."""
    return Business.objects.values_list("books_closed_until", flat=True).get(id=caller.business.id)


def close(caller: Caller, name: str, *, accept_open_items: bool) -> PeriodWithItemsShape:
    """Closes a month that is over; nothing is posted into it any more, and decisions on its expenses stop.

    409 invalid_state while it runs or an earlier month with postings is open, 409 open_items while expenses of it are
    undecided or bank lines unmatched, unless that is accepted. A closed month stays as it is.
    """
    chosen = month(name)
    with transaction.atomic():
        business = _locked(caller)
        closed = business.books_closed_until
        if closed and closed >= chosen.last:
            return get_period(caller, name)
        if chosen.last >= today(caller.business):
            raise errors.invalid_state("This month is not over.")
        if any(earlier.first < chosen.first and not (closed and closed >= earlier.last) for earlier in months(caller)):
            raise errors.invalid_state("An earlier month is open: close that first.")
        left_open = open_items(caller, chosen)
        if any(left_open.values()) and not accept_open_items:
            undecided, unmatched = left_open["undecided_expenses"], left_open["unmatched_lines"]
            message = f"{undecided} expenses are undecided, {unmatched} bank lines unmatched."
            raise errors.conflict("open_items", message)
        _let_postings_finish()
        return _change(caller, business, chosen, PeriodStatus.CLOSED, chosen.last, "", left_open)


def _let_postings_finish() -> None:
    """Once this is committed, waits for transactions that began before: one may still post into the closed month.

    Whoever reads the answer of a close then reads a book that stays as it is. Postings never wait for a close.
    """
    with connection.cursor() as cursor:
        cursor.execute("select pg_current_xact_id()::text::bigint")
        [own] = cursor.fetchone() or [0]
    transaction.on_commit(lambda: _wait_for(own))


def _wait_for(xid: int) -> None:
    give_up = time.monotonic() + PATIENCE_S
    with connection.cursor() as cursor:
        while True:
            cursor.execute("select pg_snapshot_xmin(pg_current_snapshot())::text::bigint > %s", [xid])
            if cursor.fetchone() == (True,):
                return
            if time.monotonic() > give_up:
                log.warning("a close did not wait any longer for transactions under way")
                return
            time.sleep(0.01)


def reopen(caller: Caller, name: str, reason: str) -> PeriodWithItemsShape:
    """Opens the last closed month again; 409 for an earlier one or one that is open, 403 for whoever closed it."""
    chosen = month(name)
    with transaction.atomic():
        business = _locked(caller)
        # Two people: what one has closed, another opens.
        if Period.objects.filter(
            business=business, first_day=chosen.first, status=PeriodStatus.CLOSED, changed_by=caller.label
        ).exists():
            raise errors.self_approval_forbidden("Whoever closed a period does not reopen it: ask another admin.")
        closed = business.books_closed_until
        if closed is None or closed < chosen.first:
            raise errors.invalid_state("This month is open.")
        if closed > chosen.last:
            raise errors.invalid_state("A later month is closed: open that first.")
        return _change(caller, business, chosen, PeriodStatus.OPEN, chosen.first - timedelta(days=1), reason)


def open_items(caller: Caller, chosen_month: Month) -> OpenItemsShape:
    """What closing the month would leave undecided or unmatched."""
    start, end = between(caller.business, chosen_month.first, chosen_month.last)
    # An expense stands in the month that it was posted in, whenever it was spent; what is not posted yet where it was spent.
    posted = LedgerTransaction.objects.filter(
        id=OuterRef("ledger_transaction_id"), effective_on__range=(chosen_month.first, chosen_month.last)
    )
    not_posted = Q(ledger_transaction_id=None, transaction_date__gte=start, transaction_date__lt=end)
    expenses = Expense.objects.filter(business_id=caller.business.id, status__in=UNDECIDED)
    lines = StatementLine.objects.filter(business_id=caller.business.id, status=LineStatus.UNMATCHED)
    of_month = lines.filter(day__range=(chosen_month.first, chosen_month.last)).values_list("wallet__org_wallet_ref")
    by_wallet = list(of_month.annotate(n=Count("id")).order_by("wallet__org_wallet_ref"))
    return {
        "undecided_expenses": expenses.filter(not_posted | Exists(posted)).count(),
        "unmatched_lines": sum(count for _, count in by_wallet),
        "unmatched_by_wallet": [{"org_wallet_ref": ref, "count": count} for ref, count in by_wallet],
    }


def _locked(caller: Caller) -> Business:
    return Business.objects.select_for_update(of=("self",), no_key=True).get(id=caller.business.id)


def _change(
    caller: Caller,
    business: Business,
    chosen_month: Month,
    period_status: PeriodStatus,
    until: date,
    reason: str,
    left_open: OpenItemsShape | None = None,
) -> PeriodWithItemsShape:
    before = {"books_closed_until": business.books_closed_until}
    business.books_closed_until = until
    business.save(update_fields=["books_closed_until"])
    row, _ = Period.objects.get_or_create(
        business=business,
        first_day=chosen_month.first,
        defaults={"status": period_status, "changed_by": caller.label, "changed_at": timezone.now(), "version": 0},
    )
    row.status, row.reason = period_status, reason
    row.changed_by, row.changed_at = caller.label, timezone.now()
    row.version += 1
    row.save()
    period = _serialize(caller, chosen_month, row, until)
    verb = "closed" if period_status == PeriodStatus.CLOSED else "reopened"
    record_event(business, f"period.{verb}", {"_id": chosen_month.name, **period}, actor=caller)
    # What was accepted as open is known later, too.
    after: JsonObject = {"books_closed_until": until, "reason": reason, **(left_open or {})}
    record_audit(caller, f"period.{verb}", "period", row.id, before, after)
    return {**period, **open_items(caller, chosen_month)}


def _serialize(caller: Caller, chosen_month: Month, row: Period | None, closed: date | None) -> PeriodShape:
    return {
        "period": chosen_month.name,
        "from": chosen_month.first,
        "to": chosen_month.last,
        "status": chosen_month.status(closed),
        "changed_by": row.changed_by if row else None,
        "changed_at": row.changed_at if row else None,
        "reason": (row.reason or None) if row else None,
        "version": row.version if row else 0,
    }
