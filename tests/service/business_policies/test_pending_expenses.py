"""A policy's change that holds for what waits as well: flags and requests for votes of expenses in review, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from service.approvals.models import Approval
from service.events.models import AuditEvent, Event
from service.expenses.models import Expense
from tests.service.approvals.conftest import no_worker, vote  # noqa: F401
from tests.service.business_policies.conftest import create_policy, limit, workflow
from tests.service.business_policies.test_spending import latest, spend
from tests.service.house import House, code


def change(house: House, policy: dict[str, Any], **changes: Any) -> Any:
    return house.send("PUT", f"/business-policies/{policy['_id']}", {"also_waiting": True, **changes})


def flags(expense: Expense) -> list[str]:
    expense.refresh_from_db()
    return list(expense.policy_flags)


def pending_expense(house: House, amount: float = 100, **more: Any) -> Expense:
    answer = spend(house, amount, **more)
    assert answer.status_code == 201, answer.content
    return latest(house)


def test_without_it_what_waits_keeps_its_decision(house: House) -> None:
    policy = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **limit(500, None))
    expense = pending_expense(house)
    answer = house.send("PUT", f"/business-policies/{policy['_id']}", {"limit": 50, "currency": "KES"})
    assert answer.status_code == 200
    assert flags(expense) == []
    assert "also_waiting" not in answer.json()


def test_flags_are_added_and_taken_back_of_those_it_is_about(house: House) -> None:
    policy = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **limit(150, None))
    small, large, other = (
        pending_expense(house),
        pending_expense(house, 200),
        pending_expense(house, 200, payment_type="BANK"),
    )
    mark = f"CHANNEL:{policy['_id']}"
    assert (flags(small), flags(large), flags(other)) == ([], [mark], [])
    before = large.version
    assert change(house, policy, limit=50, currency="KES").status_code == 200
    assert (flags(small), flags(large), flags(other)) == ([mark], [mark], [])
    assert large.version == before, "what stays as it is is not touched"
    assert change(house, policy, limit=1000, currency="KES").status_code == 200
    assert (flags(small), flags(large)) == ([], [])
    assert Event.objects.filter(business=house.business, kind="expense.updated").count() >= 3
    assert change(house, policy, status="INACTIVE").status_code == 200
    assert flags(large) == []


def test_a_block_flags_what_is_spent_and_refuses_what_is_not(house: House) -> None:
    policy = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **limit(500, None))
    expense = pending_expense(house)
    assert change(house, policy, action="BLOCK", limit=50, currency="KES").status_code == 200
    assert flags(expense) == [f"CHANNEL:{policy['_id']}"]
    assert expense.status == "PENDING"
    assert spend(house).status_code == 403


def test_votes_are_asked_for_and_the_request_ends_with_the_need(house: House) -> None:
    flow = workflow(house)
    policy = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **limit(500, None))
    expense = pending_expense(house)
    asks = {"action": "REQUIRE_APPROVAL", "workflow_id": flow["_id"], "limit": 50, "currency": "KES"}
    assert change(house, policy, **asks).status_code == 200
    assert flags(expense) == [f"APPROVAL:{policy['_id']}"]
    request = Approval.objects.get(subject_id=expense.id)
    assert (request.status, request.mandate_snapshot["workflow_id"]) == ("PENDING", flow["_id"])
    assert code(house.post(f"/expenses/approve/{expense.id}", by="Ada")) == (409, "invalid_state")
    # The same once more asks nobody twice.
    assert change(house, policy, **asks).status_code == 200
    assert Approval.objects.filter(subject_id=expense.id).count() == 1
    assert change(house, policy, limit=900, currency="KES").status_code == 200
    request.refresh_from_db()
    assert (request.status, flags(expense)) == ("WITHDRAWN", [])
    assert house.post(f"/expenses/approve/{expense.id}", by="Ada").status_code == 200


def test_an_open_request_is_made_anew_under_the_workflow_that_the_policy_names_now(house: House) -> None:
    first, second = workflow(house), workflow(house, name="Others", priority=2)
    asks = {"action": "REQUIRE_APPROVAL", **limit(50, None)}
    policy = create_policy(house, "CHANNEL", "MPESA", workflow_id=first["_id"], **asks)
    expense = pending_expense(house)
    assert change(house, policy, workflow_id=second["_id"]).status_code == 200
    assert flags(expense) == [f"APPROVAL:{policy['_id']}"]
    rows = Approval.objects.filter(subject_id=expense.id).order_by("created_at")
    named = [(row.status, row.mandate_snapshot["workflow_id"]) for row in rows]
    assert named == [("WITHDRAWN", first["_id"]), ("PENDING", second["_id"])]
    # The same once more asks nobody twice.
    assert change(house, policy, workflow_id=second["_id"]).status_code == 200
    assert rows.count() == 2
    assert vote(house, rows.get(status="PENDING"), "Apollo").status_code == 200
    assert flags(expense) == []


def test_a_request_that_several_policies_ask_for_is_made_as_at_posting(house: House) -> None:
    strict, other = workflow(house), workflow(house, name="Others", priority=2)
    first = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **limit(50, None))
    asks = {"action": "REQUIRE_APPROVAL", "workflow_id": other["_id"], **limit(50, None)}
    second = create_policy(house, "SUBCATEGORY", house.opened.subcategories[0].id, **asks)
    expense = pending_expense(house, subcategory_id=house.opened.subcategories[0].id)
    pending = Approval.objects.filter(subject_id=expense.id, status="PENDING")
    assert pending.get().mandate_snapshot["workflow_id"] == other["_id"]
    assert change(house, first, action="REQUIRE_APPROVAL", workflow_id=strict["_id"]).status_code == 200
    assert set(flags(expense)) == {f"APPROVAL:{first['_id']}", f"APPROVAL:{second['_id']}"}
    assert pending.get().mandate_snapshot["workflow_id"] == strict["_id"]
    # The one that named it asks no more: the other one's workflow decides again.
    assert change(house, first, limit=900, currency="KES").status_code == 200
    assert flags(expense) == [f"APPROVAL:{second['_id']}"]
    assert pending.get().mandate_snapshot["workflow_id"] == other["_id"]


def test_those_that_it_does_not_change_cost_no_query_each(house: House) -> None:
    policy = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **limit(500, None))
    first = pending_expense(house)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert change(house, policy, limit=500, currency="KES").status_code == 200
        return len(captured)

    few = queries()
    copies = Expense.objects.filter(pk=first.pk)
    for number in range(30):
        row = copies.get()
        row.pk, row.transaction_ref = f"{number:024x}", f"COPY-{number}"
        row.save(force_insert=True)
    assert queries() == few


def test_more_than_can_be_judged_at_once_are_refused_and_nothing_is_changed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.business_policies.pending_expenses.MOST_CHANGED", 1)
    policy = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **limit(500, None))
    one, other = pending_expense(house), pending_expense(house)
    answer = change(house, policy, limit=50, currency="KES")
    assert code(answer) == (422, "validation_failed")
    assert "2 expenses in review would change" in answer.json()["errors"][0]["message"]
    assert (flags(one), flags(other)) == ([], [])
    assert house.get(f"/business-policies/single/{policy['_id']}").json()["limit"] == 500


def test_what_was_voted_on_stays_decided(house: House) -> None:
    flow = workflow(house)
    policy = create_policy(
        house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=flow["_id"], **limit(50, None)
    )
    expense = pending_expense(house)
    assert vote(house, Approval.objects.get(subject_id=expense.id), "Apollo").status_code == 200
    assert flags(expense) == []
    assert change(house, policy, limit=20, currency="KES").status_code == 200
    assert flags(expense) == []
    assert Approval.objects.filter(subject_id=expense.id).count() == 1


def test_of_two_policies_that_ask_for_votes_one_that_goes_leaves_the_request(house: House) -> None:
    flow = workflow(house)
    asks = {"action": "REQUIRE_APPROVAL", "workflow_id": flow["_id"], **limit(50, None)}
    first = create_policy(house, "CHANNEL", "MPESA", **asks)
    second = create_policy(house, "SUBCATEGORY", house.opened.subcategories[0].id, **asks)
    expense = pending_expense(house, subcategory_id=house.opened.subcategories[0].id)
    assert set(flags(expense)) == {f"APPROVAL:{first['_id']}", f"APPROVAL:{second['_id']}"}
    assert change(house, first, limit=900, currency="KES").status_code == 200
    assert flags(expense) == [f"APPROVAL:{second['_id']}"]
    assert Approval.objects.get(subject_id=expense.id).status == "PENDING"


@pytest.mark.parametrize("status", ["APPROVED", "REJECTED"])
def test_what_is_decided_is_not_judged_again(house: House, status: str) -> None:
    policy = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **limit(500, None))
    expense = pending_expense(house)
    Expense.objects.filter(pk=expense.pk).update(status=status)
    assert change(house, policy, limit=50, currency="KES").status_code == 200
    assert flags(expense) == []


def test_a_limit_over_a_period_holds_for_new_items_alone_and_nothing_is_changed(house: House) -> None:
    policy = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **limit(500))
    answer = change(house, policy, limit=50, currency="KES", period="MONTH")
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["field"] == "also_waiting"
    assert house.get(f"/business-policies/single/{policy['_id']}").json()["limit"] == 500


def test_a_new_policy_judges_what_waits_where_that_is_asked_for(house: House) -> None:
    flow, expense = workflow(house), pending_expense(house)
    asks = {"action": "REQUIRE_APPROVAL", "workflow_id": flow["_id"], **limit(50, None)}
    of_channel = create_policy(house, "CHANNEL", "MPESA", also_waiting=True, **asks)
    assert flags(expense) == [f"APPROVAL:{of_channel['_id']}"]
    assert Approval.objects.get(subject_id=expense.id).mandate_snapshot["workflow_id"] == flow["_id"]
    filed = pending_expense(house, subcategory_id=house.opened.subcategories[0].id, payment_type="BANK")
    category = {
        "type": "SUBCATEGORY", "target": house.opened.subcategories[0].id, "action": "FLAG", **limit(50, None),
    }  # fmt: skip
    made = house.send("PUT", "/business-policies/category-policies", category | {"also_waiting": True})
    assert made.status_code == 201
    mark = f"SUBCATEGORY:{made.json()['_id']}"
    assert flags(filed) == [mark]
    changed = {"limit": 500, "also_waiting": True}
    assert house.send("PUT", "/business-policies/category-policies", category | changed).status_code == 200
    assert flags(filed) == []
    create_policy(house, "DAY_TIME", window={"weekdays": [1], "from": "03:00", "to": "03:01"}, action="FLAG")
    assert flags(filed) == [], "without it a new policy is for new items"


def test_a_new_one_that_cannot_be_judged_by_is_not_made(house: House) -> None:
    pending_expense(house)
    group_id = next(row["_id"] for row in house.get("/business-policies").json()["docs"] if row["types"] == ["CHANNEL"])
    body = {"type": "CHANNEL", "target": "MPESA", "action": "FLAG", "also_waiting": True, **limit(50)}
    answer = house.post(f"/business-policies/create/{group_id}", body)
    assert code(answer) == (422, "validation_failed")
    assert house.get(f"/business-policies/{group_id}/policies").json()["policies"] == []


def test_a_deleted_one_takes_back_its_marks_and_its_request_though_it_counted_over_a_period(house: House) -> None:
    flow = workflow(house)
    policy = create_policy(
        house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=flow["_id"], **limit(50, "WEEK")
    )
    expense = pending_expense(house)
    request = Approval.objects.get(subject_id=expense.id)
    assert change(house, policy, status="DELETED").status_code == 200
    request.refresh_from_db()
    assert (request.status, flags(expense)) == ("WITHDRAWN", [])
    assert house.get(f"/business-policies/single/{policy['_id']}").json()["status"] == "DELETED"


def test_what_was_judged_anew_says_by_which_version_and_when(house: House) -> None:
    policy = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **limit(500, None))
    expense, other = pending_expense(house), pending_expense(house, payment_type="BANK")
    for number, most in ((2, 50), (3, 900)):
        assert change(house, policy, limit=most, currency="KES").status_code == 200
        shown = next(row for row in house.get("/expenses").json()["docs"] if row["_id"] == expense.id)
        (judged,) = shown["judged_anew"]
        assert (judged["policy_id"], judged["version"]) == (policy["_id"], number)
        # The version was there by then: whoever looks for the one in force at that moment finds it.
        event = AuditEvent.objects.filter(resource_id=policy["_id"]).latest("created_at")
        assert event.created_at <= datetime.fromisoformat(judged["at"])
    assert next(row["judged_anew"] for row in house.get("/expenses").json()["docs"] if row["_id"] == other.id) == []


def test_another_business_s_expenses_are_not_judged(
    house: House, houses: Callable[..., House]
) -> None:  # fmt: skip
    policy = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **limit(500, None))
    theirs = pending_expense(houses())
    assert change(house, policy, limit=50, currency="KES").status_code == 200
    assert flags(theirs) == []
