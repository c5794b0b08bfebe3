"""The months of the demo before the running one, newest first: each is made and committed by itself, so that people can work
meanwhile, and whoever goes on after an interruption begins with the next one.

What needs the whole year follows in a last part: subscriptions, which are seen in it, and what is left of money.
"""

from collections.abc import Callable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from service import periods, sql
from service.events.models import Event
from service.sandbox import (
    demo_allocations,
    demo_bills,
    demo_cards,
    demo_history,
    demo_payouts,
    demo_subscriptions,
    demo_treasury,
)
from service.sandbox.demo_plan import PLANS
from service.sandbox.demo_year import DemoMonth, DemoYear
from service.sandbox.models import DemoProgress

EVENT_DAYS = 14


def make_all(report: Callable[[DemoProgress], None] = lambda _: None) -> None:
    """Makes what is missing of each demo business, a month of each in turn; `report` gets each step once it is committed."""
    while unfinished := list(DemoProgress.objects.filter(whole_at=None).order_by("business_id")):
        for progress in unfinished:
            if (now := make_next(progress.business_id)) is not None:
                report(now)


def make_next(business_id: str) -> DemoProgress | None:
    """Makes the next month of a demo business, or after the last one what needs them all, in one transaction; how far it is
    then. None where it is whole, or was never begun. A second process waits for the first, and goes on after it."""
    with transaction.atomic():
        without_idle_limit()
        rows = DemoProgress.objects.select_for_update(of=("self",), no_key=True).select_related("business")
        progress = rows.filter(business_id=business_id, whole_at=None).first()
        if progress is None:
            return None
        year = _year_of(progress)
        if progress.made < progress.months:
            progress.made += 1
            demo_month = year.months[progress.made]
            spend_month(year, demo_month)
            demo_bills.pay_month(year, demo_month)
            demo_payouts.pay_month(year, demo_month)
        else:
            _finish(year)
            progress.whole_at = timezone.now()
        forget_old_events(year)
        progress.save(update_fields=["made", "whole_at"])
    return progress


def without_idle_limit() -> None:
    """Lets this transaction do nothing at the database for as long as it takes to draw receipts."""
    sql.execute("set local idle_in_transaction_session_timeout = 0", [])


def _year_of(progress: DemoProgress) -> DemoYear:
    plan = next(plan for plan in PLANS if plan.country == progress.business.country)
    return DemoYear(progress.business, plan, progress.expenses, progress.seed, progress.until)


def spend_month(year: DemoYear, demo_month: DemoMonth) -> None:
    """What customers pay in a month, what is allocated, and what is spent of it."""
    batch = year.expenses_of(demo_month)
    if not batch:
        return
    for new in batch:
        year.pool.draw(new.receiver, new.currency, new.amount_minor)
    first = min(new.transaction_date for new in batch)
    day = periods.day_of(first, year.business)
    demo_treasury.earn(year.caller, demo_month.name, demo_history.needed(batch), first, day)
    demo_allocations.allocate_month(year.caller, demo_month.name, batch, first, day)
    demo_history.write(year, demo_month, batch)


def _finish(year: DemoYear) -> None:
    """What is seen in the whole year, and what depends on all that came and went in it."""
    demo_subscriptions.create_subscriptions(year.business, year.now)
    demo_cards.use_up(year.business, year.now)
    demo_payouts.plan_payouts(year.business, year.now)


def forget_old_events(year: DemoYear) -> None:
    """Nobody was connected when all this happened: only what is recent is news."""
    since = year.now - timedelta(days=EVENT_DAYS)
    Event.objects.filter(business=year.business, sequence=None, created_at__lt=since).delete()
