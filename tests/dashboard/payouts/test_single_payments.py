"""A single payment with its code or its votes, and a phone that is asked for money."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from dashboard.pages.payouts.presenters.requests import MobileMoneyRow, requests_context
from dashboard.schemas.payments import MobileMoneyRequest
from tests.dashboard.conftest import World
from tests.dashboard.payouts.test_payouts import page, signed_in


def test_a_single_payment_needs_its_code_or_its_votes_and_is_made_once(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    form = {
        "receiver": "Doris Wambua", "channel": "MPESA_SEND_MONEY", "account": "0712 345 999", "amount": "1,250.50",
        "wallet": "1", "code_channel": "SMS", "key": "one",
    }  # fmt: skip
    client = signed_in(world, "Ada")
    review = client.post(world.address("payouts/new/single/"), form).content.decode().replace("\xa0", " ")
    assert not world.upstream("/payments", kind="BANK_TRANSFER")["docs"]
    mark = re.search(r'name="reviewed" value="([0-9a-f]+)"', review)
    assert mark is not None
    before, after = (Decimal(amount.replace(",", "")) for amount in re.findall(r"<(?:s|ins)>KES ([-\d,.]+)</", review))
    changed = client.post(world.address("payouts/new/single/"), form | {"reviewed": mark[1], "amount": "9,250.50"})
    assert changed.status_code == 200
    assert not world.upstream("/payments", kind="BANK_TRANSFER")["docs"]
    form |= {"reviewed": mark[1]}
    for _ in range(2):
        answer = client.post(world.address("payouts/new/single/"), form)
        assert answer.status_code == 302, answer.content.decode()
    [whole] = world.upstream("/payments", kind="BANK_TRANSFER")["docs"]
    assert whole["status"] in {"PENDING_APPROVAL", "AWAITING_CODE"}
    assert whole["total_amount_minor"] == 125_050
    assert before - after == Decimal(whole["total_amount_minor"] + whole["total_fees_minor"]) / 100
    refused = client.post(world.address("payouts/new/single/"), form | {"account": "12", "key": "two"})
    assert refused.status_code == 422
    assert "not a Kenyan mobile number" in refused.content.decode()


def test_a_phone_is_asked_for_money_once(world: World) -> None:
    form = {"phone": "0712 345 678", "amount": "500", "wallet": "1", "reference": "INV-7", "key": "push"}
    client = signed_in(world, "Ada")
    for _ in range(2):
        assert client.post(world.address("payouts/request/"), form).status_code == 302
    wallet = next(row for row in world.upstream("/accounts")["docs"] if row["org_wallet_ref"] == "1")
    balance = world.upstream(f"/accounts/{wallet['_id']}/balance")["balances"]
    assert Decimal(str(balance["pending_in"])) == 500


def test_the_requests_stand_on_their_page_with_what_became_of_them_late_too(world: World) -> None:
    form = {"phone": "0712 345 678", "amount": "500", "wallet": "1", "reference": "INV-7", "key": "push"}
    assert "No phone was asked for money yet." in page(world, "Ada", "request/")
    signed_in(world, "Ada").post(world.address("payouts/request/"), form)
    shown = page(world, "Apollo", "request/").replace("\xa0", " ")
    for part in ("···5678", "INV-7", "KES 500.00", "Waiting for an answer"):
        assert part in shown
    assert "254712345678" not in shown
    row = {
        "_id": "a" * 24, "phone": "254712345678", "amount_minor": 50_000, "currency": "KES", "status": "TIMED_OUT",
        "asked_until": (timezone.now() + timedelta(hours=20)).isoformat(), "requested_by": "-",
    }  # fmt: skip
    late = requests_rows(world, row)
    assert (late.state, late.remark[:34]) == ("No answer yet", "Credited all the same if it comes ")
    paid = requests_rows(
        world, row | {"status": "SUCCEEDED", "receipt": "QK1", "updatedAt": timezone.now().isoformat()}
    )
    assert (paid.state, paid.remark[:12]) == ("Received", "Receipt QK1,")


def requests_rows(world: World, row: dict[str, Any]) -> MobileMoneyRow:
    read = [MobileMoneyRequest.model_validate(row)], 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dashboard.pages.payouts.presenters.requests.recent_requests", lambda _: read)
        rows = requests_context(world.actor("Ada"))["requests"]
    assert rows
    return rows[0]
