"""Approving, rejecting and asking for details: what it does, who may, and from which state (decisions B.15)."""

import threading
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connections

from service.events.models import AuditEvent, Event
from service.expenses.models import Expense, ExpenseStatus
from service.expenses.transitions import APPROVE, GIVE_DETAILS, REJECT, REQUEST_DETAILS, TRANSITIONS
from service.sandbox.simulation import spend_some
from tests.service.expenses.conftest import Spend
from tests.service.house import House, code

VERBS = {"approve": "APPROVED", "reject": "REJECTED", "requestDetails": "DETAILS_REQUESTED"}
REASON = {"reason": "Please explain."}


@pytest.mark.parametrize(("verb", "status"), VERBS.items())
def test_a_decision_changes_the_row_and_leaves_event_and_audit(
    house: House, spend: Spend, verb: str, status: str
) -> None:
    [row] = spend("Carla")
    answer = house.post(f"/expenses/{verb}/{row.id}", REASON, by="Rita", headers={"X-Request-Id": "trace"})
    body = answer.json()
    assert answer.status_code == 200
    assert (body["status"], body["reviewed_by"]) == (status, house.person("Rita").id)
    assert (body["review_reason"], body["version"]) == (REASON["reason"], 2)
    event = Event.objects.filter(business=house.business).order_by("-id")[0]
    assert event.kind == f"expense.{status.lower()}"
    assert event.payload["object"]["status"] == status
    assert event.payload["previous"]["status"] == "PENDING"
    trail = AuditEvent.objects.filter(business=house.business, resource_id=row.id).order_by("-id")[0]
    assert (trail.acting_employee_id, trail.request_id) == (house.person("Rita").id, "trace")


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("who", "outcome"),
    [
        ("Carla", (403, "insufficient_role")),
        ("Rita", (200, "")),
        ("Rex", (403, "insufficient_role")),
        ("Apollo", (200, "")),
        ("Ada", (200, "")),
        ("Sam", (403, "insufficient_role")),
    ],
)
def test_who_may_decide(house: House, spend: Spend, verb: str, who: str, outcome: tuple[int, str]) -> None:
    [row] = spend("Carla")
    answer = house.post(f"/expenses/{verb}/{row.id}", REASON, by=who)
    assert (answer.status_code, answer.json().get("code", "")) == outcome


@pytest.mark.parametrize("verb", VERBS)
def test_nobody_decides_on_their_own(house: House, spend: Spend, verb: str) -> None:
    for name in ("Rita", "Ada", "Apollo"):
        [row] = spend(name)
        refused = house.post(f"/expenses/{verb}/{row.id}", REASON, by=name)
        assert code(refused) == (403, "self_approval_forbidden")
        assert Expense.objects.get(id=row.id).status == ExpenseStatus.PENDING


@pytest.mark.parametrize("verb", VERBS)
def test_what_is_not_theirs_to_see_is_404(house: House, spend: Spend, verb: str, houses: Callable[..., House]) -> None:
    [elsewhere] = spend("Cyrus")
    assert code(house.post(f"/expenses/{verb}/{elsewhere.id}", REASON, by="Rita")) == (404, "not_found")
    assert code(houses().post(f"/expenses/{verb}/{elsewhere.id}", REASON)) == (404, "not_found")
    assert code(house.post(f"/expenses/{verb}/{'0' * 24}", REASON)) == (404, "not_found")


@pytest.mark.parametrize("status", [each for each in ExpenseStatus.values if each != ExpenseStatus.DELETED])
@pytest.mark.parametrize(
    ("verb", "move"), [("approve", APPROVE), ("reject", REJECT), ("requestDetails", REQUEST_DETAILS)]
)
def test_every_move_from_every_state_is_as_the_table_says(
    house: House, spend: Spend, status: str, verb: str, move: str
) -> None:
    [row] = spend("Carla")
    Expense.objects.filter(id=row.id).update(status=status)
    answer = house.post(f"/expenses/{verb}/{row.id}", REASON)
    target = TRANSITIONS[move].get(status)
    if target:
        assert answer.json()["status"] == target
    else:
        assert code(answer) == (409, "invalid_state")
        assert Expense.objects.get(id=row.id).status == status


def test_the_table_is_the_published_one() -> None:
    assert TRANSITIONS[APPROVE] == {"PENDING": "APPROVED", "REJECTED": "APPROVED"}
    assert TRANSITIONS[REJECT] == {"PENDING": "REJECTED", "APPROVED": "REJECTED"}
    assert TRANSITIONS[REQUEST_DETAILS] == {"PENDING": "DETAILS_REQUESTED"}
    assert TRANSITIONS[GIVE_DETAILS] == {"DETAILS_REQUESTED": "PENDING"}


@pytest.mark.parametrize("verb", ["reject", "requestDetails"])
@pytest.mark.parametrize("body", [{}, {"reason": ""}, {"reason": "   "}, {"reason": "x" * 2001}, {"reason": 3}])
def test_a_no_needs_a_reason(house: House, spend: Spend, verb: str, body: dict[str, Any]) -> None:
    [row] = spend("Carla")
    refused = house.post(f"/expenses/{verb}/{row.id}", body)
    assert code(refused) == (422, "validation_failed")
    assert refused.json()["errors"][0]["field"] == "reason"


def test_decisions_stop_where_the_books_are_closed(house: House, spend: Spend) -> None:
    [row] = spend("Carla")
    house.post(f"/sandbox/businesses/{house.business.id}/books", {"closed_until": "2099-01-01"}, by=None)
    day = row.transaction_date.astimezone(ZoneInfo(house.business.time_zone)).date()
    house.post(f"/sandbox/businesses/{house.business.id}/books", {"closed_until": day.isoformat()})
    assert code(house.post(f"/expenses/approve/{row.id}")) == (409, "invalid_state")


def test_two_at_once_one_decision(committed: None) -> None:
    house = House()
    assert house.token
    [row] = spend_some(house.business, [house.person("Carla")], 1, with_receipts=False)
    gate = threading.Barrier(2)
    statuses: list[int] = []

    def decide(who: str) -> None:
        gate.wait(30)
        statuses.append(house.post(f"/expenses/approve/{row.id}", by=who).status_code)
        connections.close_all()

    threads = [threading.Thread(target=decide, args=(who,)) for who in ("Ada", "Apollo")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(statuses) == [200, 409]
    assert Expense.objects.get(id=row.id).version == 2
