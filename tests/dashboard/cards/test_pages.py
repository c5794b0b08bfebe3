"""The desk of cards: as cards and as a table, one card with all that is known, one's own, and who sees which."""

import re

import pytest

from dashboard.mirror.models import Card
from tests.dashboard.cards.conftest import Give, read_again, swiped
from tests.dashboard.conftest import World


def test_the_gallery_and_the_table_hold_the_same_cards(world: World, give: Give) -> None:
    give(controls={"limits": [{"interval": "PER_MONTH", "amount": 500_00}]})
    give("Rita", name="Travel")
    browser = world.client("Apollo")
    tiles = browser.get(world.address("cards/")).content.decode()
    table = browser.get(world.address("cards/?as=table")).content.decode()
    for name in ("Fuel", "Travel", world.employee("Carla")["name"]):
        assert name in tiles
        assert name in table
    assert 'class="plastic' in tiles
    assert 'class="plastic' not in table
    assert "of KES\xa0500.00 this month" in tiles
    found = browser.get(world.address("cards/?q=trav")).content.decode()
    assert "Travel" in found
    assert "Fuel" not in found
    swap = browser.get(world.address("cards/?q=trav"), headers={"HX-Request": "true"}).content.decode()
    assert "Travel" in swap
    assert "<html" not in swap
    totals = browser.get(world.address("cards/totals/"), headers={"HX-Request": "true"}).content.decode()
    assert "<span>2 cards</span><span>KES\xa00.00 spent this month</span>" in totals


def test_what_has_ended_is_left_out_unless_it_is_asked_for(world: World, give: Give) -> None:
    card = give()
    world.send("PUT", f"/cards/{card.remote_id}/retire")
    read_again(world)
    browser = world.client("Ada")
    assert "Fuel" not in browser.get(world.address("cards/")).content.decode()
    assert "Fuel" in browser.get(world.address("cards/?status=RETIRED")).content.decode()
    assert browser.get(world.address("cards/?status=NO")).status_code == 400


def test_one_card_says_what_it_has_left_and_why_it_was_declined(world: World, give: Give) -> None:
    card = give(controls={"per_transaction_limit": 50_00, "limits": [{"interval": "PER_MONTH", "amount": 500_00}]})
    swiped(world, card, 40)
    swiped(world, card, 60)
    read_again(world)
    body = world.client("Ada").get(world.address(f"cards/{card.remote_id}/")).content.decode()
    assert "KES\xa0460.00 left" in body
    assert "at most KES\xa050.00" in body
    assert "The amount is outside the card&#x27;s per-transaction limit." in body
    assert "ask an approver or an admin to raise the limit" in body
    assert body.count("Java House") >= 2
    assert "created the card" in body
    carla = world.client("Carla").get(world.address(f"cards/{card.remote_id}/")).content.decode()
    assert "Edit spending controls" not in carla
    assert "created the card" not in carla


def test_no_number_of_a_card_is_ever_shown_or_kept(world: World, give: Give) -> None:
    card = give()
    body = world.client("Ada").get(world.address(f"cards/{card.remote_id}/")).content.decode()
    token = Card.objects.get(pk=card.pk).payload["card_vcn"]
    assert token not in body
    assert {"pan", "number", "cvv"}.isdisjoint(card.payload)


@pytest.mark.parametrize(("name", "code"), [("Carla", 404), ("Rita", 404), ("Apollo", 200), ("Sam", 200)])
def test_somebody_elses_card_is_there_for_who_may_see_it(world: World, give: Give, name: str, code: int) -> None:
    card = give("Juma")
    assert world.client(name).get(world.address(f"cards/{card.remote_id}/")).status_code == code


def test_a_card_user_begins_at_their_own_page(world: World, give: Give) -> None:
    card, other = give(controls={"per_transaction_limit": 50_00}), give("Rita", name="Secret")
    swiped(world, card, 60)
    read_again(world)
    browser = world.client("Carla")
    assert browser.get(world.address("cards/"))["Location"] == world.address("cards/mine/")
    body = browser.get(world.address("cards/mine/")).content.decode()
    assert "Largest purchase now" in body
    assert "at most KES\xa050.00" in body
    assert "Pay a smaller amount" in body
    # As a number of its own: four digits stand by chance in a token or an id as well.
    assert not re.search(rf"\b{other.last_four}\b", body) or other.last_four == card.last_four
    assert "Secret" not in browser.get(world.address("cards/?view=all")).content.decode()


def test_without_the_service_the_copy_is_shown_and_says_so(world: World, give: Give) -> None:
    card = give()
    assert world.proxy is not None
    world.proxy.fail("reset")
    for who, path in (("Ada", f"cards/{card.remote_id}/"), ("Carla", "cards/mine/"), ("Ada", "cards/")):
        answer = world.client(who).get(world.address(path))
        assert answer.status_code == 200
        assert "Fuel" in answer.content.decode()
    body = world.client("Ada").get(world.address(f"cards/{card.remote_id}/")).content.decode()
    assert "saved copy" in body
