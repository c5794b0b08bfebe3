"""Single-use cards: asked for, decided by somebody else (by votes where a mandate asks for them), spent once."""

from collections.abc import Callable
from typing import Any

import pytest

from service.approvals.models import Approval
from service.businesses.models import Employee
from service.cards.models import Card
from service.events.models import Event
from tests.service.cards.conftest import allocate, use
from tests.service.house import House, code

SPACES = "/cards/single-use"


def request_card(house: House, by: str | None = "Carla", amount: float = 5000, **fields: Any) -> Any:
    return house.post(f"{SPACES}/requests", {"amount": amount, "purpose": "Ticket", **fields}, by=by)


def decide(house: House, request: dict[str, Any], action: str, by: str = "Ada", reason: str | None = None) -> Any:
    body = {"action": action, **({"reason": reason} if reason else {})}
    return house.send("PATCH", f"{SPACES}/requests/{request['_id']}", body, by=by)


def test_approved_it_is_a_card_for_one_purchase(house: House) -> None:
    request = request_card(house, merchant="Java House").json()
    assert (request["status"], request["card_id"], request["amount_minor"]) == ("PENDING", None, 5000_00)
    done = decide(house, request, "approve", by="Rita").json()
    assert (done["status"], done["decided_by"]) == ("APPROVED", house.person("Rita").id)
    card = house.get(f"/cards/{done['card_id']}", by="Carla").json()
    assert (card["type"], card["employee_id"]) == ("SINGLE_USE", house.person("Carla").id)
    assert (card["funding"], card["allocation"]["available"]) == ("ALLOCATION", 0)
    assert use(house, card, 10)["code"] == "insufficient_allocation"
    allocate(house)
    assert card["controls"]["single_use"] == {"comparison": "LTE", "amount": 5000_00}
    assert use(house, card, 10, merchant="Elsewhere")["code"] == "merchant_blocked"
    assert use(house, card, 5000.01)["code"] == "per_transaction_limit"
    assert use(house, card, 4000)["approved"]
    assert use(house, card, 10)["code"] == "card_retired"
    kinds = Event.objects.filter(business=house.business, kind__startswith="card_request")
    assert list(kinds.order_by("id").values_list("kind", flat=True)) == [
        "card_request.requested",
        "card_request.approved",
    ]


def test_not_own(house: House) -> None:
    for who in ("Ada", "Rita", "Apollo"):
        request = request_card(house, by=who).json()
        for action in ("approve", "reject"):
            assert code(decide(house, request, action, by=who, reason="No")) == (403, "self_approval_forbidden")
        assert house.get(f"{SPACES}/requests/{request['_id']}", by=who).json()["status"] == "PENDING"


@pytest.mark.parametrize(
    ("who", "outcome"),
    [("Rita", 200), ("Apollo", 200), ("Abel", 200), ("Rex", 403), ("Sam", 403), ("Cyrus", 404)],
)
def test_who_decides(house: House, who: str, outcome: int) -> None:
    request = request_card(house).json()
    answer = decide(house, request, "reject", by=who, reason="Too much")
    assert answer.status_code == outcome
    if outcome == 200:
        assert (answer.json()["status"], answer.json()["reason"], answer.json()["card_id"]) == (
            "REJECTED",
            "Too much",
            None,
        )
        assert code(decide(house, request, "approve", by=who)) == (409, "invalid_state")


def test_requester_or_admin_takes_it_back(house: House) -> None:
    for who, outcome in (("Carla", 200), ("Ada", 200), ("Sam", 200), ("Rita", 403), ("Apollo", 403)):
        answer = decide(house, request_card(house).json(), "cancel", by=who)
        assert answer.status_code == outcome
        if outcome == 200:
            assert answer.json()["status"] == "CANCELLED"


def test_a_mandate_of_action_type_8_asks_for_votes(house: House) -> None:
    request = request_card(house, amount=10_000_000).json()
    approval = Approval.objects.get(business=house.business)
    assert (request["approval_id"], approval.action_type, approval.kind) == (approval.id, 8, "CARD_REQUEST")
    assert code(decide(house, request, "approve", by="Ada")) == (403, "insufficient_role"), (
        "the mandate names approvers"
    )
    needed = approval.approvals_required
    for voter in ("Apollo", "Zawadi", "Juma")[:needed]:
        last = decide(house, request, "approve", by=voter)
        assert last.status_code == 200, last.content
    assert last.json()["status"] == "APPROVED"
    assert Card.objects.get(pk=last.json()["card_id"]).type == "SINGLE_USE"


