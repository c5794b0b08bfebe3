"""In which month a checklist has an item: a transaction and an expense by their posting, what is to be paid until it is."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from dashboard.access.actor import Actor
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Expense, Origin, Transaction
from dashboard.pages.accounting.presenters.periods import checklist
from dashboard.pages.accounting.selectors.periods import counted_items, period_of
from dashboard.schemas.accounting import AccountingPeriod
from tests.dashboard.accounting.test_periods import month_before, now, spend
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World


def counts_of(actor: Actor, period: AccountingPeriod) -> dict[str, int | None]:
    return {item.title: item.count for item in counted_items(actor, period)}


def test_a_transaction_counts_in_the_month_of_its_posting_and_in_no_other(world: World) -> None:
    actor, period = world.actor("Apollo"), period_of(world.actor("Apollo"), now(world))
    earlier = period_of(actor, month_before(period.period))
    world.sync("transactions_whole")
    [row, *_] = Transaction.objects.filter(business=world.business, type="TOPUP")
    title = "Transactions without a category"
    own = datetime.combine(period.first, time(), ZoneInfo(world.business.time_zone)) - timedelta(seconds=1)

    def counts(**posted: Any) -> tuple[int, int]:
        Transaction.objects.filter(pk=row.pk).update(
            category_name="", expense_id="", tombstoned_at=None, occurred_at=own, **posted
        )
        return counts_of(actor, earlier)[title] or 0, counts_of(actor, period)[title] or 0

    others = counts(status="REVERSED", effective_on=period.first)
    posted_late = counts(status="POSTED", effective_on=period.first)
    posted_then = counts(status="POSTED", effective_on=earlier.last)
    not_posted = counts(status="PENDING", effective_on=None)
    assert posted_late == (others[0], others[1] + 1)
    assert posted_then == not_posted == (others[0] + 1, others[1])


def test_an_expense_is_asked_for_in_the_month_of_its_posting_and_in_no_other(world: World) -> None:
    [made] = spend(world, 1)
    world.sync("transactions_whole")
    actor, period = world.actor("Apollo"), period_of(world.actor("Apollo"), now(world))
    earlier = period_of(actor, month_before(period.period))
    before = datetime.combine(period.first, time(), ZoneInfo(world.business.time_zone)) - timedelta(days=3)
    moved = Transaction.objects.get(business=world.business, expense_id=made["_id"])
    assert moved.effective_on is not None
    rows = Expense.objects.filter(business=world.business, remote_id=made["_id"])
    Transaction.objects.filter(pk=moved.pk).update(occurred_at=before, category_name="")
    payload = {**rows.get().payload, "receipt_required": True}
    rows.update(transaction_date=before, subcategory_id="", category_name="", has_receipt=False, payload=payload)
    titles = ("Expenses to review", "Required receipts missing", "Transactions without a category")
    # Spent in the month before, which is open still, and posted in this one: it is of this one's books alone.
    own, earlier_own = counts_of(actor, period), counts_of(actor, earlier)
    assert (own["Expenses to review"], earlier_own["Expenses to review"]) == (1, 0)
    assert (own["Required receipts missing"], earlier_own["Required receipts missing"]) == (1, 0)
    assert [item.title for item in checklist(actor, period, ()) if "not in the copy" in item.title] == []
    apollo = world.client("Apollo")
    shown = apollo.get(world.address(f"accounting/{period.period}/")).content.decode()
    for item in counted_items(actor, period):
        if item.title in titles[:2]:
            assert item.address.replace("&", "&amp;") in shown
            assert re.findall(r'/expenses/(\w{24})/"', apollo.get(item.address).content.decode())[:1] == [made["_id"]]
    # Not posted yet, it is of the month that it was spent in.
    Transaction.objects.filter(pk=moved.pk).update(effective_on=None)
    assert counts_of(actor, earlier)["Expenses to review"] == 1
    assert counts_of(actor, period)["Expenses to review"] == 0


def test_what_is_to_be_paid_stays_on_each_later_checklist_until_it_is(world: World) -> None:
    actor, period = world.actor("Apollo"), period_of(world.actor("Apollo"), now(world))
    title = "Bills due and not paid"
    before = counts_of(actor, period)[title] or 0
    bill = upstream.bill(world, due=-70, issued=-80)
    upsert("bill", world.business, [world.upstream(f"/bills/{bill['_id']}")], Origin.POLL)
    earlier = period_of(actor, month_before(period.period))
    assert counts_of(actor, period)[title] == before + 1
    assert counts_of(actor, earlier)[title] == before + 1
    items = {item.title: item for item in counted_items(actor, period)}
    for name in (title, "Payouts not finished"):
        assert "since=" not in items[name].address
        assert f"until={period.last}" in items[name].address
