"""The palette's actions: what typed words ask to do, offered to whom the form itself is open, leading to its page."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from dashboard.decisions.models import Decision
from dashboard.mirror.models import Card, Wallet
from dashboard.pages.finder.selectors.actions import Hit, find_actions
from tests.dashboard.markup import markup_of
from tests.dashboard.pages.conftest import House

TEAM = "fleet"


def card(house: House, last_four: str, **given: Any) -> Card:
    values: dict[str, Any] = {
        "remote_id": f"card-{house.business.pk}-{last_four}", "kind": "VIRTUAL", "status": "ACTIVE",
        "employee_id": "somebody-else", "employee_name": "Amina Wanjiru", "team_id": TEAM, "currency": "KES",
        "name": "Fuel", "last_four": last_four, "created_at": timezone.now(), "sort_holder": "amina wanjiru",
    } | given  # fmt: skip
    return Card.objects.create(**house._mirrored(), **values)


def wallet(house: House, ref: str, name: str, currency: str) -> Wallet:
    return Wallet.objects.create(
        **house._mirrored(), remote_id=f"w-{house.business.pk}-{ref}", org_wallet_ref=ref, name=name,
        currency=currency, wallet_type="MAIN", status="ACTIVE",
    )  # fmt: skip


def actions(house: House, person: str, typed: str) -> dict[str, str]:
    return {hit.title: hit.href for hit in find_actions(house.actor(person), typed)}


def test_approve_leads_to_what_waits_and_decides_nothing(house: House) -> None:
    house.expense(merchant="Shell Kilimani")
    found = actions(house, "Apollo", "approve shell kilimani")
    address = urlsplit(found["Approve: items waiting for you that match “shell kilimani”"])
    assert (address.path, parse_qs(address.query)) == (
        house.address("approvals/"), {"show": ["mine"], "q": ["shell kilimani"]},
    )  # fmt: skip
    body = markup_of(house.browser("Apollo").get(f"{address.path}?{address.query}"))
    assert "Shell Kilimani" in body
    assert not Decision.objects.filter(business=house.business).exists()


@pytest.mark.parametrize(("person", "offered"), [("Apollo", True), ("Rita", True), ("Carla", False)])
def test_who_decides_on_nothing_is_not_offered_to(house: House, person: str, offered: bool) -> None:
    for verb in ("approve", "reject"):
        assert bool(actions(house, person, verb)) == offered


def test_export_names_the_lists_that_are_open_and_no_other(house: House) -> None:
    assert actions(house, "Ada", "export expenses")["Export expenses"] == house.address("expenses/")
    assert "Export expenses" in actions(house, "Carla", "export expenses")
    assert "Export audit" in "".join(actions(house, "Ada", "export audit")).replace("log", "")
    assert not actions(house, "Carla", "export audit")
    assert not actions(house, "Carla", "export vendors")


def test_go_to_wallet_finds_by_currency_and_name(house: House, new_house: Any) -> None:
    main = wallet(house, "1", "Main", "KES")
    wallet(house, "2", "Main", "USD")
    wallet(house, "3", "Payroll", "KES")
    found = find_actions(house.actor("Ada"), "go to wallet KES main")
    assert found == [Hit("Go to wallet Main", "KES", house.address(f"treasury/{main.remote_id}/"))]
    assert not actions(house, "Carla", "go to wallet KES main")
    assert not actions(new_house(), "Ada", "go to wallet KES main")
    assert actions(house, "Ada", "go to treasury") == {"Go to Treasury": house.address("treasury/")}
    assert not actions(house, "Carla", "go to settings")


def test_block_card_leads_to_its_form_for_whom_the_gate_opens_it(house: House) -> None:
    fuel = card(house, "4001")
    card(house, "4002")
    card(house, "4003", status="BLOCKED")
    address = f"{house.address(f'cards/{fuel.remote_id}/')}#block-card"
    for person in ("Ada", "Rita"):
        assert actions(house, person, "block card 4001") == {"Block card ···4001": address}
    assert set(actions(house, "Ada", "block")) == {"Block card ···4001", "Block card ···4002"}
    card(house, "4004", team_id="elsewhere")
    for person, digits in (("Carla", "4001"), ("Rita", "4004"), ("Ada", "4003")):
        assert not actions(house, person, f"block card {digits}")


def test_unblock_is_offered_to_whom_the_gate_lets_lift_the_block(house: House) -> None:
    own = house.employee_id("Carla")
    card(house, "4003", status="BLOCKED", employee_id=own, blocked_by="ADMIN", blocker_id=house.employee_id("Ada"))
    assert "Unblock card ···4003" in actions(house, "Ada", "unblock 4003")
    assert not actions(house, "Carla", "unblock 4003")


def test_the_form_that_is_led_to_is_on_the_cards_page(house: House) -> None:
    fuel = card(house, "4001")
    body = markup_of(house.browser("Ada").get(house.address(f"cards/{fuel.remote_id}/")))
    assert 'id="block-card"' in body
    fuel.refresh_from_db()
    assert fuel.status == "ACTIVE"


def test_a_verb_stands_there_while_it_is_being_typed_and_other_words_name_none(house: House) -> None:
    assert actions(house, "Apollo", "app")
    assert not actions(house, "Apollo", "a")
    assert not actions(house, "Apollo", "app shell")
    assert not actions(house, "Apollo", "shell approve")
    for typed in ("block %'\\", "export \x07", "go to wallet ' OR 1=1", "approve " + "x" * 300, "go to", "go"):
        actions(house, "Ada", typed)


def test_actions_come_first_once_they_are_named_and_after_the_pages_before(house: House) -> None:
    house.expense(merchant="Export House")
    browser = house.browser("Ada")

    def palette(words: str) -> str:
        return markup_of(browser.get(house.address(f"find/?q={words}"), headers={"HX-Request": "true"}))

    named, begun = palette("export"), palette("ex")
    assert named.index("Export expenses") < named.index("<h2>Pages</h2>") < named.index("Export House")
    assert begun.index("<h2>Pages</h2>") < begun.index("Export expenses") < begun.index("Export House")
    assert palette("go to treasury").index("Go to Treasury") > 0
