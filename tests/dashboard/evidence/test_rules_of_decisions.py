"""Each decision of a pack names the policies that were in force when it was made, listed once for all between two changes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from dashboard.decisions.models import DecisionState
from dashboard.errors import EntitlementMissing
from dashboard.evidence import rules_of_decisions
from dashboard.evidence.decision_records import DecisionRecord
from dashboard.evidence.moments import MOST_MOMENTS, EvidenceMoment
from dashboard.evidence.rules_in_force import AuditTrail, moment_text
from dashboard.evidence.rules_of_decisions import CUT, NOT_GROUPED, RulesOfDecisions
from tests.dashboard.evidence.test_rules_in_force import BEFORE, NOW, SINCE, THEN, Trail, house, line, policy, trail
from tests.dashboard.pages.conftest import House

__all__ = ["house", "trail"]


def decision(at: datetime, state: DecisionState = DecisionState.DONE) -> DecisionRecord:
    return {
        "decision_id": f"{at}", "decided_at": moment_text(at), "by": "Rita", "role_then": "REVIEWER", "employee_id": "",
        "operation": "approve_expense", "about": "expense/1", "title": "", "amount": "", "currency": "", "reason": "",
        "overridden_policies": [], "state": state, "outcome": "", "references": [], "policies_at": "",
    }  # fmt: skip


def listed(house: House, decisions: list[DecisionRecord]) -> RulesOfDecisions:
    beats: list[None] = []
    audit_trail = AuditTrail(house.actor("Ada"), lambda: beats.append(None))
    return rules_of_decisions.rules_of_decisions(audit_trail, decisions, EvidenceMoment(NOW, "this pack was made"))


def versions(found: RulesOfDecisions) -> dict[str, list[Any]]:
    return {then["at"]: [rule["version"] for rule in then["rules"]] for then in found.rules}


def test_decisions_before_and_after_a_change_name_the_version_that_decided_each(house: House, trail: Trail) -> None:
    policy(house, "meals", SINCE)
    trail["business_policy:meals"] = [
        line(SINCE, {"status": "ACTIVE", "version": 2}, {"status": "ACTIVE", "version": 3}),
        line(BEFORE, {"status": "ACTIVE", "version": 1}, {"status": "ACTIVE", "version": 2}),
    ]
    decisions = [decision(THEN + timedelta(hours=hours)) for hours in (0, 1, 2)]
    decisions += [decision(SINCE + timedelta(hours=1)), decision(SINCE + timedelta(hours=2), DecisionState.CANCELLED)]
    found = listed(house, decisions)
    by_moment = versions(found)
    assert [by_moment[row["policies_at"]] for row in decisions[:4]] == [[2], [2], [2], [3]]
    assert [row["policies_at"] for row in decisions] == [
        moment_text(THEN), moment_text(THEN), moment_text(THEN), moment_text(SINCE + timedelta(hours=1)), "",
    ]  # fmt: skip
    assert len(found.rules) == 3, "two spans, and the moment of the pack"
    assert found.notes == []


def test_without_a_change_a_thousand_decisions_are_one_moment(house: House, trail: Trail) -> None:
    policy(house, "meals", BEFORE)
    decisions = [decision(THEN + timedelta(minutes=number)) for number in range(1000)]
    found = listed(house, decisions)
    assert {row["policies_at"] for row in decisions} == {moment_text(THEN)}
    assert [then["event"] for then in found.rules] == ["a decision", "this pack was made"]


@pytest.mark.parametrize("count", [2, MOST_MOMENTS + 3])
def test_where_changes_are_not_known_each_decision_is_a_moment_of_its_own_as_far_as_they_are_listed(
    house: House, trail: dict[str, Any], count: int
) -> None:
    policy(house, "meals", SINCE)
    trail["business_policy:meals"] = EntitlementMissing()
    decisions = [decision(THEN + timedelta(minutes=number)) for number in range(count)]
    found = listed(house, decisions)
    assert found.notes[0] == NOT_GROUPED
    assert found.notes[1:] == ([] if count == 2 else [CUT.format(listed=MOST_MOMENTS, count=count)])
    named = [row["policies_at"] for row in decisions if row["policies_at"]]
    assert len(named) == min(count, MOST_MOMENTS)
    assert set(named) <= set(versions(found))


def test_without_a_decision_the_last_moment_alone_is_listed(house: House, trail: Trail) -> None:
    policy(house, "meals", BEFORE)
    assert versions(listed(house, [])) == {moment_text(NOW): [3]}
