"""The purchase order of a bill: typed, shown, searched, filtered, and part of the warning about duplicates."""

from typing import Any

import pytest

from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_entry import enter
from tests.dashboard.conftest import World


@pytest.fixture
def vendor(world: World) -> Any:
    made = upstream.vendor(world, "Otieno & Sons Ltd")
    world.sync("vendors", "bills_whole", "approvals")
    return made


def test_it_is_typed_shown_searched_filtered_and_taken_off(world: World, vendor: Any) -> None:
    assert enter(world, vendor, bill_no="A-1", purchase_order=" PO-1042 ").status_code == 302
    row = upstream.copied(world, "A-1")
    assert row.purchase_order == "PO-1042"
    assert "PO-1042" in upstream.page(world, "Selma", f"bills/{row.remote_id}/")
    assert "A-1" in upstream.page(world, "Ada", "bills/?q=PO-1042")
    assert "A-1" in upstream.page(world, "Ada", "bills/?order=po-1042")
    assert "A-1" not in upstream.page(world, "Ada", "bills/?order=PO-9")
    edit = world.address(f"bills/{row.remote_id}/edit/")
    form = {"bill_no": "A-1", "issued_at": row.issued_on.isoformat(), "purchase_order": "", "line-TOTAL_FORMS": "1",
            "line-INITIAL_FORMS": "0", "line-0-description": "Paper", "line-0-unit_price": "5"}  # fmt: skip
    assert world.client("Ada").post(edit, form).status_code == 302
    row.refresh_from_db()
    assert row.purchase_order == ""


def test_the_same_amount_for_the_same_order_is_warned_of_however_long_ago(world: World, vendor: Any) -> None:
    upstream.bill(world, vendor, number="OLD-7", amount=11600, issued=-200, due=-170, purchase_order="PO-7")
    world.sync("vendors", "bills_whole", "approvals")
    warned = enter(world, vendor, bill_no="B-1", purchase_order="po-7")
    shown = warned.content.decode()
    assert warned.status_code == 409
    assert "OLD-7" in shown
    assert "purchase order <bdi>PO-7</bdi>" in shown
    assert "the same amount for the same purchase order" in shown
    assert enter(world, vendor, bill_no="B-1", purchase_order="PO-8").status_code == 302
