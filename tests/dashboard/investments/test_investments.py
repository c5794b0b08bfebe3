"""Investments against the real service: asked for, approved, topped up, invested, withdrawn; operators and access."""

import re
from typing import Any

import pytest
from django.test import Client

from dashboard.access.actor import Actor
from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import ApprovalRequest, FundAccount
from tests.dashboard.conftest import World
from tests.dashboard.markup import markup_of
from tests.dashboard.treasury.test_exchange import proven


def funds(world: World) -> list[dict[str, Any]]:
    return [row for row in world.upstream("/investments/funds")["docs"] if row["currency"] == "KES"]


def ask(world: World, person: str = "Ada") -> Any:
    given = {"fund_id": funds(world)[0]["_id"], "note": "Reserves", "key": "once"}
    return world.client(person).post(world.address("investments/opt-in/"), given)


def held(world: World) -> FundAccount:
    """A fund account in use, with money in its wallet: of the first fund, whatever others have been asked for."""
    ask(world)
    fund = funds(world)[0]["_id"]
    [ref] = (row["_id"] for row in world.upstream("/investments/accounts")["docs"] if row["fund_id"] == fund)
    opt_in = ApprovalRequest.objects.get(business=world.business, kind="fund_opt_in", payload__fund_id=fund)
    apollo = {"X-Acting-Employee": world.employee("Apollo")["employee_id"]}
    world.send("POST", f"/investments/opt-in/{opt_in.ref}/approve", {}, headers=apollo)
    world.sync("lookups", "funds", "requests")
    return FundAccount.objects.get(business=world.business, remote_id=ref)


def page_of(client: Client, world: World, path: str = "investments/") -> str:
    return markup_of(client.get(world.address(path)))


def post(world: World, person: str, fund_account: FundAccount, path: str, **given: Any) -> Any:
    return proven(world, person).post(
        world.address(f"investments/{fund_account.remote_id}/{path}/"), {"key": path, **given}
    )


def permissions(world: World, fund_account: FundAccount) -> dict[str, Any]:
    """The operators as the service has them, with their version."""
    answer: dict[str, Any] = world.upstream(f"/investments/accounts/{fund_account.remote_id}/permissions")
    return answer


def operators(world: World, fund_account: FundAccount) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = permissions(world, fund_account)["operators"]
    return rows


def name(world: World, person: str, fund_account: FundAccount, expected: int = 302, **given: Any) -> Any:
    """Somebody replaces the operators by a form that was just opened."""
    version = permissions(world, fund_account)["version"]
    form = {"version": version, "key": f"{person}-{version}-{len(str(given))}", **given}
    answer = world.client(person).post(world.address(f"investments/{fund_account.remote_id}/operators/"), form)
    assert answer.status_code == expected, answer.content
    return answer


def confirm(
    world: World, person: str, fund_account: FundAccount, employee_id: str, browser: Client | None = None
) -> Any:
    """Somebody who has just shown that it is them confirms an operator of now."""
    form = {"version": permissions(world, fund_account)["version"], "key": f"confirm-{employee_id}"}
    address = world.address(f"investments/{fund_account.remote_id}/operators/{employee_id}/confirm/")
    return (browser or proven(world, person)).post(address, form)


def test_a_fund_is_asked_for_and_waits_for_approval(world: World) -> None:
    fund = funds(world)[0]
    assert fund["name"] in page_of(world.client("Ada"), world)
    answer = ask(world)
    assert answer["Location"] == world.address("investments/")
    account = world.upstream("/investments/accounts")["docs"][0]
    assert (account["fund_id"], account["status"]) == (fund["_id"], "PENDING_OPT_IN")


def test_money_goes_in_and_out_and_each_step_is_at_the_service(world: World) -> None:
    fund_account = held(world)
    wallet = next(row["org_wallet_ref"] for row in world.upstream("/accounts")["docs"] if row["currency"] == "KES")
    least = funds(world)[0]["min_initial"]
    assert post(world, "Apollo", fund_account, "top-up", amount=least * 2, wallet=wallet).status_code == 302
    assert post(world, "Apollo", fund_account, "invest", amount=least * 2, wallet="").status_code == 302
    world.sandbox("settle")
    account = world.upstream(f"/investments/accounts/{fund_account.remote_id}")
    assert [row["kind"] for row in account["movements"]] == ["INVEST", "TOP_UP"]
    page = page_of(world.client("Apollo"), world, f"investments/{fund_account.remote_id}/")
    assert "Invested" in page
    assert "moves money of every fund account" in page
    assert post(world, "Apollo", fund_account, "withdraw", measure="all", amount="", wallet="").status_code == 302
    sentences = set(AuditEntry.objects.filter(chain=world.business.pk).values_list("operation", flat=True))
    assert {"top_up_investment", "invest", "withdraw_investment"} <= sentences


