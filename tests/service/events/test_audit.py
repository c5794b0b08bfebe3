"""The audit trail: complete, filtered, and impossible to change."""

import pytest
from django.db import DatabaseError, transaction

from service.events.models import AuditEvent
from tests.service.house import House, code


def test_who_did_what_and_what_changed(house: House) -> None:
    house.post("/categories", {"name": "Wheels"}, by="Sam", headers={"X-Request-Id": "trace-7"})
    [row] = house.get("/audit-events").json()["docs"]
    assert (row["action"], row["resource_type"], row["request_id"]) == ("category.create", "category", "trace-7")
    assert (row["actor"], row["acting_employee"]) == (house.person("Sam").id,) * 2
    assert row["after"]["name"] == "Wheels"


def test_filters(house: House) -> None:
    house.post("/categories", {"name": "Wheels"}, by="Sam")
    house.post("/teams", {"name": "Night shift"}, by="Ada")
    team = house.get("/teams?limit=1").json()["docs"][0]

    def found(query: str) -> list[str]:
        return [row["action"] for row in house.get(f"/audit-events?{query}").json()["docs"]]

    assert found("") == ["team.create", "category.create"]
    assert found(f"actor={house.person('Sam').id}") == ["category.create"]
    assert found("resource=team") == found(f"resource=team:{team['_id']}") == ["team.create"]
    assert found("resource=team:none") == []
    assert found("to=2020-01-01") == []
    assert code(house.get("/audit-events?from=never")) == (400, "invalid_parameters")


def test_another_businesss_trail_is_not_seen(house: House, houses: object) -> None:
    house.post("/categories", {"name": "Wheels"})
    assert houses().get("/audit-events").json()["total"] == 0  # type: ignore[operator]


@pytest.mark.parametrize("attempt", ["update", "delete"])
def test_rows_cannot_be_changed(house: House, attempt: str) -> None:
    house.post("/categories", {"name": "Wheels"})
    rows = AuditEvent.objects.filter(business=house.business)
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(action="nothing") if attempt == "update" else rows.delete()
    assert rows.get().action == "category.create"