def test_votes_reject_and_are_withdrawn(house: House) -> None:
    first, second = (request_card(house, amount=10_000_000).json() for _ in range(2))
    assert decide(house, first, "reject", by="Juma", reason="No").json()["status"] == "REJECTED"
    assert decide(house, second, "cancel", by="Carla").json()["status"] == "CANCELLED"
    assert Approval.objects.get(pk=second["approval_id"]).status == "WITHDRAWN"
    assert code(decide(house, second, "approve", by="Juma")) == (409, "invalid_state")


def policy(house: House, by: str = "Ada", **body: Any) -> Any:
    return house.send("PUT", f"{SPACES}/policy", {"enabled": True, **body}, by=by)


def test_the_policy_bounds_and_approves_by_itself(house: House) -> None:
    assert house.get(f"{SPACES}/policy", by="Carla").json() == {
        "enabled": True, "limits": [], "valid_days": 30, "max_open": 5, "version": 1,
    }  # fmt: skip
    limits = [{"currency": "KES", "max_amount": 9000_00, "auto_approve_up_to": 100_00}]
    assert policy(house, limits=limits, max_open=1).json()["version"] == 2
    assert code(policy(house, version=1)) == (409, "concurrent_update")
    small = request_card(house, amount=100).json()
    assert (small["status"], small["decided_by"], small["card_id"] is None) == ("APPROVED", "policy", False)
    assert code(request_card(house, amount=9000.01)) == (422, "limit_exceeded")
    assert request_card(house, amount=101).json()["status"] == "PENDING"
    assert code(request_card(house, amount=101)) == (422, "limit_exceeded"), "one waits already"
    policy(house, **{"enabled": False})
    assert code(request_card(house, "Cyrus")) == (403, "policy_blocked")
    for who in ("Carla", "Rita", "Apollo"):
        assert code(policy(house, by=who)) == (403, "insufficient_role")


def test_each_sees_theirs(house: House, houses: Callable[..., House]) -> None:
    mine, other = request_card(house).json(), request_card(house, "Cyrus").json()
    for who, ids in (("Carla", [mine["_id"]]), ("Rita", [mine["_id"]]), ("Ada", [other["_id"], mine["_id"]])):
        assert [row["_id"] for row in house.get(f"{SPACES}/requests", by=who).json()["docs"]] == ids
    assert code(house.get(f"{SPACES}/requests/{other['_id']}", by="Carla")) == (404, "not_found")
    assert code(decide(houses(), mine, "approve")) == (404, "not_found")
    assert house.get(f"{SPACES}/requests?status=APPROVED").json()["total"] == 0


def test_who_has_left_gets_no_card(house: House) -> None:
    request = request_card(house, "Cyrus").json()
    Employee.objects.filter(pk=house.person("Cyrus").id).update(status="DELETED")
    assert code(decide(house, request, "approve")) == (409, "invalid_state")
    assert not Card.objects.filter(business=house.business).exists()
    assert code(request_card(house, by=None)) == (403, "insufficient_role")


@pytest.mark.parametrize(
    "fields",
    [
        {"amount": 0},
        {"amount": -1},
        {"amount": 1.001},
        {"amount": 10**14},
        {"purpose": " "},
        {"comparison": "GT"},
        {"x": 1},
    ],
)
def test_bad_requests(house: House, fields: dict[str, Any]) -> None:
    assert code(request_card(house, **fields)) == (422, "validation_failed")
    assert code(request_card(house, org_wallet_ref="77")) == (404, "not_found")


@pytest.mark.parametrize(
    "limits",
    [
        [{"currency": "XXX", "max_amount": 1}],
        [{"currency": "KES", "max_amount": 1, "auto_approve_up_to": 2}],
        [{"currency": "KES", "max_amount": 1}] * 2,
    ],
)
def test_bad_policies(house: House, limits: list[dict[str, Any]]) -> None:
    assert code(policy(house, limits=limits)) == (422, "validation_failed")
    assert code(decide(house, request_card(house).json(), "reject")) == (422, "validation_failed")
