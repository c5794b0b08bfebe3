"""Several at once: each gets its own verdict, and the ones that cannot keep their state."""

import pytest

from service.events.models import Event
from service.expenses.models import Expense
from tests.service.expenses.conftest import Spend
from tests.service.house import House, code


def test_each_row_has_its_own_result_in_the_order_asked(house: House, spend: Spend) -> None:
    [fine], [own], [elsewhere], [done] = spend("Carla"), spend("Rita"), spend("Cyrus"), spend("Carla")
    house.post(f"/expenses/approve/{done.id}", by="Ada")
    requested = [elsewhere.id, own.id, fine.id, done.id, "0" * 24, fine.id]
    body = house.post("/expenses/approve", {"ids": requested}, by="Rita").json()
    assert [(row["id"], row["ok"], row["code"]) for row in body["results"]] == [
        (elsewhere.id, False, "not_found"),
        (own.id, False, "self_approval_forbidden"),
        (fine.id, True, ""),
        (done.id, False, "invalid_state"),
        ("0" * 24, False, "not_found"),
    ]
    assert body["results"][2]["expense"]["status"] == "APPROVED"
    assert Expense.objects.get(id=own.id).status == "PENDING"


def test_rejecting_several_tells_of_each(house: House, spend: Spend) -> None:
    created = spend("Carla", 4)
    house.post("/expenses/reject", {"ids": [row.id for row in created], "reason": "Private"}, by="Ada")
    events = Event.objects.filter(business=house.business, kind="expense.rejected")
    assert {event.payload["object"]["_id"] for event in events} == {row.id for row in created}
    assert {event.payload["object"]["review_reason"] for event in events} == {"Private"}


@pytest.mark.parametrize(
    ("verb", "body", "field"),
    [
        ("approve", {"ids": []}, "ids"),
        ("approve", {"ids": ["0" * 24] * 501}, "ids"),
        ("approve", {"ids": ["short"]}, "ids.0"),
        ("approve", {}, "ids"),
        ("reject", {"ids": ["0" * 24]}, "reason"),
    ],
)
def test_bad_bodies_name_the_field(house: House, verb: str, body: dict[str, object], field: str) -> None:
    answer = house.post(f"/expenses/{verb}", body)
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["field"] == field


def test_five_hundred_cost_as_many_statements_as_two(
    house: House, spend: Spend, django_assert_max_num_queries: object
) -> None:
    for count in (2, 500):
        ids = [row.id for row in spend("Carla", count)]
        with django_assert_max_num_queries(22):  # type: ignore[operator]
            body = house.post("/expenses/approve", {"ids": ids}, by="Ada").json()
        assert all(row["ok"] for row in body["results"])
