"""Exchange, against the real service: rate, history, a quote used once between two wallets, and refusals in words."""

import re
import time
from typing import Any

import pytest
from django.test import Client

from dashboard import cache
from dashboard.audit.models import AuditEntry
from dashboard.errors import Conflict, EntitlementMissing, FinanceError
from dashboard.mirror.models import Wallet
from tests.dashboard.conftest import World
from tests.dashboard.markup import markup_of
from tests.dashboard.treasury.test_wallets import first, grant

PAIR = "treasury/fx/?source=USD&target=KES&side=SELL&span=30"


def proven(world: World, person: str) -> Client:
    """A browser in which the person has just shown that it is them."""
    browser = world.client(person)
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "reauthenticated": True}]
    session.save()
    return browser


def form_of(page: str) -> dict[str, str]:
    """The transfer's form as the page has it."""
    form = page[page.index("/treasury/fx/transfer/") :]
    form = form[: form.index("</form>")]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    return fields | dict(re.findall(r'<input type="radio"[^>]* name="(\w+)" value="(\w+)"[^>]* checked', form))


def quoted(world: World, browser: Client, amount: str = "10") -> dict[str, str]:
    page = markup_of(browser.get(world.address(f"{PAIR}&amount={amount}")))
    return form_of(page)


def test_a_rate_with_its_markup_and_its_history_for_a_reviewer(world: World) -> None:
    page = world.client("Rita").get(world.address(PAIR)).content.decode()
    for word in ("Mid", "Buy", "Sell", "Markup", "Valid until", "data-seconds", "data-chart", "Rate history"):
        assert word in page
    assert "/treasury/fx/transfer/" not in page
    day = re.search(r"Rates by day.*?<td class=\"num\">([\d.]+)<", page, re.DOTALL)
    assert day is not None
    assert 50 < float(day[1]) < 300


