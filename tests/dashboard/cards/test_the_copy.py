"""The copy of cards: what it is told by events and by reading, who sees which, and who may lift which block."""

import pytest

from dashboard import operations
from dashboard.access.check import can
from dashboard.mirror.models import Card, CardDecline
from dashboard.mirror.scopes import visible_cards, visible_declines
from tests.dashboard.cards.conftest import Give, read_again, swiped
from tests.dashboard.conftest import CAST, World


def test_a_card_and_its_spend_are_copied_by_reading_the_list(world: World, give: Give) -> None:
    controls = {"limits": [{"interval": "PER_MONTH", "amount": 500_00}, {"interval": "PER_DAY", "amount": 100_00}]}
    given = give(controls=controls)
    swiped(world, given, 40)
    read_again(world)
    card = Card.objects.get(pk=given.pk)
    assert (card.limit_interval, card.limit_minor, card.spent_minor) == ("PER_MONTH", 500_00, 40_00)
    assert card.employee_name == world.employee("Carla")["name"]
    assert len(card.last_four) == 4


def test_a_decline_is_copied_with_the_check_that_says_why(world: World, give: Give) -> None:
    card = give(controls={"per_transaction_limit": 50_00})
    swiped(world, card, 100)
    swiped(world, card, 10)
    read_again(world)
    (found,) = CardDecline.objects.filter(business=world.business)
    assert (found.card_id, found.code, found.check_name) == (
        card.remote_id, "per_transaction_limit", "per_transaction_limit",
    )  # fmt: skip
    assert found.amount_minor == 100_00
    world.send("PUT", f"/cards/{card.remote_id}/block")
    read_again(world)
    assert Card.objects.get(pk=card.pk).status == "BLOCKED"
    assert CardDecline.objects.filter(business=world.business).count() == 1


@pytest.mark.parametrize(
    ("name", "sees"), [("Carla", {"Carla"}), ("Rita", {"Carla", "Rita"}), ("Apollo", {"Carla", "Rita", "Juma"})]
)
def test_the_cards_somebody_sees(world: World, give: Give, name: str, sees: set[str]) -> None:
    cards = {give(holder).remote_id: holder for holder in ("Carla", "Rita", "Juma")}
    actor = world.actor(name)
    assert {cards[card.remote_id] for card in visible_cards(actor)} == sees
    let_through = {cards[card.remote_id] for card in Card.objects.all() if can(actor, operations.READ_CARD, card)}
    assert let_through == sees
    for card in Card.objects.filter(business=world.business):
        swiped(world, card, 99_000_000_00)
    read_again(world)
    assert {cards[card.card_id] for card in visible_declines(actor)} == sees


LIFTS = {
    ("USER", "Carla"): {"Carla", "Rita", "Apollo", "Zawadi", "Juma", "Ada", "Abel", "Sam", "Selma"},
    ("ADMIN", "Rita"): {"Rita", "Apollo", "Zawadi", "Juma", "Ada", "Abel", "Sam", "Selma"},
    ("ADMIN", "Ada"): {"Apollo", "Zawadi", "Juma", "Ada", "Abel", "Sam", "Selma"},
    ("SYSTEM", ""): set[str](),
}


@pytest.mark.parametrize(("side", "by"), LIFTS)
def test_who_blocked_it_decides_who_unblocks(world: World, give: Give, side: str, by: str) -> None:
    card = give()
    card.status, card.blocked_by = "BLOCKED", side
    card.blocker_id = world.employee(by)["employee_id"] if by else ""
    may = {name for name in CAST if can(world.actor(name), operations.UNBLOCK_CARD, card)}
    assert may == LIFTS[side, by]


def test_a_card_user_retires_and_reissues_own_virtual_cards_alone(world: World, give: Give) -> None:
    virtual, plastic = give(), give(type="PHYSICAL")
    carla, ada = world.actor("Carla"), world.actor("Ada")
    for operation in (operations.RETIRE_CARD, operations.REISSUE_CARD):
        assert can(carla, operation, virtual)
        assert not can(carla, operation, plastic)
        assert can(ada, operation, plastic)
    assert not can(carla, operations.UPDATE_CARD, virtual)
    assert not can(world.actor("Sam"), operations.UPDATE_CARD, virtual)
