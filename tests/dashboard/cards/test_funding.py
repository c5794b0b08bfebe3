"""What cards spend (decisions F.5): who lets one spend a wallet of the business, and what every page says is left of what."""

import re
from html import unescape
from typing import Any

import pytest

from dashboard.commands.cards import check_funding
from dashboard.errors import NotAllowed
from dashboard.mirror.models import Card, CardDecline
from dashboard.pages.cards.selectors.funding import UNLIMITED, funding_choices
from dashboard.schemas.cards import ALLOCATION, BUSINESS_WALLET
from tests.dashboard.cards.conftest import Give, allocate, copied, read_again, swiped
from tests.dashboard.cards.test_controls import begun, preview_of, saved
from tests.dashboard.cards.test_requests import make
from tests.dashboard.conftest import World

MONTHLY = {"limits": [{"interval": "PER_MONTH", "amount": 900_00}]}


def shown(world: World, who: str, path: str) -> str:
    answer = world.client(who).get(world.address(path))
    assert answer.status_code == 200, path
    return unescape(answer.content.decode()).replace("\xa0", " ")


def funding(world: World, card: Card) -> Any:
    return world.upstream(f"/cards/{card.remote_id}")["funding"]


def test_an_admin_creates_a_card_that_spends_a_wallet_within_a_monthly_limit(world: World) -> None:
    answer = make(world, "Ada", funding=BUSINESS_WALLET)
    assert answer.status_code == 302
    (card,) = Card.objects.filter(business=world.business)
    assert (card.funding, card.allocation_minor, funding(world, card)) == (BUSINESS_WALLET, None, BUSINESS_WALLET)
    body = shown(world, "Ada", f"cards/{card.remote_id}/")
    assert "Business wallet: " in body
    unlimited = make(world, "Ada", funding=BUSINESS_WALLET, in_a_month="")
    assert unlimited.status_code == 422
    assert "needs a monthly limit" in unlimited.content.decode()
    assert Card.objects.filter(business=world.business).count() == 1


def test_an_approver_creates_cards_that_spend_allocations_alone(world: World) -> None:
    page = shown(world, "Apollo", "cards/new/")
    assert "The cardholder's allocation" in page
    assert f'value="{BUSINESS_WALLET}"' not in page
    assert f'value="{BUSINESS_WALLET}"' in shown(world, "Ada", "cards/new/")
    assert make(world, "Apollo", funding=BUSINESS_WALLET).status_code == 422
    assert not Card.objects.filter(business=world.business).exists()
    assert make(world, "Apollo", funding=ALLOCATION).status_code == 302
    (card,) = Card.objects.filter(business=world.business)
    assert funding(world, card) == ALLOCATION


@pytest.mark.parametrize("name", ["Carla", "Rita", "Apollo", "Sam"])
def test_the_gate_itself_lets_an_admin_alone_choose_a_wallet(world: World, name: str) -> None:
    check_funding(world.actor("Ada"), BUSINESS_WALLET)
    with pytest.raises(NotAllowed, match="admins"):
        check_funding(world.actor(name), BUSINESS_WALLET)
    check_funding(world.actor(name), ALLOCATION, BUSINESS_WALLET)
    check_funding(world.actor(name), BUSINESS_WALLET, BUSINESS_WALLET)
    assert [code for code, _ in funding_choices(world.actor(name))] == [ALLOCATION]
    assert [code for code, _ in funding_choices(world.actor(name), BUSINESS_WALLET)] == [ALLOCATION, BUSINESS_WALLET]


def test_a_card_is_given_a_wallet_only_with_a_limit_and_the_change_is_said_before(world: World, give: Give) -> None:
    card = give(funds=100)
    form = begun(world, card) | {"funding": BUSINESS_WALLET, "try-amount": "150"}
    assert UNLIMITED in preview_of(world, card, form)
    assert saved(world, card, form).status_code == 422
    for_some = form | {"limit0-interval": "PER_MONTH", "limit0-amount": "900", "limit0-codes": "5812"}
    assert saved(world, card, for_some).status_code == 422
    limited = form | {"limit0-interval": "PER_MONTH", "limit0-amount": "900"}
    html = preview_of(world, card, limited)
    assert re.search(r"Funding source.*<s>Allocation</s> <ins>Business wallet</ins>", html, re.DOTALL)
    assert "The allocation was too low. KES 100.00 would be left." in html
    assert "It would be approved." in html, "it is tried under the funding that it is to have"
    assert funding(world, card) == ALLOCATION
    assert saved(world, card, limited).status_code == 302
    assert funding(world, card) == BUSINESS_WALLET
    record = shown(world, "Ada", f"cards/{card.remote_id}/")
    assert "<s>Allocation</s> <ins>Business wallet</ins>" in record


def test_who_is_no_admin_takes_a_wallet_away_from_a_card_and_does_not_give_it_back(world: World, give: Give) -> None:
    card = give(funding=BUSINESS_WALLET, controls=MONTHLY)
    form = begun(world, card, "Apollo")
    assert form["funding"] == BUSINESS_WALLET
    assert saved(world, card, form | {"name": "Fuel 2"}, "Apollo").status_code == 302, (
        "what stays is no choice of theirs"
    )
    card.refresh_from_db()
    assert saved(world, card, begun(world, card, "Apollo") | {"funding": ALLOCATION}, "Apollo").status_code == 302
    assert funding(world, card) == ALLOCATION
    card.refresh_from_db()
    back = begun(world, card, "Apollo")
    assert "An admin can let it spend a business wallet." in shown(world, "Apollo", f"cards/{card.remote_id}/controls/")
    assert saved(world, card, back | {"funding": BUSINESS_WALLET}, "Apollo").status_code == 422
    forged = back | {"funding": BUSINESS_WALLET, "stood": BUSINESS_WALLET}
    assert saved(world, card, forged, "Apollo").status_code == 422
    assert funding(world, card) == ALLOCATION


