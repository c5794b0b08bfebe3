"""Investments against the real service: asked for, approved, topped up, invested, withdrawn; operators and access."""

import re
from typing import Any

import pytest
from django.test import Client

from dashboard.access.actor import Actor
from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import FundAccount, Request
from tests.dashboard.conftest import World
from tests.dashboard.markup import markup_of
from tests.dashboard.treasury.test_exchange import proven


def funds(world: World) -> list[dict[str, Any]]:
    return [one for one in world.upstream("/investments/funds")["docs"] if one["currency"] == "KES"]


def ask(world: World, person: str = "Ada") -> Any:
    given = {"fund_id": funds(world)[0]["_id"], "note": "Reserves", "key": "once"}
    return world.client(person).post(world.address("investments/opt-in/"), given)


def held(world: World) -> FundAccount:
    """A fund account in use, with money in its wallet."""
    ask(world)
    ref = world.upstream("/investments/accounts")["docs"][0]["_id"]
    asked = Request.objects.get(business=world.business, kind="fund_opt_in")
    apollo = {"X-Acting-Employee": world.employee("Apollo")["employee_id"]}
    world.send("POST", f"/investments/opt-in/{asked.ref}/approve", {}, headers=apollo)
    world.sync()
    return FundAccount.objects.get(business=world.business, remote_id=ref)


def shown(client: Client, world: World, path: str = "investments/") -> str:
    return markup_of(client.get(world.address(path)))


def post(world: World, person: str, found: FundAccount, path: str, **given: Any) -> Any:
    return proven(world, person).post(world.address(f"investments/{found.remote_id}/{path}/"), {"key": path, **given})


def test_a_fund_is_asked_for_and_waits_for_approval(world: World) -> None:
    fund = funds(world)[0]
    assert fund["name"] in shown(world.client("Ada"), world)
    answer = ask(world)
    assert answer["Location"] == world.address("investments/")
    account = world.upstream("/investments/accounts")["docs"][0]
    assert (account["fund_id"], account["status"]) == (fund["_id"], "PENDING_OPT_IN")


def test_money_goes_in_and_out_and_each_step_is_at_the_service(world: World) -> None:
    found = held(world)
    wallet = next(one["org_wallet_ref"] for one in world.upstream("/accounts")["docs"] if one["currency"] == "KES")
    least = funds(world)[0]["min_initial"]
    assert post(world, "Apollo", found, "top-up", amount=least * 2, wallet=wallet).status_code == 302
    assert post(world, "Apollo", found, "invest", amount=least * 2, wallet="").status_code == 302
    world.sandbox("settle")
    account = world.upstream(f"/investments/accounts/{found.remote_id}")
    assert [one["kind"] for one in account["movements"]] == ["INVEST", "TOP_UP"]
    page = shown(world.client("Apollo"), world, f"investments/{found.remote_id}/")
    assert "Invested" in page
    assert "moves money of every fund account" in page
    assert post(world, "Apollo", found, "withdraw", measure="all", amount="", wallet="").status_code == 302
    sentences = set(AuditEntry.objects.filter(chain=world.business.pk).values_list("operation", flat=True))
    assert {"top_up_investment", "invest", "withdraw_investment"} <= sentences


def test_what_is_wrong_stands_beside_its_field_and_is_kept(world: World) -> None:
    found = held(world)
    answer = post(world, "Apollo", found, "invest", amount="0.01", wallet="")
    assert answer.status_code == 422
    assert re.search(r'name="amount" value="0.01"[^>]* autofocus', markup_of(answer))
    empty = post(world, "Apollo", found, "withdraw", measure="units", amount="", wallet="")
    assert "Say how much." in markup_of(empty)
    assert post(world, "Apollo", found, "invest", amount="-5", wallet="").status_code == 422


def test_money_moves_only_after_showing_that_it_is_you(world: World) -> None:
    found = held(world)
    address = world.address(f"investments/{found.remote_id}/invest/")
    answer = world.client("Apollo").post(address, {"key": "k", "amount": "500", "wallet": ""})
    assert "/-/account/reauthenticate/" in answer["Location"]


def test_operators_are_replaced_and_an_old_set_is_refused(world: World) -> None:
    found = held(world)
    rita = world.employee("Rita")["employee_id"]
    address = world.address(f"investments/{found.remote_id}/operators/")
    version = world.upstream(f"/investments/accounts/{found.remote_id}/permissions")["version"]
    form = {"version": version, "invest": [rita], "key": "first"}
    assert world.client("Ada").post(address, form).status_code == 302
    told = world.upstream(f"/investments/accounts/{found.remote_id}/permissions")["operators"]
    assert [(one["employee_id"], one["can_invest"], one["can_withdraw"]) for one in told] == [(rita, True, False)]
    stale = world.client("Abel").post(address, form | {"key": "second", "invest": []})
    assert stale.status_code == 409
    told = markup_of(stale)
    assert re.search(r"Ada \w+ replaced the operators since you looked", told)
    assert "Rita Wanjiru may" in told
    fresh = re.search(r'name="version" value="(\d+)"', told)
    assert fresh is not None
    again = form | {"key": "second", "invest": [], "withdraw": [rita], "version": fresh[1]}
    assert world.client("Abel").post(address, again).status_code == 302


def test_an_operator_beyond_those_who_are_listed_stays(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    found, zawadi = held(world), world.employee("Zawadi")["employee_id"]
    address = world.address(f"investments/{found.remote_id}/operators/")
    version = world.upstream(f"/investments/accounts/{found.remote_id}/permissions")["version"]
    assert world.client("Ada").post(address, {"version": version, "invest": [zawadi]}).status_code == 302
    monkeypatch.setattr("dashboard.pages.investments.operators.MOST_PEOPLE", 2)
    page = shown(world.client("Ada"), world, f"investments/{found.remote_id}/")
    assert re.search(rf'name="invest" value="{zawadi}"\s+checked', page)


def test_an_operator_reaches_that_account_alone_and_only_what_was_given(world: World) -> None:
    found = held(world)
    rita = world.employee("Rita")["employee_id"]
    assert world.client("Rita").get(world.address(f"investments/{found.remote_id}/")).status_code == 404
    version = world.upstream(f"/investments/accounts/{found.remote_id}/permissions")["version"]
    body = {"version": version, "invest": [rita], "key": "first"}
    world.client("Ada").post(world.address(f"investments/{found.remote_id}/operators/"), body)
    world.sync()
    assert ("TREASURY_OPERATOR", found.remote_id) in Actor.for_membership(world.people["Rita"], fresh=True).grants
    page = shown(world.client("Rita"), world, f"investments/{found.remote_id}/")
    assert "Top up its wallet" in page
    assert "withdraw_measure" not in page
    assert post(world, "Rita", found, "top-up", amount="100", wallet="nowhere").status_code == 422


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
    page = shown(proxied_world.client("Ada"), proxied_world)
    assert "Try again" in page
    assert "Fund accounts" in page