def test_what_is_wrong_stands_beside_its_field_and_is_kept(world: World) -> None:
    fund_account = held(world)
    answer = post(world, "Apollo", fund_account, "invest", amount="0.01", wallet="")
    assert answer.status_code == 422
    assert re.search(r'name="amount" value="0.01"[^>]* autofocus', markup_of(answer))
    empty = post(world, "Apollo", fund_account, "withdraw", measure="units", amount="", wallet="")
    assert "Enter an amount." in markup_of(empty)
    assert post(world, "Apollo", fund_account, "invest", amount="-5", wallet="").status_code == 422


def test_money_moves_only_after_showing_that_it_is_you(world: World) -> None:
    fund_account = held(world)
    address = world.address(f"investments/{fund_account.remote_id}/invest/")
    answer = world.client("Apollo").post(address, {"key": "k", "amount": "500", "wallet": ""})
    assert "/-/account/reauthenticate/" in answer["Location"]


def test_operators_are_replaced_and_an_old_set_is_refused(world: World) -> None:
    fund_account = held(world)
    rita = world.employee("Rita")["employee_id"]
    address = world.address(f"investments/{fund_account.remote_id}/operators/")
    version = world.upstream(f"/investments/accounts/{fund_account.remote_id}/permissions")["version"]
    form = {"version": version, "invest": [rita], "key": "first"}
    assert world.client("Ada").post(address, form).status_code == 302
    seats = world.upstream(f"/investments/accounts/{fund_account.remote_id}/permissions")["operators"]
    assert [(row["employee_id"], row["can_invest"], row["can_withdraw"]) for row in seats] == [(rita, True, False)]
    assert seats[0]["status"] == "PENDING"
    stale = world.client("Abel").post(address, form | {"key": "second", "invest": []})
    assert stale.status_code == 409
    page = markup_of(stale)
    assert re.search(r"Ada \w+ replaced the operators since you opened this page", page)
    assert "Rita Wanjiru has no permission yet" in page
    assert "Pending confirmation" in page
    fresh = re.search(r'name="version" value="(\d+)"', page)
    assert fresh is not None
    again = form | {"key": "second", "invest": [], "withdraw": [rita], "version": fresh[1]}
    assert world.client("Abel").post(address, again).status_code == 302


