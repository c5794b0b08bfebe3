"""The early-payment discount of a bill: typed, said on the item and in a payment run, and taken only by who chooses it."""

import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from dashboard.bulk.models import Batch
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_entry import enter, hint
from tests.dashboard.bills.test_payment_runs import begun
from tests.dashboard.bulk.conftest import batch_page, no_queue, planned
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask

__all__ = ["no_queue"]


@pytest.fixture
def vendor(world: World) -> Any:
    made = upstream.vendor(world, "Otieno & Sons Ltd")
    world.sync("vendors", "bills_whole", "approvals")
    return made


def day(world: World, days: int = 5) -> str:
    return str((upstream.today(world.business) + timedelta(days=days)).isoformat())


def discounted(world: World, vendor: Any, number: str, days: int = 5) -> Any:
    made = upstream.bill(world, vendor, number=number, amount=1000, discount_percent=2, discount_until=day(world, days))
    world.sync("vendors", "bills_whole", "approvals")
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
    proxied_world.sync("vendors", "bills_whole", "approvals")
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


def test_sent_again_it_takes_what_it_took_whatever_is_open_by_then(
    world: World, vendor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = discounted(world, vendor, "A-1")
    assert pay(world, made, amount="400").status_code == 302
    form = {"amount": "600", "take_discount": "on", "key": "the-same"}
    assert pay(world, made, **form).status_code == 302
    assert pay(world, made, **form).status_code == 302
    later = upstream.today(world.business) + timedelta(days=9)
    monkeypatch.setattr("dashboard.commands.discounts.today", lambda _: later)
    assert pay(world, made, **form).status_code == 302
    assert payments(world, made) == [(40_000, 0), (58_800, 1_200)]


def test_after_the_last_day_it_is_not_offered(world: World, vendor: Any) -> None:
    made = discounted(world, vendor, "A-1", days=-1)
    assert "Take the early-payment discount" not in upstream.page(world, "Ada", f"bills/{made['_id']}/pay/")
    assert "is saved" not in upstream.page(world, "Ada", f"bills/{made['_id']}/")


def run_with(world: World, batch: Batch, **form: Any) -> Batch:
    """The run planned anew with what was chosen on its page."""
    answer = world.client("Ada").post(world.address(f"bills/runs/{batch.pk}/wallets/"), {"wallet-KES": "1", **form})
    assert answer.status_code == 302, answer.content.decode()
    return Batch.objects.get(pk=answer["Location"].rstrip("/").rsplit("/", 1)[-1])


def test_a_payment_run_takes_the_discounts_that_are_chosen_and_sends_what_it_planned(
    proxied_world: World, no_queue: list[str]
) -> None:
    world = proxied_world
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    vendor = upstream.vendor(world, "Otieno & Sons Ltd")
    first, second = discounted(world, vendor, "A-1"), discounted(world, vendor, "A-2")
    late = discounted(world, vendor, "A-3", days=-1)
    batch = planned(world, "Ada", "bills", "pay", ids=[made["_id"] for made in (first, second, late)])
    shown = batch_page(world, "Ada", batch)
    assert "20.00 is saved if it is paid by" in shown
    assert "2 of them without their early-payment discount" in shown
    choice = upstream.page(world, "Ada", f"bills/runs/{batch.pk}/wallets/")
    assert "980.00 instead of" in choice
    assert "A-3" not in choice
    refused = world.client("Ada").post(
        world.address(f"bills/runs/{batch.pk}/wallets/"), {"wallet-KES": "1", "discounted": [late["_id"]]}
    )
    assert refused.status_code == 422
    again = run_with(world, batch, discounted=[first["_id"]])
    assert dict(again.rows.values_list("title", "amount")) == {
        "A-1 of Otieno & Sons Ltd": "KES\xa0980.00", "A-2 of Otieno & Sons Ltd": "KES\xa01,000.00",
        "A-3 of Otieno & Sons Ltd": "KES\xa01,000.00",
    }  # fmt: skip
    assert "1 of them with their early-payment discount" in batch_page(world, "Ada", again)
    [balance] = again.balances
    assert balance["moved"] == -298_000
    begun(world, again)
    assert payments(world, first) == [(98_000, 2_000)]
    assert payments(world, second) == [(100_000, 0)]
    assert payments(world, late) == [(100_000, 0)]
    assert world.proxy is not None
    [sent] = world.proxy.sent("POST", f"/bills/{first['_id']}/payments")
    body = json.loads(sent.body, parse_float=Decimal)
    assert (Decimal(body["amount"]), body["take_discount"]) == (Decimal(980), True)


def test_a_run_that_takes_all_is_retried_with_them(proxied_world: World, no_queue: list[str]) -> None:
    world = proxied_world
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    vendor = upstream.vendor(world, "Otieno & Sons Ltd")
    bills = [discounted(world, vendor, number) for number in ("A-1", "A-2")]
    batch = run_with(
        world, planned(world, "Ada", "bills", "pay", ids=[made["_id"] for made in bills]), all_discounts="on"
    )
    assert world.proxy is not None
    world.proxy.fail("403", method="POST", path=bills[0]["_id"], times=1)
    begun(world, batch)
    assert payments(world, bills[0]) == []
    answer = world.client("Ada").post(world.address(f"bulk/{batch.pk}/retry/"))
    again = Batch.objects.get(pk=answer["Location"].rstrip("/").rsplit("/", 1)[-1])
    begun(world, again)
    assert [payments(world, made) for made in bills] == [[(98_000, 2_000)], [(98_000, 2_000)]]


def test_where_more_is_open_by_now_nothing_is_paid(world: World, vendor: Any, no_queue: list[str]) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    made = discounted(world, vendor, "A-1")
    batch = run_with(world, planned(world, "Ada", "bills", "pay", ids=[made["_id"]]), discounted=[made["_id"]])
    lines = [{"description": "Paper", "qty": 1, "unit_price": 1500}]
    ask(world, "Ada", "PUT", f"/bills/{made['_id']}", {"line_items": lines})
    begun(world, batch)
    assert payments(world, made) == []
    assert set(batch.rows.values_list("state", flat=True)) <= {"REFUSED", "CHANGED"}


def test_a_new_bill_starts_with_the_terms_of_its_vendor(world: World) -> None:
    named = upstream.vendor(world, "Acacia Ltd", discount_percent=2, discount_days=10)
    plain = upstream.vendor(world, "Plain Ltd")
    world.sync("vendors", "bills_whole", "approvals")
    terms = f"bills/new/terms/?vendor_id={named['_id']}&issued_at=2026-01-05"
    assert "terms of Acacia Ltd, 2 % within 10 days of the issue, until 15 Jan 2026" in upstream.page(
        world, "Ada", terms
    )
    assert "if it has any" in upstream.page(world, "Ada", f"bills/new/terms/?vendor_id={plain['_id']}&issued_at=soon")
    assert "2 % within 10 days" in hint(
        upstream.page(world, "Ada", f"bills/new/?vendor={named['_id']}"), "discount_percent"
    )
    assert enter(world, named).status_code == 302
    row = upstream.copied(world, "INV-1")
    assert row.payload["discount_until"] == day(world, 10)
    assert "2 % until" in (shown := upstream.page(world, "Ada", f"bills/{row.remote_id}/"))
    assert "the vendor&#x27;s terms" in shown
    assert enter(world, named, bill_no="INV-2", discount_percent="0", meant=row.remote_id).status_code == 302
    assert upstream.copied(world, "INV-2").payload["discount_until"] is None
    assert world.client("Selma").get(world.address(terms)).status_code == 403


def test_the_terms_are_typed_with_the_vendor(world: World) -> None:
    add = world.address("vendors/new/")
    form = {"name": "Acacia Ltd", "type": "BUSINESS", "discount_percent": "2.5", "discount_days": ""}
    half = world.client("Ada").post(add, form)
    assert (half.status_code, "id_discount_days_error" in half.content.decode()) == (422, True)
    assert world.client("Ada").post(add, form | {"discount_days": "10"}).status_code == 302
    row = upstream.copied_vendor(world, "Acacia Ltd")
    assert "2.5 % within 10 days of the issue" in upstream.page(world, "Rita", f"vendors/{row.remote_id}/")
    edit = world.address(f"vendors/{row.remote_id}/edit/")
    kept = {"name": "Acacia Ltd", "type": "BUSINESS", "country": "KE", "currency": "KES"}
    assert world.client("Ada").post(edit, kept).status_code == 302
    assert world.upstream(f"/vendors/{row.remote_id}")["discount_days"] == 0
