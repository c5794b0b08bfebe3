"""What was read survives the cache, once per content, reader and business; and bills are read before anybody opens them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from dashboard.decisions.filters import Filters
from dashboard.decisions.preconditions import blocks_of
from dashboard.documents import bill_background, opening
from dashboard.documents.background import read_receipts
from dashboard.documents.bill_background import read_files, unread_payments
from dashboard.documents.models import DocumentNote, DocumentReading, ReadDocument, ReadPayment
from dashboard.documents.readings import READER
from dashboard.documents.reasons import notes_for_lines
from dashboard.mirror.models import Approval, Bill, Expense
from dashboard.pages.approvals.presenters.documents import with_notes
from dashboard.pages.approvals.tables.inbox import inbox_page
from tests.dashboard.conftest import World
from tests.dashboard.documents import papers, real
from tests.dashboard.documents.real import expense_of, with_receipt
from tests.dashboard.documents.test_background import receipt_saying


def differing(world: World) -> Expense:
    """An expense whose receipt is some minor units off, read in the background."""
    expense = expense_of(world)
    expense = with_receipt(world, expense, receipt_saying(expense, off=100))
    read_receipts(expense)
    return expense


def blocks(world: World, item: Any) -> list[str]:
    return blocks_of(world.business, [item]).get(item.remote_id, [])


def test_what_a_receipt_says_blocks_after_the_cache_was_emptied(world: World) -> None:
    expense = differing(world)
    before = blocks(world, expense)
    assert "on the receipt" in before[0]
    cache.clear()
    assert blocks(world, expense) == before
    rows = inbox_page(world.actor("Apollo"), Filters(), timezone.now()).rows
    lines = {row.key: row.about for row in with_notes(world.business, rows)}
    assert lines[f"expense/{expense.remote_id}"].endswith("total differs")
    pane = world.client("Apollo").get(world.address(f"approvals/expense/{expense.remote_id}/")).content.decode()
    assert before[0].rstrip(".") in pane


def test_it_is_written_down_where_from_how_sure_and_by_which_reader(world: World) -> None:
    differing(world)
    reading = DocumentReading.objects.get(business=world.business)
    total = reading.values["total"]
    assert (total["page"], total["sureness"]) == (1, "labelled")
    assert set(total["box"]) == {"left", "top", "width", "height"}
    assert reading.reader == opening.reader_version()
    assert len(reading.content_hash) == 64


def test_another_reader_reads_anew_and_both_can_be_compared(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    expense = differing(world)
    monkeypatch.setattr(opening, "READER", f"{READER}9")
    read_receipts(expense)
    rows = DocumentReading.objects.filter(business=world.business)
    assert rows.values_list("content_hash").distinct().count() == 1
    assert {row.reader.partition("+")[0] for row in rows} == {READER, f"{READER}9"}
    (document,) = ReadDocument.objects.filter(business=world.business)
    assert document.reading.reader.startswith(f"{READER}9")


def test_the_same_file_of_two_items_is_one_reading(world: World) -> None:
    first, second = expense_of(world), expense_of(world)
    content = receipt_saying(first)
    for expense in (first, second):
        read_receipts(with_receipt(world, expense, content))
    assert DocumentReading.objects.filter(business=world.business).count() == 1
    assert ReadDocument.objects.filter(business=world.business).count() == 2


def test_a_receipt_that_was_removed_blocks_nothing_any_more(world: World) -> None:
    expense = differing(world)
    assert blocks(world, expense)
    expense.has_receipt = False
    # What is said now is that it is missing, where one is required: nothing of the one that was removed.
    assert set(blocks(world, expense)) <= {"A receipt is required and none is attached."}


def test_a_page_of_the_inbox_asks_the_table_once(world: World, django_assert_num_queries: Any) -> None:
    cache.clear()
    keys = [f"expense/{number}" for number in range(50)]
    with django_assert_num_queries(1):
        assert notes_for_lines(world.business, keys) == {}
    with django_assert_num_queries(0):
        assert notes_for_lines(world.business, keys) == {}


def unread(world: World) -> list[tuple[Approval, Bill, str]]:
    return [row for row in unread_payments() if row[0].business_id == world.business.pk]


def test_a_bill_that_is_a_digit_off_blocks_before_anybody_opens_it(world: World) -> None:
    payment = real.bill_payment(world, papers.pdf(papers.INVOICE))
    world.sync("vendors", "bills_whole", "approvals")
    assert blocks(world, payment) == []
    ((approval, bill, read_hash),) = unread(world)
    assert approval.remote_id == payment.remote_id
    assert read_files(approval, bill, read_hash)
    (sentence,) = blocks(world, payment)
    assert "Total 1,248.00 on the document, 1,284.00 on the bill" in sentence
    assert unread(world) == []
    # Of the bill as it was: another one is read again.
    Bill.objects.filter(pk=bill.pk).update(payload_hash="changed")
    assert len(unread(world)) == 1


def test_bills_in_bulk_are_stopped_by_what_their_files_say(world: World) -> None:
    payment = real.bill_payment(world, papers.pdf(papers.INVOICE))
    world.sync("vendors", "bills_whole", "approvals")
    bill_background.read_turn(20, 60)
    cache.clear()
    assert payment.remote_id in blocks_of(world.business, [payment])
    assert DocumentNote.objects.filter(business=world.business, key=f"payment/{payment.remote_id}").exists()


def test_a_credit_note_among_a_bills_files_is_said_blocks_and_stops_no_other(world: World) -> None:
    payment = real.bill_payment(world, papers.credit_note())
    world.sync("vendors", "bills_whole", "approvals")
    assert bill_background.read_turn(20, 60) >= 1
    assert unread(world) == []
    assert "The document is a credit note, not a bill." in blocks(world, payment)
    assert notes_for_lines(world.business, [f"payment/{payment.remote_id}"]) != {}
    browser = world.client("Apollo")
    pane = browser.get(world.address(f"approvals/payment/{payment.remote_id}/"))
    assert pane.status_code == 200
    assert "The document is a credit note, not a bill." in pane.content.decode()
    document = pane.content.decode().split(f"/documents/payment/{payment.remote_id}/")[1].split("/")[0]
    address = world.address(f"documents/payment/{payment.remote_id}/{document}/")
    assert browser.get(address, headers={"HX-Request": "true"}).status_code == 200
    plan = browser.post(
        world.address("approvals/plan/"),
        {"verb": "approve", "list": "show=mine", "ids": [f"payment/{payment.remote_id}"]},
    )
    assert "blocked by policy" in plan.content.decode()


def test_a_payment_that_cannot_be_compared_does_not_stop_those_behind_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    payments = [real.bill_payment(world, papers.pdf(papers.INVOICE)) for _ in range(2)]
    world.sync("vendors", "bills_whole", "approvals")
    first = unread_payments()[0][0].remote_id

    def compared(business: Any, approval: Approval, bill: Bill) -> bool:
        if approval.remote_id == first:
            raise KeyError("a fault of ours")
        return True

    monkeypatch.setattr(bill_background, "_compared", compared)
    assert bill_background.read_turn(20, 60) >= len(payments)
    whole = dict(ReadPayment.objects.values_list("remote_id", "is_whole"))
    assert not whole.pop(first)
    assert any(whole.values())


def test_files_that_cannot_be_had_are_asked_for_again(proxied_world: World) -> None:
    real.bill_payment(proxied_world, papers.pdf(papers.INVOICE))
    proxied_world.sync("vendors", "bills_whole", "approvals")
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("500", path="/bills/files")
    ((approval, bill, read_hash),) = unread(proxied_world)
    assert not read_files(approval, bill, read_hash)
    assert unread(proxied_world) == []
    proxied_world.proxy.heal()
    assert bill_background.ask_again() >= 1
    assert len(unread(proxied_world)) == 1
    assert not ReadPayment.objects.filter(business=proxied_world.business).exists()


def pane_of(world: World, expense: Expense) -> str:
    address = world.address(f"approvals/expense/{expense.remote_id}/")
    return str(world.client("Apollo").get(address, headers={"HX-Request": "true"}).content.decode())


def test_what_was_opened_before_stands_open_in_the_pane_at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    expense = expense_of(world)
    expense = with_receipt(world, expense, receipt_saying(expense, off=100))
    before = pane_of(world, expense)
    assert "data-picture" not in before
    assert f'hx-get="{real.address(world, expense)}"' in before
    opened = world.client("Apollo").get(real.address(world, expense), headers={"HX-Request": "true"}).content.decode()
    at_once = pane_of(world, expense)
    assert f'hx-get="{real.address(world, expense)}"' not in at_once
    assert f"{real.address(world, expense)}page/1/?width=" in at_once
    # The same as asked for: the picture, its size, and what differs.
    for part in ('fetchpriority="high" data-picture', '<tr class="differs red">', 'width="900"'):
        assert part in at_once
        assert part in opened
    with monkeypatch.context() as patched:
        patched.setattr(opening, "READER", f"{READER}9")
        assert "data-picture" not in pane_of(world, expense), "another reader reads it anew"