def test_past_days_are_asked_once(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    browser, address = proxied_world.client("Ada"), proxied_world.address(PAIR)

    def historic_reads() -> int:
        assert proxied_world.proxy is not None
        return sum("historic-rate" in str(request) for request in proxied_world.proxy.sent())

    browser.get(address)
    once = historic_reads()
    browser.get(address)
    assert once > 10
    assert historic_reads() - once <= 1


def test_money_is_exchanged_by_the_quote_seen_once(world: World) -> None:
    browser = proven(world, "Apollo")
    form = quoted(world, browser)
    usd, kes = first(world, "USD"), first(world)
    held = {
        wallet.currency: world.upstream(f"/accounts/{wallet.remote_id}/balance")["balances"] for wallet in (usd, kes)
    }
    for _ in range(2):
        answer = browser.post(world.address("treasury/fx/transfer/"), form)
        assert answer["Location"] == world.address("treasury/")
    page = browser.get(answer["Location"]).content.decode()
    now = {
        wallet.currency: world.upstream(f"/accounts/{wallet.remote_id}/balance")["balances"] for wallet in (usd, kes)
    }
    assert "was converted to" in page
    assert now["USD"]["posted_minor"] == held["USD"]["posted_minor"] - 1000
    assert now["KES"]["posted_minor"] > held["KES"]["posted_minor"]
    assert AuditEntry.objects.filter(chain=world.business.pk, sentence__contains="transferred money").exists()
    assert "now has" in page
    assert Wallet.objects.get(pk=usd.pk).available_minor == now["USD"]["available_minor"]


def test_who_has_not_shown_that_it_is_them_does_so_first(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    browser = proxied_world.client("Apollo")
    page = browser.get(proxied_world.address(f"{PAIR}&amount=10")).content.decode()
    assert "Verify it's you" in page
    form = quoted(proxied_world, proven(proxied_world, "Apollo"))
    answer = browser.post(proxied_world.address("treasury/fx/transfer/"), form)
    assert answer["Location"].startswith("/-/account/reauthenticate/?next=")
    assert "from_wallet" in answer["Location"]
    assert not any("/fx/transfer" in str(request) for request in proxied_world.proxy.sent())


@pytest.mark.parametrize(
    ("refusal", "message"),
    [(Conflict(code="quote_expired"), "The quote had expired"), (Conflict(code="duplicate"), "already used")],
)
def test_a_quote_that_is_over_brings_a_fresh_one(
    world: World, monkeypatch: pytest.MonkeyPatch, refusal: FinanceError, message: str
) -> None:
    browser = proven(world, "Apollo")
    form = quoted(world, browser)

    def refuse(*_: Any, **__: Any) -> None:
        raise refusal

    monkeypatch.setattr("dashboard.commands.treasury.run", refuse)
    answer = browser.post(world.address("treasury/fx/transfer/"), form | {"note": "rent"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert message in page
    fresh = form_of(page)
    assert fresh["quote_id"] != form["quote_id"]
    assert fresh["key"] != form["key"]
    assert "rent" in page


def test_too_much_is_told_and_nothing_moves(world: World) -> None:
    browser = proven(world, "Apollo")
    form = quoted(world, browser, "900000")
    answer = browser.post(world.address("treasury/fx/transfer/"), form)
    assert answer.status_code == 422
    assert "Nothing was moved" in answer.content.decode()
    assert "insufficient" in answer.content.decode()


def test_an_account_that_is_not_entitled_is_told_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = proven(world, "Apollo")
    form = quoted(world, browser)

    def refuse(*_: Any, **__: Any) -> None:
        raise EntitlementMissing

    monkeypatch.setattr("dashboard.commands.treasury.run", refuse)
    answer = browser.post(world.address("treasury/fx/transfer/"), form)
    assert answer.status_code == 403
    assert "not included in the business" in answer.content.decode()
    assert "Pay from" not in browser.get(world.address(f"{PAIR}&amount=10")).content.decode()
    cache.delete(f"fx:unentitled:{world.business.pk}")


def test_a_policy_lets_a_reviewer_pay_from_that_wallet(world: World) -> None:
    grant(world, "Rita", first(world, "USD"), "WALLET_VIEW", "WALLET_FX")
    page = markup_of(proven(world, "Rita").get(world.address(f"{PAIR}&amount=10")))
    assert "no active wallet in KES" in page
    grant(world, "Rita", first(world), "WALLET_VIEW")
    page = markup_of(proven(world, "Rita").get(world.address(f"{PAIR}&amount=10")))
    assert "Pay from" in page
    assert "no access" in page


def test_who_may_not_is_refused_and_nothing_is_sent(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    address = proxied_world.address("treasury/fx/transfer/")
    for person in ("Carla", "Rita", "Ada", "Sam"):
        assert proven(proxied_world, person).post(address, {"quote_id": "0" * 24}).status_code == 403
    assert proxied_world.client("Carla").get(proxied_world.address("treasury/fx/")).status_code == 403
    assert not any("/fx/" in str(request) for request in proxied_world.proxy.sent())


def test_a_service_that_is_away_and_a_wrong_form_are_told(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    wrong = proxied_world.client("Ada").get(proxied_world.address("treasury/fx/?source=KES&target=KES&amount=1.005"))
    assert wrong.status_code == 400
    assert "KES has 2 digits" in wrong.content.decode()
    proxied_world.proxy.fail("reset")
    page = proxied_world.client("Ada").get(proxied_world.address("treasury/fx/"))
    assert page.status_code == 200
    assert 'role="alert"' in page.content.decode()


def test_a_lost_answer_is_asked_for_again_and_nothing_is_done_twice(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    browser, usd = proven(proxied_world, "Apollo"), first(proxied_world, "USD")
    form = quoted(proxied_world, browser)
    before = proxied_world.upstream(f"/accounts/{usd.remote_id}/balance")["balances"]["posted_minor"]
    proxied_world.proxy.fail("lost reply", path="/fx/transfer")
    answer = browser.post(proxied_world.address("treasury/fx/transfer/"), form)
    page = answer.content.decode()
    assert answer.status_code == 504
    assert "not known whether" in page
    assert "Valid until" not in page
    proxied_world.proxy.heal()
    again = form_of(page)
    assert (again["key"], again["quote_id"]) == (form["key"], form["quote_id"])
    answer = browser.post(proxied_world.address("treasury/fx/transfer/"), again)
    assert answer["Location"] == proxied_world.address("treasury/")
    assert "was converted to" in browser.get(answer["Location"]).content.decode()
    after = proxied_world.upstream(f"/accounts/{usd.remote_id}/balance")["balances"]["posted_minor"]
    assert after == before - 1000
