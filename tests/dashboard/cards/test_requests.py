"""Making a card for somebody, asking for one's own, and the queues in which others decide, one or several, with undo."""

import re
from html import unescape
from typing import Any

import pytest

from dashboard.decisions.models import Decision
from dashboard.mirror.models import ApprovalRequest, Card
from tests.dashboard.cards.conftest import Give
from tests.dashboard.conftest import World

ONCE = {
    "once-purpose": "Conference ticket",
    "once-amount": "120.50",
    "once-comparison": "LTE",
    "once-org_wallet_ref": "1",
}
NEW = {
    "name": "Fuel",
    "type": "VIRTUAL",
    "funding": "ALLOCATION",
    "org_wallet_ref": "1",
    "one_purchase": "50.25",
    "in_a_month": "900",
}


def make(world: World, who: str = "Ada", holder: str = "Carla", **form: str) -> Any:
    body = NEW | {"employee_id": world.employee(holder)["employee_id"]} | form
    return world.client(who).post(world.address("cards/new/"), body)


def test_a_new_card_is_there_with_its_first_limits(world: World) -> None:
    first, again = make(world, key="the-same"), make(world, key="the-same")
    assert first.status_code == again.status_code == 302
    (card,) = Card.objects.filter(business=world.business)
    assert first["Location"] == world.address(f"cards/{card.remote_id}/")
    controls = world.upstream(f"/cards/{card.remote_id}")["controls"]
    assert controls["per_transaction_limit"] == 50_25
    assert controls["limits"][0]["amount"] == 900_00
    assert card.employee_name == world.employee("Carla")["name"]


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"name": ""}, "required"), ({"employee_id": "nobody"}, "Select a valid choice"),
        ({"one_purchase": "1.001"}, "2 digits after the point"), ({"one_purchase": "0"}, "above zero"),
        ({"type": "PHYSICAL", "street": "Moi Ave"}, "Enter a complete address"),
        ({"ship_name": "C", "street": "Moi", "city": "Nairobi", "country": "Kenya"}, "Only a physical card is shipped"),
        ({"country": "Atlantis"}, "not a known country"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_new_card_is_told_and_kept(world: World, changed: dict[str, str], text: str) -> None:
    answer = make(world, **({"in_a_month": "777"} | changed))
    body = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert text in body
    assert 'value="777"' in body
    assert not Card.objects.filter(business=world.business).exists()


def test_nobody_makes_one_for_themselves_and_not_everybody_makes_one(world: World) -> None:
    assert make(world, "Ada", "Ada").status_code == 422
    for name in ("Carla", "Rita", "Sam"):
        assert make(world, name).status_code == 403
    assert not Card.objects.filter(business=world.business).exists()
    assert "New card" not in world.client("Sam").get(world.address("cards/")).content.decode()


def test_a_physical_card_is_ordered_and_decided_on_with_others(world: World) -> None:
    there = {"ship_name": "Carla", "street": "Moi Ave 1", "city": "Nairobi", "country": "Kenya"}
    carla = {f"physical-{name}": value for name, value in ({"name": "Travel", "org_wallet_ref": "1"} | there).items()}
    assert world.client("Carla").post(world.address("cards/mine/ask/physical/"), carla).status_code == 302
    assert make(world, "Ada", "Rita", type="PHYSICAL").status_code == 302
    mine = world.client("Carla").get(world.address("cards/mine/")).content.decode()
    assert "Travel" in mine
    assert "Requested" in mine
    queue = unescape(world.client("Apollo").get(world.address("cards/orders/")).content.decode())
    assert "Moi Ave 1, Nairobi, KE" in queue
    own = ApprovalRequest.objects.get(
        business=world.business, kind="card_order", holder_name=world.employee("Carla")["name"]
    )
    assert f"card-order/{own.remote_id}" in queue
    assert world.client("Rita").get(world.address("cards/orders/")).status_code == 403
    ids = re.findall(r'name="ids" value="([^"]+)"', queue)
    plan = world.client("Apollo").post(world.address("approvals/plan/"), {"verb": "approve", "ids": ids})
    body = plan.content.decode()
    assert "will be approved" in body
    form = dict(re.findall(r'name="(plan|operation)" value="([^"]+)"', body))
    world.client("Apollo").post(world.address("approvals/several/"), form)
    assert Decision.objects.filter(business=world.business, operation="approve_card_orders").count() == len(ids)


def test_a_card_for_one_purchase_is_asked_for_and_taken_back(world: World) -> None:
    answer = world.client("Carla").post(world.address("cards/mine/ask/once/"), ONCE | {"key": "k"})
    assert answer.status_code == 302
    found = ApprovalRequest.objects.get(business=world.business, kind="card_request")
    assert (found.status, found.amount_minor) == ("PENDING", 120_50)
    mine = world.client("Carla").get(world.address("cards/requests/")).content.decode()
    assert "Conference ticket" in mine
    assert "Review approval" not in mine
    queue = unescape(world.client("Apollo").get(world.address("cards/requests/")).content.decode())
    assert "up to this amount, at any merchant" in queue
    path = world.address(f"cards/mine/requests/{found.remote_id}/take-back/")
    assert world.client("Rita").post(path).status_code == 403
    assert world.client("Carla").post(path).status_code == 302
    assert world.upstream(f"/cards/single-use/requests/{found.remote_id}")["status"] == "CANCELLED"


def test_what_the_business_does_not_allow_is_told_in_its_words(world: World, give: Give) -> None:
    world.send(
        "PUT", "/cards/single-use/policy", {"enabled": True, "limits": [{"currency": "KES", "max_amount": 100_00}]}
    )
    answer = world.client("Carla").post(world.address("cards/mine/ask/once/"), ONCE)
    body = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert "At most KES 100" in body
    assert "Conference ticket" in body
    missing = world.client("Carla").post(world.address("cards/mine/ask/once/"), ONCE | {"once-purpose": ""})
    assert missing.status_code == 422
    assert 'value="120.50"' in missing.content.decode()


def test_what_is_asked_for_stays_when_the_service_does_not_answer(world: World) -> None:
    assert world.proxy is not None
    world.proxy.fail("reset", method="POST")
    form = ONCE | {"key": "of-the-form"}
    request_page = world.client("Carla").post(world.address("cards/mine/ask/once/"), form).content.decode()
    new_page = make(world, name="Fuel of May").content.decode()
    assert 'value="Conference ticket"' in request_page
    assert 'value="of-the-form"' in request_page
    assert 'value="Fuel of May"' in new_page
    for body in (request_page, new_page):
        assert "Send it again as it stands" in body
