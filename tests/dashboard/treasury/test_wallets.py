"""Wallets, against the real service: what they hold, the statement, opening, suspending; each to whom it is shown."""

from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Wallet
from dashboard.money import text
from tests.dashboard.conftest import World
from tests.dashboard.markup import markup_of


def body(world: World, person: str, path: str = "treasury/") -> str:
    return markup_of(world.client(person).get(world.address(path)))


def first(world: World, currency: str = "KES") -> Wallet:
    return Wallet.objects.get(business=world.business, currency=currency)


def grant(world: World, person: str, wallet: Wallet, *permissions: str) -> None:
    employee = world.employee(person)["employee_id"]
    given = {"wallet_id": wallet.remote_id, "employee_id": employee, "permissions": list(permissions)}
    world.send("POST", "/wallet-policies", given)
    world.sync("lookups", "policies", "wallet_rights")


def test_each_wallet_says_what_it_holds_as_the_service_does(world: World) -> None:
    page = body(world, "Ada")
    for wallet in Wallet.objects.filter(business=world.business):
        held = world.upstream(f"/accounts/{wallet.remote_id}/balance")["balances"]
        assert text(held["available_minor"], wallet.currency) in page
        assert wallet.name in page
    assert "copy, as of" not in page


def test_a_service_that_is_away_leaves_the_copy_and_says_so(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("reset")
    wallet = first(proxied_world)
    page = body(proxied_world, "Ada")
    assert "copy, as of" in page
    assert "Try again" in page
    wallet_page = body(proxied_world, "Ada", f"treasury/{wallet.remote_id}/")
    assert 'role="alert"' in wallet_page
    assert "copy, as of" in wallet_page


def test_a_statement_runs_to_the_balance(world: World) -> None:
    wallet = first(world)
    world.sandbox("top-up", org_wallet_ref=wallet.org_wallet_ref, amount=1234.5)
    entries = world.upstream(f"/accounts/{wallet.remote_id}/transactions")["docs"]
    page = body(world, "Apollo", f"treasury/{wallet.remote_id}/")
    assert "1,234.50" in page
    assert f"{entries[0]['running_balance']:,.2f}" in page
    later = body(world, "Apollo", f"treasury/{wallet.remote_id}/?first=2019-01-01&last=2019-01-02")
    assert "No entries in this period" in later
    assert "before the start date" in body(
        world, "Apollo", f"treasury/{wallet.remote_id}/?first=2020-01-02&last=2020-01-01"
    )


def test_suspended_and_activated_it_is_so_at_the_service(world: World) -> None:
    wallet, browser = first(world), world.client("Apollo")
    address = world.address(f"treasury/{wallet.remote_id}/")
    assert browser.post(f"{address}suspend/", {"key": "a"})["Location"] == address
    assert world.upstream(f"/accounts/{wallet.remote_id}")["status"] == "SUSPENDED"
    assert first(world).status == "SUSPENDED"
    assert "Activate" in browser.get(address).content.decode()
    browser.post(f"{address}activate/", {"key": "b"})
    assert world.upstream(f"/accounts/{wallet.remote_id}")["status"] == "ACTIVE"
    assert AuditEntry.objects.filter(chain=world.business.pk, sentence=f"activated wallet {wallet.name}").exists()


def test_a_wallet_of_a_new_currency_is_opened_once(world: World) -> None:
    form = {"currency": "eur", "wallet_type": "SUB", "purpose": "payroll", "name": "Salaries", "key": "same"}
    answers = [world.client("Ada").post(world.address("treasury/new/"), form) for _ in range(2)]
    opened = first(world, "EUR")
    assert [answer["Location"] for answer in answers] == [world.address(f"treasury/{opened.remote_id}/")] * 2
    assert (opened.wallet_type, opened.name) == ("SUB:payroll", "Salaries")
    again = world.client("Ada").post(world.address("treasury/new/"), form | {"key": "other"})
    assert again.status_code == 422
    assert "Nothing was changed" in again.content.decode()


def test_a_form_that_was_refused_is_put_right_and_sent_again(world: World) -> None:
    form = {"currency": "ZZZ", "wallet_type": "SUB", "purpose": "fuel", "name": "Fuel", "key": "mended"}
    for _ in range(2):
        assert "ZZZ" in world.client("Ada").post(world.address("treasury/new/"), form).content.decode()
    answers = [world.client("Ada").post(world.address("treasury/new/"), form | {"currency": "KES"}) for _ in range(2)]
    opened = Wallet.objects.get(business=world.business, wallet_type="SUB:fuel")
    assert [answer["Location"] for answer in answers] == [world.address(f"treasury/{opened.remote_id}/")] * 2


@pytest.mark.parametrize(
    ("changed", "message"),
    [({"currency": "K1S"}, "three letters"), ({"wallet_type": "SUB"}, "in one word"), ({"currency": "ZZZ"}, "ZZZ")],
)
def test_what_is_wrong_is_told(world: World, changed: dict[str, str], message: str) -> None:
    answer: Any = world.client("Ada").post(
        world.address("treasury/new/"), {"currency": "KES", "wallet_type": "MAIN"} | changed
    )
    assert answer.status_code == 422
    assert message in answer.content.decode()


def test_a_policy_opens_that_wallet_and_no_other(world: World) -> None:
    kes, usd = first(world), first(world, "USD")
    assert "No wallets available to you" in body(world, "Carla")
    grant(world, "Carla", kes, "WALLET_VIEW")
    page = body(world, "Carla")
    assert kes.name in page
    assert usd.name not in page
    assert "no access" in page
    browser = world.client("Carla")
    assert browser.get(world.address(f"treasury/{usd.remote_id}/")).status_code == 404
    wallet_page = browser.get(world.address(f"treasury/{kes.remote_id}/")).content.decode()
    assert "not to its balance" in wallet_page
    assert "not to its statement" in wallet_page
    grant(world, "Rita", kes, "WALLET_VIEW", "WALLET_VIEW_BALANCE", "WALLET_VIEW_TRANSACTIONS")
    wallet_page = body(world, "Rita", f"treasury/{kes.remote_id}/")
    assert "Balance, KES" in wallet_page
    assert "Suspend wallet" not in wallet_page


def test_who_may_not_change_is_refused_and_nothing_is_sent(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    wallet, before = first(proxied_world), len(proxied_world.proxy.sent())
    for person in ("Carla", "Rita", "Sam"):
        address = proxied_world.address(f"treasury/{wallet.remote_id}/suspend/")
        assert proxied_world.client(person).post(address).status_code == 403
        assert proxied_world.client(person).post(proxied_world.address("treasury/new/")).status_code == 403
    assert len(proxied_world.proxy.sent()) == before


def test_a_wallet_gets_another_name_and_is_closed_once_it_is_empty(world: World) -> None:
    ada, opened = world.client("Ada"), {"currency": "USD", "wallet_type": "SUB", "purpose": "travel", "name": "Travel"}
    address = ada.post(world.address("treasury/new/"), opened)["Location"]
    assert "Rename or close wallet" in markup_of(ada.get(address))
    refused = ada.post(f"{address}rename/", {"rename-name": "\u200b"})
    assert refused.status_code == 422
    assert 'id="id_rename-name_error"' in markup_of(refused)
    assert ada.post(f"{address}rename/", {"rename-name": "Trips"}).status_code == 302
    wallet = Wallet.objects.get(business=world.business, name="Trips")
    assert world.upstream(f"/accounts/{wallet.remote_id}")["name"] == "Trips"
    assert ada.post(f"{address}close/").status_code == 302
    assert world.upstream(f"/accounts/{wallet.remote_id}")["status"] == "CLOSED"
    assert "Rename or close wallet" not in markup_of(ada.get(address))


def test_a_wallet_that_holds_money_stays_open_and_says_why(world: World) -> None:
    wallet, ada = first(world), world.client("Ada")
    answer = ada.post(world.address(f"treasury/{wallet.remote_id}/close/"), follow=True)
    assert "toast bad" in markup_of(answer)
    assert world.upstream(f"/accounts/{wallet.remote_id}")["status"] == "ACTIVE"


@pytest.mark.parametrize("who", ["Carla", "Rita", "Selma"])
def test_whoever_opens_no_wallets_renames_and_closes_none(world: World, who: str) -> None:
    wallet = first(world)
    for rest in ("rename", "close"):
        answer = world.client(who).post(world.address(f"treasury/{wallet.remote_id}/{rest}/"), {"rename-name": "Mine"})
        assert answer.status_code == 403
    assert world.upstream(f"/accounts/{wallet.remote_id}")["name"] == wallet.name


def test_a_currency_is_added_and_a_wallet_opened_in_it(world: World) -> None:
    ada = world.client("Ada")
    before = body(world, "Ada", "treasury/currencies/")
    assert "Open a wallet in KES" in before
    assert "Open a wallet in UGX" not in before

    answer = ada.post(world.address("treasury/currencies/add/"), {"currency": "ugx", "key": "one-key"}, follow=True)
    assert "Open a wallet in UGX" in markup_of(answer)
    assert "UGX" in {row["code"] for row in world.upstream("/accounts/business-currencies")["docs"]}
    assert AuditEntry.objects.filter(sentence__contains="added the currency UGX").exists()

    sent = {"wallet_type": "MAIN", "name": "Kampala", "key": "another-key"}
    ada.post(world.address("treasury/currencies/UGX/open/"), sent)
    assert Wallet.objects.get(business=world.business, currency="UGX").name == "Kampala"


def test_no_wallet_is_opened_in_a_currency_that_the_business_does_not_have(world: World) -> None:
    sent = {"wallet_type": "MAIN", "name": "Tokyo", "key": "a-key"}
    answer = world.client("Ada").post(world.address("treasury/currencies/JPY/open/"), sent)
    assert answer.status_code == 422
    page = markup_of(answer)
    assert "Tokyo" in page
    assert "has no currency JPY" in page, page[page.index('<form class="paper') - 900 :][:1500]
    assert not Wallet.objects.filter(business=world.business, currency="JPY").exists()


@pytest.mark.parametrize("code", ["", "KESS", "K3S", "shilling"])
def test_what_is_no_currency_is_said_at_its_field(world: World, code: str) -> None:
    answer = world.client("Ada").post(world.address("treasury/currencies/add/"), {"currency": code, "key": "k"})
    assert answer.status_code == 422
    assert 'id="id_currency_error"' in markup_of(answer) or "errorlist" in markup_of(answer)


@pytest.mark.parametrize(("person", "status"), [("Carla", 403), ("Rita", 403), ("Apollo", 200), ("Sam", 200)])
def test_who_sees_the_currencies(world: World, person: str, status: int) -> None:
    answer = world.client(person).get(world.address("treasury/currencies/"))
    assert answer.status_code == status
    assert ("Add a currency" in markup_of(answer)) is (person == "Apollo")
