"""The sidebar offers areas alone, and none in which there can be nothing for its reader."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dashboard import operations
from dashboard.access.roles import Role
from dashboard.web.navigation import empty_areas, own_links, pages_of, sidebar
from tests.dashboard.pages.conftest import House

OWN = {"delegation", "decisions", "bulk", "exports", "notifications"}


def areas(role: Role, empty: frozenset[str] = frozenset()) -> list[str]:
    return [link.area for _, links in sidebar(role, "kifaru", empty) for link in links]


@pytest.mark.parametrize("role", list(Role))
def test_what_is_ones_own_is_no_area(role: Role) -> None:
    assert not OWN & set(areas(role))
    assert {link.area for link in own_links(role, "kifaru")} <= OWN
    assert "exports" in {link.area for link in own_links(role, "kifaru")}


@pytest.mark.parametrize("role", list(Role))
def test_every_page_is_still_found(role: Role) -> None:
    found = {link.area for _, links in pages_of(role, "kifaru") for link in links}
    assert set(areas(role)) < found
    assert {"notifications", "exports", "bulk"} <= found


def test_an_empty_area_is_left_out_and_its_group_with_it() -> None:
    assert "investments" not in areas(Role.CARD_USER, frozenset({"investments"}))
    assert "Money" not in [
        title for title, _ in sidebar(Role.CARD_USER, "kifaru", frozenset({"investments", "transactions", "treasury"}))
    ]


def test_a_card_user_who_operates_no_fund_account_is_not_led_to_investments(house: House) -> None:
    assert empty_areas(house.actor("Carla")) == {"investments", "treasury", "wallet-policies"}
    assert "investments" not in empty_areas(house.actor("Rita"))
    side = house.browser("Carla").get(house.address()).content.decode().split("</nav>")[0]
    assert "/investments/" not in side
    assert "/investments/" in house.browser("Rita").get(house.address()).content.decode().split("</nav>")[0]


def test_wallets_are_offered_to_whom_a_role_or_a_policy_opens_one(house: House) -> None:
    for name in ("Apollo", "Ada", "Sam"):
        assert empty_areas(house.actor(name)) == set()
    rita = house.actor("Rita")
    assert empty_areas(rita) == {"treasury", "wallet-policies"}
    seeing = replace(rita, grants=frozenset({(operations.LIST_ACCOUNTS.grant, "w1")}))
    assert empty_areas(seeing) == set()
    paying = replace(rita, grants=frozenset({("WALLET_PAY_VENDOR", "w1")}))
    assert empty_areas(paying) == {"treasury"}


@pytest.mark.parametrize(
    "rest", ["taxes/", "taxes/new/", "taxes/deductions/", "budgets/new/", "categories/", "category-rules/"]
)
def test_a_part_of_accounting_is_shown_under_accounting(house: House, rest: str) -> None:
    side = house.browser("Ada").get(house.address(rest)).content.decode().split("</nav>")[0]
    current = re.findall(r'<a href="([^"]*)"\s+aria-current="page"', side)
    assert current == [house.address("accounting/")]
