"""Blocking, unblocking, retiring, reissuing and activating: who may, with which words, and what the service has then."""

from html import unescape

import pytest

from dashboard.mirror.models import Card
from dashboard.web.submission import state_of_submission
from tests.dashboard.cards.conftest import Give, read_again
from tests.dashboard.conftest import World


def status(world: World, card: Card) -> str:
    found: str = world.upstream(f"/cards/{card.remote_id}")["status"]
    return found


def page(world: World, card: Card, name: str) -> str:
    return unescape(world.client(name).get(world.address(f"cards/{card.remote_id}/")).content.decode())


def test_a_block_has_a_reason_and_says_who_may_lift_it(world: World, give: Give) -> None:
    card, block = give(), "block/"
    here = world.address(f"cards/{card.remote_id}/")
    refused = world.client("Ada").post(f"{here}{block}", {"reason": ""})
    assert refused.status_code == 422
    assert "Enter a reason: the cardholder will read it." in refused.content.decode()
    assert world.client("Ada").post(f"{here}{block}", {"reason": "Seen at a bad merchant"}).status_code == 302
    assert status(world, card) == "BLOCKED"
    carla = page(world, card, "Carla")
    assert "Finance blocked this card: “Seen at a bad merchant”" in carla
    assert "the cardholder cannot" in carla
    assert "Somebody else blocked this card: they, an approver or an admin can unblock it." in carla
    assert ">Unblock card</button>" not in carla
    assert "You blocked this card" in page(world, card, "Ada")
    assert f"{world.employee('Ada')['name']} blocked this card" in page(world, card, "Apollo")
    assert world.client("Carla").post(f"{here}unblock/").status_code == 403
    assert status(world, card) == "BLOCKED"
    assert world.client("Apollo").post(f"{here}unblock/").status_code == 302
    assert status(world, card) == "ACTIVE"


def test_a_holder_blocks_and_unblocks_their_own(world: World, give: Give) -> None:
    card = give()
    here = world.address(f"cards/{card.remote_id}/")
    world.client("Carla").post(f"{here}block/", {"reason": "I cannot find it"})
    assert "You blocked this card" in page(world, card, "Carla")
    assert ">Unblock card</button>" in page(world, card, "Rita")
    world.client("Carla").post(f"{here}unblock/")
    assert status(world, card) == "ACTIVE"


def test_retiring_takes_the_last_four_digits_typed(world: World, give: Give) -> None:
    card = give()
    here = world.address(f"cards/{card.remote_id}/retire/")
    wrong = world.client("Ada").post(here, {"last_four": "00x0", "reason": "Left the company"})
    body = wrong.content.decode()
    assert wrong.status_code == 422
    assert "These are not the last four digits" in body
    assert "Left the company" in body
    assert status(world, card) == "ACTIVE"
    assert world.client("Ada").post(here, {"last_four": card.last_four}).status_code == 302
    assert status(world, card) == "RETIRED"
    ended = page(world, card, "Ada")
    assert ">Close card<" not in ended
    assert "Edit spending controls" not in ended


def test_new_digits_for_a_virtual_card_with_the_same_controls(world: World, give: Give) -> None:
    card = give(controls={"per_transaction_limit": 50_00})
    answer = world.client("Carla").post(world.address(f"cards/{card.remote_id}/reissue/"), {"reason": "Leaked"})
    assert answer.status_code == 302
    new = Card.objects.get(business=world.business, remote_id=answer["Location"].rstrip("/").split("/")[-1])
    assert (new.status, new.payload["controls"]) == ("ACTIVE", {"per_transaction_limit": 50_00})
    card.refresh_from_db()
    assert card.status == "RETIRED"
    old = page(world, card, "Carla")
    assert "Replaced by a new card." in old
    assert new.remote_id in old


def test_who_could_not_unblock_a_card_cannot_replace_it_either(world: World, give: Give) -> None:
    card = give()
    world.client("Ada").post(world.address(f"cards/{card.remote_id}/block/"), {"reason": "Fraud"})
    read_again(world)
    assert ">Replace card number</button>" not in page(world, card, "Carla")
    assert ">Replace card number</button>" in page(world, card, "Apollo")


@pytest.mark.parametrize("verb", ["block", "unblock", "retire", "reissue", "activate"])
def test_another_persons_card_is_not_there_and_nothing_is_sent(world: World, give: Give, verb: str) -> None:
    card = give("Juma")
    assert world.proxy is not None
    before = len(world.proxy.sent())
    for name in ("Carla", "Rita"):
        answer = world.client(name).post(
            world.address(f"cards/{card.remote_id}/{verb}/"), {"reason": "x", "last_four": card.last_four}
        )
        assert answer.status_code == 404
    assert len(world.proxy.sent()) == before


def test_a_card_user_keeps_a_physical_card_from_being_retired_by_mistake(world: World, give: Give) -> None:
    card = give(type="PHYSICAL")
    assert card.status == "REQUESTED"
    answer = world.client("Carla").post(world.address(f"cards/{card.remote_id}/retire/"), {"last_four": card.last_four})
    assert answer.status_code == 403
    assert "with your own virtual cards" in answer.content.decode()


def test_without_an_answer_the_card_says_so_and_the_same_form_does_it_once(world: World, give: Give) -> None:
    card, form = give(), {"reason": "Left in a taxi", "key": "of-the-form"}
    block = world.address(f"cards/{card.remote_id}/block/")
    assert world.proxy is not None
    world.proxy.fail("reset", method="PUT")
    answer = world.client("Ada").post(block, form)
    body = answer.content.decode()
    assert answer.status_code == 504
    assert "Send it again as it stands: it is not done twice." in body
    assert 'value="Left in a taxi"' in body
    assert 'value="of-the-form"' in body
    world.proxy.heal()
    assert world.client("Ada").post(block, form).status_code == 302
    assert status(world, card) == "BLOCKED"


def test_who_was_slower_sees_the_card_as_it_is_now(world: World, give: Give) -> None:
    card = give()
    world.send("PUT", f"/cards/{card.remote_id}/retire")
    answer = world.client("Ada").post(world.address(f"cards/{card.remote_id}/block/"), {"reason": "Stolen"})
    body = unescape(answer.content.decode())
    assert answer.status_code == 409
    assert "(request " in body
    assert "Closed" in body
    assert ">Block ···" not in body


def test_what_a_form_may_have_done_is_not_denied_once_another_form_of_its_page_was_sent(
    world: World, give: Give
) -> None:
    assert world.proxy is not None
    card = give()
    here, key, ada = world.address(f"cards/{card.remote_id}/"), {"key": "of-the-page"}, world.client("Ada")
    world.proxy.fail("lost reply", path="/cards")
    ada.post(f"{here}block/", key | {"reason": "Seen at a bad merchant"})
    world.proxy.heal()
    assert status(world, card) == "BLOCKED"
    # The forms of the page share its key.
    assert ada.post(f"{here}retire/", key | {"last_four": "00x0", "reason": "Left"}).status_code == 422
    actor = world.actor("Ada")
    assert state_of_submission(actor, "of-the-page", f"{here}block/?from=list") == "UNKNOWN"
    # Of the other form it is known.
    assert state_of_submission(actor, "of-the-page", f"{here}retire/") is None
