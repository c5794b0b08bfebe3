"""What a pack names as in force then was in force then, and what is not known is said as it is."""

from __future__ import annotations

import io
import json
import uuid
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from dashboard.access.subject import Subject
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.decisions.models import Decision
from dashboard.errors import EntitlementMissing, FinanceError, TooMany, Unavailable
from dashboard.evidence import contents, rules_in_force, worker
from dashboard.evidence.models import EvidencePack
from dashboard.evidence.moments import MOST_MOMENTS, EvidenceMoment, listed_moments
from dashboard.evidence.rules_in_force import AuditTrail, RuleInForce, moment_text, notes_at, rules_at
from dashboard.mirror.models import Expense, SpendPolicy, Workflow
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
    return {rule["id"]: rule for rule in rules_at(AuditTrail(house.actor("Ada"), beat), THEN)}


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


def packed(house: House, expense: Expense) -> dict[str, Any]:
    """The manifest and the policies.json of a pack of the expense, made now."""
    pack = EvidencePack.objects.create(
        business=house.business, membership=house.people["Ada"], key=uuid.uuid4().hex, scope="item",
        object_type="expense", object_id=expense.remote_id, title="Taxi",
    )  # fmt: skip
    assert worker.run(pack.pk)
    pack.refresh_from_db()
    assert pack.state == "DONE", pack.trouble
    with zipfile.ZipFile(io.BytesIO(bytes(pack.content))) as archive:
        return {"rules": json.loads(archive.read("policies.json")), "notes": json.loads(pack.manifest)["notes"]}


def decided(house: House, expense: Expense, at: datetime, state: str = "DONE", by: str = "Rita") -> None:
    decision = Decision.objects.create(
        business=house.business, membership=house.people[by], operation="approve_expense", object_type="expense",
        object_id=expense.remote_id, title="Taxi", fingerprint="", key=uuid.uuid4().hex, state=state, due_at=at,
    )  # fmt: skip
    Decision.objects.filter(pk=decision.pk).update(created_at=at)


def test_an_item_has_the_versions_of_when_it_was_spent_and_of_each_decision(house: House, trail: Trail) -> None:
    expense = house.expense(transaction_date=BEFORE + timedelta(days=1), payload={})
    decided(house, expense, THEN)
    decided(house, expense, SINCE + timedelta(days=1), by="Apollo")
    # Undone before it was sent: it has decided nothing.
    decided(house, expense, NOW - timedelta(days=1), "CANCELLED")
    policy(house, "on", SINCE)
    trail["business_policy:on"] = [
        line(SINCE, {"status": "ACTIVE", "version": 2}, {"status": "ACTIVE", "version": 3}),
        line(BEFORE + timedelta(days=5), {"status": "ACTIVE", "version": 1}, {"status": "ACTIVE", "version": 2}),
    ]
    pack = packed(house, expense)
    moments = [(then["event"], [rule["version"] for rule in then["rules"]]) for then in pack["rules"]]
    assert moments == [("spent", [1]), ("decided by Rita", [2]), ("decided by Apollo", [3])]
    assert [then["at"] for then in pack["rules"]] == [
        moment_text(at) for at in (BEFORE + timedelta(days=1), THEN, SINCE + timedelta(days=1))
    ]
    assert contents.NO_MOMENT not in pack["notes"]


def test_what_nobody_decided_here_has_the_policies_of_when_it_was_spent(house: House, trail: Trail) -> None:
    expense = house.expense(transaction_date=THEN, payload={})
    policy(house, "on", SINCE)
    trail["business_policy:on"] = [line(SINCE, {"status": "INACTIVE"}, {"status": "ACTIVE", "version": 3})]
    pack = packed(house, expense)
    assert [(then["event"], then["rules"]) for then in pack["rules"]] == [("spent", [])]


def test_of_what_has_no_moment_the_pack_says_that_its_policies_are_those_of_now(house: House) -> None:
    record(
        house.actor("Ada"),
        "note",
        Subject(business_id=house.business.pk, kind="card", id="c1", title="Fuel"),
        Outcome.NOTED,
        sentence="wrote a note",
    )
    pack = EvidencePack.objects.create(
        business=house.business, membership=house.people["Ada"], key=uuid.uuid4().hex, scope="item", object_type="card",
        object_id="c1", title="Fuel",
    )  # fmt: skip
    assert worker.run(pack.pk)
    pack.refresh_from_db()
    assert contents.NO_MOMENT in json.loads(pack.manifest)["notes"]


def test_a_page_of_the_audit_is_read_once_however_many_moments_there_are(house: House, trail: Trail) -> None:
    policy(house, "on", SINCE)
    trail["business_policy:on"] = [line(SINCE, {"status": "ACTIVE", "version": 1}, {"status": "ACTIVE", "version": 2})]
    reads: list[int] = []
    audit = AuditTrail(house.actor("Ada"), lambda: reads.append(1))
    assert [[rule["version"] for rule in rules_at(audit, at)] for at in (BEFORE, THEN, SINCE)] == [[1], [1], [3]]
    assert len(reads) == 1


def test_of_very_many_moments_the_first_and_the_last_are_listed() -> None:
    moments = [EvidenceMoment(NOW + timedelta(days=number), "decided by Rita") for number in range(MOST_MOMENTS + 5)]
    listed = listed_moments(moments)
    assert (len(listed), listed[0], listed[-1]) == (MOST_MOMENTS, moments[0], moments[-1])
    assert listed_moments(moments[:3]) == moments[:3]