def test_an_operator_beyond_those_who_are_listed_stays(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    fund_account, zawadi = held(world), world.employee("Zawadi")["employee_id"]
    address = world.address(f"investments/{fund_account.remote_id}/operators/")
    version = world.upstream(f"/investments/accounts/{fund_account.remote_id}/permissions")["version"]
    assert world.client("Ada").post(address, {"version": version, "invest": [zawadi]}).status_code == 302
    monkeypatch.setattr("dashboard.web.person_field.MAX_LISTED", 2)
    page = page_of(world.client("Ada"), world, f"investments/{fund_account.remote_id}/")
    assert re.search(rf'name="invest" value="{zawadi}"[^>]*checked', page)


def test_an_operator_reaches_that_account_alone_and_only_what_was_given(world: World) -> None:
    fund_account = held(world)
    rita = world.employee("Rita")["employee_id"]
    assert world.client("Rita").get(world.address(f"investments/{fund_account.remote_id}/")).status_code == 404
    version = world.upstream(f"/investments/accounts/{fund_account.remote_id}/permissions")["version"]
    body = {"version": version, "invest": [rita], "key": "first"}
    world.client("Ada").post(world.address(f"investments/{fund_account.remote_id}/operators/"), body)
    world.sync("lookups", "funds", "requests")
    assert not Actor.for_membership(world.people["Rita"], fresh=True).grants, "she was named, and no more than that"
    assert world.client("Rita").get(world.address(f"investments/{fund_account.remote_id}/")).status_code == 404
    assert confirm(world, "Abel", fund_account, rita).status_code == 302
    world.sync("lookups", "funds", "requests")
    assert ("TREASURY_OPERATOR", fund_account.remote_id) in Actor.for_membership(
        world.people["Rita"], fresh=True
    ).grants
    page = page_of(world.client("Rita"), world, f"investments/{fund_account.remote_id}/")
    assert "Top up its wallet" in page
    assert "withdraw_measure" not in page
    assert post(world, "Rita", fund_account, "top-up", amount="100", wallet="nowhere").status_code == 422


def test_an_operator_waits_for_an_admin_who_neither_named_them_nor_is_them(world: World) -> None:
    fund_account = held(world)
    rita, abel = (world.employee(name)["employee_id"] for name in ("Rita", "Abel"))
    name(world, "Ada", fund_account, invest=[rita, abel], withdraw=[rita])
    page = page_of(world.client("Ada"), world, f"investments/{fund_account.remote_id}/")
    assert re.search(r"Named by Ada \w+ to invest and withdraw", page)
    assert "Confirm Rita" not in page
    assert "This is about yourself: somebody else must do it." in page
    for who, whom in (("Ada", rita), ("Abel", abel)):
        browser = proven(world, who)
        answer = confirm(world, who, fund_account, whom, browser)
        assert "somebody else must do it" in markup_of(browser.get(answer["Location"]))
    assert {row["status"] for row in operators(world, fund_account)} == {"PENDING"}
    page = page_of(world.client("Abel"), world, f"investments/{fund_account.remote_id}/")
    assert "Confirm Rita Wanjiru" in page
    assert "Confirm Abel" not in page
    assert "has no permission yet" in page
    browser = proven(world, "Abel")
    answer = confirm(world, "Abel", fund_account, rita, browser)
    assert "Rita Wanjiru is confirmed as a treasury operator" in markup_of(browser.get(answer["Location"]))
    now = {row["employee_id"]: row for row in operators(world, fund_account)}
    assert (now[rita]["status"], now[rita]["may_withdraw"], now[abel]["status"]) == ("ACTIVE", True, "PENDING")
    line = AuditEntry.objects.filter(
        chain=world.business.pk, operation="confirm_treasury_operator", outcome="DONE"
    ).get()
    assert "confirmed treasury operator Rita Wanjiru of" in line.sentence
    lists = page_of(world.client("Ada"), world)
    assert "1 pending" in lists


def test_confirming_takes_showing_that_it_is_you_and_the_set_that_was_seen(world: World) -> None:
    fund_account, rita = held(world), world.employee("Rita")["employee_id"]
    name(world, "Ada", fund_account, invest=[rita])
    address = world.address(f"investments/{fund_account.remote_id}/operators/{rita}/confirm/")
    version = permissions(world, fund_account)["version"]
    answer = world.client("Abel").post(address, {"version": version, "key": "k"})
    assert "/-/account/reauthenticate/" in answer["Location"]
    browser = proven(world, "Abel")
    answer = browser.post(address, {"version": version - 1, "key": "old"})
    assert "The operators were replaced since" in markup_of(browser.get(answer["Location"]))
    assert operators(world, fund_account)[0]["status"] == "PENDING"
    for who in ("Carla", "Rita", "Apollo"):
        assert proven(world, who).post(address, {"version": version, "key": "k"}).status_code == 403


def test_of_a_lost_confirmation_nobody_says_that_nothing_was_confirmed(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    fund_account, rita = held(world), world.employee("Rita")["employee_id"]
    name(world, "Ada", fund_account, invest=[rita])
    version, browser = permissions(world, fund_account)["version"], proven(world, "Abel")
    address = world.address(f"investments/{fund_account.remote_id}/operators/{rita}/confirm/")
    world.proxy.fail("lost reply", path="/confirm")
    browser.post(address, {"version": version, "key": "lost"})
    world.proxy.heal()
    assert operators(world, fund_account)[0]["status"] == "ACTIVE"
    name(world, "Ada", fund_account, invest=[])
    page = markup_of(browser.post(address, {"version": version, "key": "lost"}, follow=True))
    assert "no longer named as an operator" in page
    assert "It is not known yet whether it was done." in page
    assert "nothing was confirmed" not in page
    page = markup_of(browser.post(address, {"version": version, "key": "another"}, follow=True))
    assert "They are no longer named as an operator. Nothing was changed." in page


def test_nobody_names_themselves_and_ones_own_seat_stays_as_it_is(world: World) -> None:
    fund_account = held(world)
    ada, rita = (world.employee(name)["employee_id"] for name in ("Ada", "Rita"))
    page = page_of(world.client("Ada"), world, f"investments/{fund_account.remote_id}/")
    assert f'name="invest" value="{ada}"' not in page
    assert f'name="invest" value="{rita}"' in page
    answer = name(world, "Ada", fund_account, invest=[ada], expected=422)
    assert operators(world, fund_account) == []
    assert "Select a valid choice" in markup_of(answer)
    name(world, "Abel", fund_account, invest=[ada])
    name(world, "Ada", fund_account, withdraw=[rita])
    assert {row["employee_id"]: (row["can_invest"], row["can_withdraw"]) for row in operators(world, fund_account)} == {
        ada: (True, False), rita: (False, True),
    }  # fmt: skip


@pytest.mark.parametrize("person", ["Carla", "Rita", "Sam"])
def test_who_may_not_ask_for_a_fund_is_refused_and_nothing_is_sent(proxied_world: World, person: str) -> None:
    assert proxied_world.proxy is not None
    fund = funds(proxied_world)[0]["_id"]
    before = len(proxied_world.proxy.sent())
    answer = proxied_world.client(person).post(proxied_world.address("investments/opt-in/"), {"fund_id": fund})
    assert answer.status_code == 403
    assert len(proxied_world.proxy.sent()) == before


def test_a_service_that_is_away_leaves_the_accounts_and_says_so(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("reset")
    page = page_of(proxied_world.client("Ada"), proxied_world)
    assert "Try again" in page
    assert "Fund accounts" in page
