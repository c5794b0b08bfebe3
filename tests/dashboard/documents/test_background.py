"""Receipts of what waits are read before anybody opens them, once, and what they say stands in the line and blocks."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from dashboard.decisions.filters import Filters
from dashboard.decisions.preconditions import blocks_of
from dashboard.documents import background, tasks
from dashboard.documents.background import read_receipts, unread_expenses
from dashboard.mirror.models import Expense, ReceiptCheck
from dashboard.pages.approvals.presenters.desk import list_context
from dashboard.pages.approvals.presenters.documents import with_notes
from dashboard.pages.approvals.tables.inbox import inbox_page
from tests.dashboard.conftest import World
from tests.dashboard.documents import papers
from tests.dashboard.documents.real import expense_of, instead, total_of, with_receipt
from tests.dashboard.pages.conftest import House, make_house


def receipt_saying(expense: Expense, *, off: int = 0) -> bytes:
    """A receipt of the expense, some minor units off."""
    day = f"{expense.transaction_date:%d %b %Y}"
    return papers.pdf((expense.merchant, ("Date", day), ("Total", f"{expense.currency} {total_of(expense, off=off)}")))


def unread(world: World) -> list[str]:
    rows = unread_expenses().filter(business=world.business)
    return list(rows.values_list("remote_id", flat=True))


def test_a_receipt_that_says_the_same_is_read_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    expense = expense_of(world)
    assert unread(world) == [], "there is nothing to read yet"
    expense = with_receipt(world, expense, receipt_saying(expense))
    assert unread(world) == [expense.remote_id]
    assert read_receipts(expense) == ReceiptCheck.SAME
    assert unread(world) == []
    assert Expense.objects.get(pk=expense.pk).receipt_reading == "SAME"
    # The next turn opens nothing.
    monkeypatch.setattr(background, "opened", None)
    assert unread_expenses().filter(business=world.business).count() == 0


def test_a_digit_off_stands_in_the_line_and_blocks_before_anybody_opens_it(world: World) -> None:
    expense = expense_of(world)
    expense = with_receipt(world, expense, receipt_saying(expense, off=100))
    actor = world.actor("Apollo")
    rows = inbox_page(actor, Filters(), timezone.now()).rows
    assert blocks_of(world.business, [expense]) == {}
    assert read_receipts(expense) == ReceiptCheck.DIFFERS
    lines = {row.key: row.about for row in with_notes(world.business, rows)}
    assert lines[f"expense/{expense.remote_id}"].endswith("total differs")
    assert "total differs" in list_context(actor, Filters())["rows"]
    assert "on the receipt" in blocks_of(world.business, [expense])[expense.remote_id][0]


def test_another_receipt_is_read_again(world: World) -> None:
    expense = expense_of(world)
    expense = with_receipt(world, expense, receipt_saying(expense))
    assert read_receipts(expense) == ReceiptCheck.SAME
    expense = with_receipt(world, expense, receipt_saying(expense, off=7), "second.pdf")
    assert unread(world) == [expense.remote_id]


def test_what_says_nothing_matches_nothing(world: World) -> None:
    expense = expense_of(world)
    expense = with_receipt(world, expense, papers.pdf(["Thank you"]))
    assert read_receipts(expense) in {ReceiptCheck.NOTHING, ReceiptCheck.DIFFERS}
    instead(world, expense, b"%PDF-1.7 broken")
    assert read_receipts(expense) == ReceiptCheck.NOTHING


def test_a_receipt_of_another_merchant_of_the_same_town_matches_nothing(world: World) -> None:
    expense = expense_of(world)
    Expense.objects.filter(pk=expense.pk).update(merchant="Nairobi Java House")
    lines = ["SAROVA STANLEY", "Kimathi Street, Nairobi", ("Total", f"{expense.currency} {total_of(expense)}")]
    with_receipt(world, expense, papers.pdf(lines))
    Expense.objects.filter(pk=expense.pk).update(merchant="Nairobi Java House")
    assert read_receipts(Expense.objects.get(pk=expense.pk)) == ReceiptCheck.DIFFERS


def test_where_the_merchant_cannot_be_told_the_receipt_matches_nothing(world: World) -> None:
    expense = expense_of(world)
    with_receipt(world, expense, receipt_saying(expense))
    Expense.objects.filter(pk=expense.pk).update(merchant="Hotel")
    assert read_receipts(Expense.objects.get(pk=expense.pk)) == ReceiptCheck.NOTHING


def test_what_cannot_be_had_is_asked_for_again_later(house: House) -> None:
    row = house.expense(has_receipt=True, payload={"receipts": [{"_id": "r1", "file_name": "a.pdf"}]})
    assert read_receipts(row) == ReceiptCheck.LATER, "this business has no connection"
    assert not unread_expenses().filter(pk=row.pk).exists()
    assert background.ask_again() >= 1
    assert unread_expenses().filter(pk=row.pk).exists()


def test_an_expense_that_cannot_be_compared_does_not_stop_those_behind_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    Expense.objects.exclude(business=house.business).delete()
    rows = [house.expense(has_receipt=True) for _ in range(2)]

    def compared(business: Any, expense: Expense) -> ReceiptCheck:
        if expense.pk == rows[1].pk:
            raise KeyError("a fault of ours")
        return ReceiptCheck.SAME

    monkeypatch.setattr(background, "_compared", compared)
    assert background.read_turn() == len(rows)
    assert dict(Expense.objects.values_list("pk", "receipt_reading")) == {
        rows[0].pk: ReceiptCheck.SAME, rows[1].pk: ReceiptCheck.LATER,
    }  # fmt: skip


@pytest.fixture
def house(db: None) -> House:
    return make_house()


def test_only_what_waits_with_a_receipt_is_read_the_most_urgent_first_and_a_few_at_a_turn(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What other tests have left waiting is read for all businesses alike.
    Expense.objects.exclude(business=house.business).delete()
    for status, has_receipt in (("APPROVED", True), ("PENDING", False), ("DETAILS_REQUESTED", True)):
        house.expense(status=status, has_receipt=has_receipt)
    waiting = [house.expense(has_receipt=True) for _ in range(4)]
    read: list[str] = []
    monkeypatch.setattr(background, "read_receipts", lambda expense: read.append(expense.remote_id))
    assert background.read_turn(most=3) == 3
    assert read == [row.remote_id for row in reversed(waiting)][:3]
    assert background.read_turn(seconds=0) == 0


def test_the_copys_change_asks_for_a_turn_once_and_the_setting_turns_it_off(
    house: House, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(tasks, "enqueue_on_commit", lambda task, **_: asked.append(task))
    monkeypatch.setattr(tasks, "increment", lambda *_: 1)
    with_one, without = house.expense(has_receipt=True), house.expense()
    tasks.read_soon(house.business, "expense", [without.remote_id])
    tasks.read_soon(house.business, "approval", [with_one.remote_id, house.payment().remote_id])
    assert asked == []
    tasks.read_soon(house.business, "approval", [house.payment(kind="BILL_PAYMENT").remote_id])
    assert asked == [tasks.READ_WAITING]
    asked.clear()
    tasks.read_soon(house.business, "expense", [with_one.remote_id])
    assert asked == [tasks.READ_WAITING]
    settings.DOCUMENTS_READ_IN_BACKGROUND = False
    tasks.read_soon(house.business, "expense", [with_one.remote_id])
    assert asked == [tasks.READ_WAITING]
    assert tasks.read_waiting() == 0
