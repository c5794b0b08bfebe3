"""A single payment, against the real service: the code that was sent first is the one that is entered."""

from __future__ import annotations

from typing import Any

import requests

from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.payouts.test_payouts import page, post, signed_in
from tests.sandbox import sandbox_headers

IBAN = "NL91ABNA0417164300"


def euros(world: World) -> str:
    """A wallet in a currency in which no mandate asks for votes: a payment from it waits for its code at once."""
    wallet = ask(world, "Ada", "POST", "/accounts/add-new-account", {"currency": "EUR", "walletType": "MAIN"})
    world.sync("lookups")
    return str(wallet["org_wallet_ref"])


def paid(world: World, **more: Any) -> Any:
    form = {
        "receiver": "Anna de Vries", "channel": "BANK_SWIFT", "account": IBAN, "bic": "ABNANL2A", "amount": "12.50",
        "wallet": euros(world), "code_channel": "SMS", "key": "single",
    }  # fmt: skip
    client, address = signed_in(world, "Apollo"), world.address("payouts/new/single/")
    review = client.post(address, form | more).content.decode()
    mark = review.split('name="reviewed" value="')[1].split('"')[0]
    return client.post(address, form | more | {"reviewed": mark})


def sent_code(world: World, intent_id: str) -> str:
    query = {"business_id": world.made["business_id"]}
    messages = requests.get(
        f"{world.service}/sandbox/messages", params=query, headers=sandbox_headers(), timeout=30
    ).json()["messages"]
    return str(next(message["code"] for message in messages if message["ref"] == intent_id))


def test_the_first_code_is_entered_on_the_page_of_the_payment_by_whoever_may(world: World) -> None:
    answer = paid(world)
    assert answer.status_code == 302, answer.content.decode()
    [whole] = world.upstream("/payments", kind="BANK_TRANSFER")["docs"]
    assert whole["status"] == "AWAITING_CODE"
    assert answer["Location"] == world.address(f"payouts/{whole['_id']}/")
    # The field is there for whoever opens it, and again after a reload.
    for who in ("Apollo", "Zawadi", "Apollo"):
        shown = page(world, who, f"{whole['_id']}/")
        assert 'name="intent_id" value="' in shown
        assert 'name="code"' in shown
    intent = shown.split('name="intent_id" value="')[1].split('"')[0]
    confirmed = post(world, "Zawadi", f"{whole['_id']}/confirm", intent_id=intent, code=sent_code(world, intent))
    assert confirmed.status_code == 302, confirmed.content.decode()
    [whole] = world.upstream("/payments", batch_no=whole["batch_no"])["docs"]
    assert whole["status"] not in {"AWAITING_CODE", "DRAFT"}


def test_a_code_that_was_sent_again_is_the_one_that_the_page_asks_for(world: World) -> None:
    paid(world)
    [whole] = world.upstream("/payments", kind="BANK_TRANSFER")["docs"]
    first = page(world, "Apollo", f"{whole['_id']}/").split('name="intent_id" value="')[1].split('"')[0]
    post(world, "Apollo", f"{whole['_id']}/code", channel="SMS")
    again = page(world, "Apollo", f"{whole['_id']}/").split('name="intent_id" value="')[1].split('"')[0]
    assert again != first
    refused = post(world, "Apollo", f"{whole['_id']}/confirm", intent_id=first, code=sent_code(world, first))
    assert refused.status_code in {409, 422}
    ok = post(world, "Apollo", f"{whole['_id']}/confirm", intent_id=again, code=sent_code(world, again))
    assert ok.status_code == 302


def test_an_iban_or_a_bic_that_is_none_is_said_at_its_field(world: World) -> None:
    form = {
        "receiver": "Anna de Vries", "channel": "BANK_SWIFT", "account": "NL91ABNA0417164301", "bic": "ABNANL",
        "amount": "12.50", "wallet": euros(world), "code_channel": "SMS", "key": "single",
    }  # fmt: skip
    answer = signed_in(world, "Apollo").post(world.address("payouts/new/single/"), form)
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert "not a valid IBAN" in shown.split('id="id_account_error"')[1].split("</span>")[0]
    assert "not a valid BIC" in shown.split('id="id_bic_error"')[1].split("</span>")[0]
    assert not world.upstream("/payments", kind="BANK_TRANSFER")["docs"]
