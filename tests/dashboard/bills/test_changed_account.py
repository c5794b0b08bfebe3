"""A bill whose file asks to be paid on another account than its vendor's record says so: where it is entered, and on its page.
Against the real service."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_entry import drop, enter, value
from tests.dashboard.conftest import World
from tests.dashboard.documents.papers import pdf

SWAP = {"HX-Request": "true"}


@pytest.fixture
def vendor(world: World) -> Any:
    made = upstream.vendor(world, "Acacia Supplies Ltd", account="512345")
    world.sync("vendors", "bills_whole", "approvals")
    return made


def paper(account: str) -> bytes:
    """A bill of the vendor that asks to be paid there."""
    return pdf([
        "ACACIA SUPPLIES LTD", "Tax Invoice 77", ("Invoice date", "18 Nov 2026"), ("Due date", "21 Dec 2026"),
        ("Total", "KES 100.00"), account,
    ])  # fmt: skip


def test_another_account_is_said_before_the_bill_is_saved_and_on_its_page(world: World, vendor: Any) -> None:
    shown = drop(world, paper("Till No 519911")).content.decode()
    sentence = "Account M-Pesa till ···9911 on the document, M-Pesa till ···2345 on the vendor&#x27;s record"
    assert f"{sentence}. A changed account is how payments are diverted" in shown
    assert '<tr class="differs red">' in shown
    assert "519911" not in shown
    file_id = value(shown, "file_id")
    names = ("bill_no", "issued_at", "due_at")
    assert enter(world, vendor, file_id=file_id, **{name: value(shown, name) for name in names}).status_code == 302
    bill = upstream.copied(world, "77")
    page = world.client("Ada").get(world.address(f"bills/{bill.remote_id}/files/{file_id}/"), headers=SWAP)
    viewer = page.content.decode()
    row = viewer.partition('<th scope="row">Account</th>')
    assert row[0].rindex('<tr class="differs red">') > row[0].rindex("</tr>")
    assert "M-Pesa till ···9911" in row[2].partition("</tr>")[0]
    assert "M-Pesa till ···2345" in row[2].partition("</tr>")[0]
    assert "519911" not in viewer


def test_the_vendors_own_account_is_read_and_gives_no_warning(world: World, vendor: Any) -> None:
    shown = drop(world, paper("Till No 512345")).content.decode()
    assert "A changed account" not in shown
    assert "M-Pesa till ···2345" in shown
    assert "512345" not in shown


def test_where_another_vendor_is_chosen_it_is_compared_with_that_one(world: World, vendor: Any) -> None:
    other = upstream.vendor(world, "Baobab Print", account="771122")
    world.sync("vendors")
    shown = drop(world, paper("Till No 512345")).content.decode()
    again = enter(world, other, file_id=value(shown, "file_id"), bill_no="", add_line="1").content.decode()
    assert "M-Pesa till ···1122 on the vendor&#x27;s record" in again