def test_who_changed_the_funding_meanwhile_is_named_with_it(world: World, give: Give) -> None:
    card = give(controls=MONTHLY)
    mine = begun(world, card) | {"one_purchase": "200"}
    theirs = begun(world, card, "Abel") | {"funding": BUSINESS_WALLET, "key": "another"}
    assert saved(world, card, theirs, "Abel").status_code == 302
    late = saved(world, card, mine)
    assert late.status_code == 409
    assert "<s>Allocation</s> <ins>Business wallet</ins>" in late.content.decode()


def test_every_page_says_what_is_left_of_the_allocation(world: World, give: Give) -> None:
    card = give(funds=1000)
    swiped(world, card, 250)
    swiped(world, card, 100, settle=False)
    read_again(world)
    card.refresh_from_db()
    assert (card.funding, card.allocation_minor, card.allocation_held_minor) == (ALLOCATION, 650_00, 100_00)
    name = world.employee("Carla")["name"]
    for who, path in (
        ("Carla", "cards/mine/"),
        ("Rita", f"cards/{card.remote_id}/"),
        ("Ada", f"cards/{card.remote_id}/"),
    ):
        page = " ".join(re.sub(r"<[^>]+>", " ", shown(world, who, path)).split())
        assert f"Allocation: {name}'s allocation, KES 650.00 left, KES 100.00 on hold" in page, (who, path)
        assert "KES 650.00 left of allocation" in page, (who, path)
    assert "KES 650.00 left of allocation" in shown(world, "Ada", "cards/")
    table = shown(world, "Ada", "cards/?as=table")
    assert "KES 650.00" in table
    assert "Allocation" in table
    assert "Fuel" not in shown(world, "Ada", f"cards/?funding={BUSINESS_WALLET}")
    assert "Fuel" in shown(world, "Ada", f"cards/?funding={ALLOCATION}")


def test_what_a_wallet_has_is_told_to_those_alone_who_see_wallets(world: World, give: Give) -> None:
    card = give(funding=BUSINESS_WALLET, controls=MONTHLY)
    ada, carla = (shown(world, who, f"cards/{card.remote_id}/") for who in ("Ada", "Carla"))
    assert re.search(r"Business wallet:</span>[^<]+,\s*<b class=\"strong\">KES [\d,.]+</b> left", ada)
    assert not re.search(r"Business wallet:</span>[^<]+<b", carla)
    assert "Largest purchase now" in carla
    assert "KES 900.00" in carla


def test_a_decline_says_what_was_left_then(world: World, give: Give) -> None:
    card = give(funds=40)
    swiped(world, card, 50)
    read_again(world)
    (decline,) = CardDecline.objects.filter(business=world.business)
    assert (decline.code, decline.funding, decline.remaining_minor) == ("insufficient_allocation", ALLOCATION, 40_00)
    for who, path in (
        ("Carla", "cards/mine/"),
        ("Carla", f"cards/{card.remote_id}/"),
        ("Ada", f"cards/{card.remote_id}/"),
    ):
        page = shown(world, who, path)
        assert "The allocation was too low. KES 40.00 was left." in page
        assert "Ask an approver to allocate more." in page


def test_what_a_wallet_had_left_is_not_told_to_its_holder(world: World, give: Give) -> None:
    card = give(funding=BUSINESS_WALLET, controls={"limits": [{"interval": "PER_MONTH", "amount": 10**14}]})
    swiped(world, card, 10**11)
    read_again(world)
    (decline,) = CardDecline.objects.filter(business=world.business)
    # As a service would tell it to the business's account; ours leaves it out of what it sends of its own accord.
    decline.remaining_minor = 123_45
    decline.save()
    page = f"cards/{card.remote_id}/"
    assert decline.code == "insufficient_funds"
    assert "was too low. KES 123.45 was left." in shown(world, "Ada", page)
    html = shown(world, "Carla", page)
    assert "was too low." in html
    assert "123.45" not in html


def test_the_simulator_names_what_would_not_suffice_and_what_is_left(world: World, give: Give) -> None:
    card = give(funds=40)
    html = preview_of(world, card, begun(world, card) | {"try-amount": "41"})
    assert "The allocation was too low. KES 40.00 would be left." in html
    assert "Deciding rule: Available balance" in html
    allocate(world, amount=1)
    assert "It would be approved." in preview_of(world, card, begun(world, card) | {"try-amount": "41"})


def test_of_a_service_that_does_not_say_what_cards_spend_nothing_is_claimed(world: World, give: Give) -> None:
    card = give()
    plain = {name: value for name, value in card.payload.items() if name not in {"funding", "allocation"}}
    card = copied(world, plain | {"version": 9})
    assert (card.funding, card.allocation_minor) == ("", None)
    assert 'name="funding"' not in shown(world, "Ada", "cards/new/")
    gallery = shown(world, "Carla", "cards/?view=all")
    assert 'class="plastic' in gallery
    assert " left of allocation" not in gallery
    assert "your allocation" not in shown(world, "Carla", "cards/mine/")
