"""The early-payment discount of a bill: typed, said on the item and in a payment run, and taken only by who chooses it."""

import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_entry import enter
from tests.dashboard.bulk.conftest import batch_page, planned
from tests.dashboard.conftest import World


@pytest.fixture
def vendor(world: World) -> Any:
    made = upstream.vendor(world, "Otieno & Sons Ltd")
    world.sync()
    return made


def day(world: World, days: int = 5) -> str:
    return str((upstream.today(world.business) + timedelta(days=days)).isoformat())


def discounted(world: World, vendor: Any, number: str, days: int = 5) -> Any:
    made = upstream.bill(world, vendor, number=number, amount=1000, discount_percent=2, discount_until=day(world, days))
    world.sync()
    return made


def test_it_is_typed_and_the_item_says_what_is_saved(world: World, vendor: Any) -> None:
    assert enter(world, vendor, discount_percent="2", discount_until=day(world)).status_code == 302
    row = upstream.copied(world, "INV-1")
    shown = upstream.page(world, "Selma", f"bills/{row.remote_id}/")
    assert "2 % until" in shown
    assert "232.00 is saved if it is paid by" in shown


@pytest.mark.parametrize(
    ("form", "name"),
    [({"discount_percent": "2"}, "discount_until"), ({"discount_until": "2027-01-01"}, "discount_percent"), ({"discount_percent": "-1"}, "discount_percent")],
)  # fmt: skip
def test_half_of_the_terms_is_refused_beside_the_other(
    world: World, vendor: Any, form: dict[str, str], name: str
) -> None:
    answer = enter(world, vendor, **form)
    assert answer.status_code == 422
    assert f"id_{name}_error" in answer.content.decode()


def pay(world: World, made: Any, **form: str) -> Any:
    address = world.address(f"bills/{made['_id']}/pay/")
    vendor = world.upstream(f"/vendors/{made['vendor_id']}")
    account = vendor["payment_instructions"][0]["_id"]
    return world.client("Ada").post(address, {"org_wallet_ref": "1", "account": account, "draft": "1", **form})


def payments(world: World, made: Any) -> list[tuple[int, int]]:
    refs = world.upstream(f"/bills/{made['_id']}")["payments"]
    rows = [world.upstream(f"/bills/payments/{ref}/status") for ref in refs]
    return [(row["amount_minor"], row["discount_minor"]) for row in rows]


def test_the_reduced_amount_is_paid_only_where_it_is_chosen(world: World, vendor: Any) -> None:
    first, second = discounted(world, vendor, "A-1"), discounted(world, vendor, "A-2")
    page = upstream.page(world, "Ada", f"bills/{first['_id']}/pay/")
    assert "Take the early-payment discount" in page
    assert "980.00 is paid" in page
    assert pay(world, first, amount="1,000", take_discount="on").status_code == 302
    assert pay(world, second, amount="1,000").status_code == 302
    assert payments(world, first) == [(98_000, 2_000)]
    assert payments(world, second) == [(100_000, 0)]
    assert "Discount taken" in upstream.page(world, "Ada", f"bills/{first['_id']}/")
    assert "already claim all" in upstream.page(world, "Ada", f"bills/{first['_id']}/pay/")


def test_the_amount_that_was_shown_is_sent_with_it(proxied_world: World) -> None:
    """Without it the service would pay whatever is open by then."""
    vendor = upstream.vendor(proxied_world, "Otieno & Sons Ltd")
    proxied_world.sync()
    made = discounted(proxied_world, vendor, "A-1")
    assert pay(proxied_world, made, amount="1,000", take_discount="on").status_code == 302
    assert proxied_world.proxy is not None
    [sent] = proxied_world.proxy.sent("POST", f"/bills/{made['_id']}/payments")
    body = json.loads(sent.body, parse_float=Decimal)
    assert (Decimal(body["amount"]), body["take_discount"]) == (Decimal(980), True)


def test_a_part_or_a_late_day_does_not_take_it(world: World, vendor: Any) -> None:
    made = discounted(world, vendor, "A-1")
    part = pay(world, made, amount="500", take_discount="on")
    late = pay(world, made, amount="1,000", take_discount="on", scheduled_on=day(world, 6))
    assert (part.status_code, late.status_code) == (422, 422)
    assert "all that is open is paid" in part.content.decode()
    assert "after the last day" in late.content.decode()
    assert payments(world, made) == []


def test_after_the_last_day_it_is_not_offered(world: World, vendor: Any) -> None:
    made = discounted(world, vendor, "A-1", days=-1)
    assert "Take the early-payment discount" not in upstream.page(world, "Ada", f"bills/{made['_id']}/pay/")
    assert "is saved" not in upstream.page(world, "Ada", f"bills/{made['_id']}/")


def test_a_payment_run_says_what_is_saved_by_paying_one_early(world: World, vendor: Any) -> None:
    made = discounted(world, vendor, "A-1")
    batch = planned(world, "Ada", "bills", "pay", ids=[made["_id"]])
    shown = batch_page(world, "Ada", batch)
    assert "20.00 is saved if it is paid by" in shown
    assert "without their early-payment discount" in shown
