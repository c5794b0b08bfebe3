"""What a pack names as in force then was in force then, and what is not known is said as it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from dashboard.errors import EntitlementMissing, FinanceError, TooMany, Unavailable
from dashboard.evidence import rules_in_force
from dashboard.evidence.rules_in_force import RuleInForce, notes_at, rules_at
from dashboard.mirror.models import SpendPolicy, Workflow
from tests.dashboard.pages.conftest import House, make_house

NOW = timezone.now()
THEN, BEFORE, SINCE = NOW - timedelta(days=10), NOW - timedelta(days=20), NOW - timedelta(days=5)
Trail = dict[str, list[dict[str, Any]]]


@pytest.fixture
def house(db: None) -> House:
    return make_house()


@pytest.fixture
def trail(monkeypatch: pytest.MonkeyPatch) -> Trail:
    """The service's audit by resource, the newest first; a FinanceError in place of rows is raised."""
    kept: Trail = {}

    def read_live(actor: object, operation: object, *, query: dict[str, Any], **_: object) -> SimpleNamespace:
        rows = kept.get(query["resource"], [])
        if isinstance(rows, FinanceError):
            raise rows
        size, number = query["limit"], query.get("page", 1)
        page = rows[(number - 1) * size : number * size]
        return SimpleNamespace(
            data={"docs": page, "total": len(rows), "page": number, "pages": -(-len(rows) // size) or 1}
        )

    monkeypatch.setattr(rules_in_force, "read_live", read_live)
    return kept


def policy(house: House, remote_id: str, changed_at: datetime, status: str = "ACTIVE", **more: Any) -> None:
    values = {
        "remote_id": remote_id, "name": f"Policy {remote_id}", "type": "VENDOR", "action": "BLOCK", "status": status,
        "changed_at": changed_at, "payload": {"status": status, "version": 3},
    }  # fmt: skip
    SpendPolicy.objects.create(**house._mirrored() | values | more)


def workflow(house: House, remote_id: str, changed_at: datetime, *, is_active: bool = True, **more: Any) -> None:
    values = {
        "remote_id": remote_id, "name": f"Workflow {remote_id}", "action_type": 3, "is_active": is_active, "priority": 1,
        "step_count": 1, "changed_at": changed_at, "payload": {"active": is_active, "version": 4},
    }  # fmt: skip
    Workflow.objects.create(**house._mirrored() | values | more)


def line(at: datetime, before: Any, after: Any, action: str = "policy.update") -> dict[str, Any]:
    return {"_id": f"{at}", "at": at.isoformat(), "action": action, "before": before, "after": after}


def found(house: House, beat: Callable[[], None] = lambda: None) -> dict[str, RuleInForce]:
    return {rule["id"]: rule for rule in rules_at(house.actor("Ada"), THEN, beat)}


def test_what_was_not_active_and_has_not_changed_since_is_left_out(house: House, trail: Trail) -> None:
    policy(house, "on", BEFORE)
    policy(house, "off", BEFORE, "INACTIVE")
    policy(house, "gone", BEFORE, "DELETED")
    workflow(house, "flow", BEFORE)
    workflow(house, "idle", BEFORE, is_active=False)
    rules = found(house)
    assert set(rules) == {"on", "flow"}
    assert {rule["source"] for rule in rules.values()} == {rules_in_force.UNCHANGED}


def test_a_version_that_was_not_active_then_is_left_out(house: House, trail: Trail) -> None:
    for remote_id, status in (("on", "ACTIVE"), ("off", "INACTIVE"), ("gone", "DELETED")):
        policy(house, remote_id, SINCE)
        trail[f"business_policy:{remote_id}"] = [
            line(SINCE, {"status": status, "version": 1}, {"status": "ACTIVE", "version": 2})
        ]
    for remote_id, active in (("flow", True), ("idle", False)):
        workflow(house, remote_id, SINCE)
        trail[f"workflow:{remote_id}"] = [
            line(SINCE, {"active": active}, {"active": True}),
            line(BEFORE, {"active": True}, {"active": active, "version": 1}),
        ]
    rules = found(house)
    assert set(rules) == {"on", "flow"}
    assert {(rule["version"], rule["source"]) for rule in rules.values()} == {(1, rules_in_force.FROM_AUDIT)}


@pytest.mark.parametrize("trouble", [Unavailable(), TooMany()])
def test_what_cannot_be_read_now_puts_the_pack_off(house: House, trail: Trail, trouble: Any) -> None:
    policy(house, "on", SINCE)
    trail["business_policy:on"] = trouble
    with pytest.raises(type(trouble)):
        found(house)


def test_what_may_not_be_read_is_said_as_not_read_and_not_as_not_kept(house: House, trail: Any) -> None:
    policy(house, "on", SINCE)
    trail["business_policy:on"] = EntitlementMissing()
    rule = found(house)["on"]
    assert rule["source"].startswith("It could not be read which version was in force. (The business's account")
    assert rule["content"] is None


def test_workflows_that_were_deleted_since_are_listed_in_their_version_of_then(house: House, trail: Trail) -> None:
    workflow(house, "since", BEFORE, tombstoned_at=SINCE)
    trail["workflow:since"] = [
        line(SINCE, {"active": True, "version": 5}, None, "workflow.delete"),
        line(BEFORE, {"active": True, "version": 4}, {"active": True, "version": 5}),
    ]
    # Its deletion was seen late, and it was over before the moment; the other was deleted before it.
    workflow(house, "late", BEFORE, tombstoned_at=SINCE)
    trail["workflow:late"] = [line(BEFORE, {"active": True}, None, "workflow.delete")]
    workflow(house, "before", BEFORE, tombstoned_at=BEFORE)
    other = make_house()
    workflow(other, "others", BEFORE, tombstoned_at=SINCE)
    rules = found(house)
    assert set(rules) == {"since"}
    assert (rules["since"]["version"], rules["since"]["source"]) == (5, rules_in_force.DELETED_SINCE)
    assert rules_in_force.DELETED_UNCOPIED in notes_at(house.actor("Ada"), THEN)


def test_the_version_of_then_is_found_behind_many_pages_of_later_ones(house: House, trail: Trail) -> None:
    policy(house, "on", SINCE)
    later = [line(NOW - timedelta(minutes=n), {"status": "ACTIVE", "version": 999}, {}) for n in range(1200)]
    trail["business_policy:on"] = [*later, line(BEFORE, None, {"status": "ACTIVE", "version": 1}, "policy.create")]
    beats: list[int] = []
    assert found(house, lambda: beats.append(1))["on"]["version"] == 1
    assert len(beats) == 3


def test_behind_more_pages_than_are_read_it_is_said_to_be_not_kept(
    house: House, trail: Trail, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_in_force, "MOST_PAGES", 1)
    policy(house, "on", SINCE)
    later = [line(NOW - timedelta(minutes=n), {"status": "ACTIVE", "version": 999}, {}) for n in range(600)]
    trail["business_policy:on"] = [*later, line(BEFORE, None, {"status": "ACTIVE", "version": 1}, "policy.create")]
    rule = found(house)["on"]
    assert (rule["version"], rule["source"]) == (None, rules_in_force.NOT_STORED)


def test_what_came_later_is_left_out(house: House, trail: Trail) -> None:
    policy(house, "new", SINCE)
    trail["business_policy:new"] = [line(SINCE, None, {"status": "ACTIVE"}, "policy.create")]
    assert found(house) == {}


def test_more_rules_than_are_listed_are_said(house: House, trail: Trail, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules_in_force, "MOST_RULES", 1)
    policy(house, "a", BEFORE)
    assert rules_in_force.MORE_RULES not in notes_at(house.actor("Ada"), THEN)
    policy(house, "b", BEFORE)
    assert rules_in_force.MORE_RULES in notes_at(house.actor("Ada"), THEN)
