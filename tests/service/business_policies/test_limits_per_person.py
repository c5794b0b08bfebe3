"""Limits that count what each person spends in a period: of expenses, bill payments and payouts, beside those of everybody."""

from typing import Any

import pytest

from service.business_policies.models import BusinessPolicy
from service.expenses.models import Expense
from tests.service.approvals.conftest import no_worker  # noqa: F401
from tests.service.bills.conftest import add, bill, pay, payment_in_approval, request_votes, status, till, unmandated  # noqa: F401
from tests.service.business_policies.conftest import create_policy, limit, workflow
from tests.service.business_policies.test_spending import spend
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once
from tests.service.payments.conftest import draft, initiated, item

BASE = "/business-policies"


def per_person(amount: float, period: str = "DAY") -> dict[str, Any]:
    return {**limit(amount, period), "per_person": True}


def test_each_person_has_the_limit_by_themselves(house: House) -> None:
    create_policy(house, "CHANNEL", "MPESA", **per_person(250))
    cyrus = house.person("Cyrus").id
    for status_code in (201, 201, 403):
        assert spend(house).status_code == status_code
    for status_code in (201, 201, 403):
        assert spend(house, employee_id=cyrus).status_code == status_code
    assert "KES 300.00 of 250.00 this day per person" in spend(house).json()["errorMessage"]
    Expense.objects.filter(business=house.business, employee_id=cyrus).update(transaction_date="2020-01-01T00:00:00Z")
    assert spend(house, employee_id=cyrus).status_code == 201
    assert spend(house).status_code == 403


def test_what_nobody_of_the_business_spent_counts_together(house: House) -> None:
    create_policy(house, "CHANNEL", "MPESA", **per_person(150, "MONTH"))
    assert [spend(house, employee_id=None).status_code for _ in range(2)] == [201, 403]
    assert spend(house).status_code == 201


def test_a_limit_per_person_stands_beside_one_of_everybody(house: House) -> None:
    own = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **per_person(150))
    together = create_policy(house, "CHANNEL", "MPESA", action="FLAG", **limit(250, "DAY"))
    assert (own["per_person"], together["per_person"]) == (True, False)
    cyrus = house.person("Cyrus").id
    marks = []
    for person in (house.person("Carla").id, cyrus, cyrus):
        answer = spend(house, employee_id=person)
        assert answer.status_code == 201
        marks.append(Expense.objects.filter(business=house.business).latest("id").policy_flags)
    assert marks == [[], [], [f"CHANNEL:{own['_id']}", f"CHANNEL:{together['_id']}"]]


@pytest.mark.parametrize("type_", ["SUBCATEGORY", "CATEGORY"])
def test_what_needs_approval_per_person_and_day_is_asked_for_and_exempt_teams_are_not(house: House, type_: str) -> None:
    filed = house.opened.subcategories[0]
    target = filed.id if type_ == "SUBCATEGORY" else filed.category_id
    team = house.person("Cyrus").team_id
    row = create_policy(
        house, type_, target, action="REQUIRE_APPROVAL", workflow_id=workflow(house)["_id"],
        exempt={"team_ids": [team]}, **per_person(150),
    )  # fmt: skip
    other = next(name for name in ("Carla", "Ada", "Juma") if house.person(name).team_id != team)
    person = house.person(other).id
    for _ in range(2):
        assert spend(house, employee_id=house.person("Cyrus").id, subcategory_id=filed.id).status_code == 201
    assert not Expense.objects.exclude(policy_flags=[]).filter(business=house.business).exists()
    assert [spend(house, employee_id=person, subcategory_id=filed.id).status_code for _ in range(2)] == [201, 201]
    marked = Expense.objects.filter(business=house.business).exclude(policy_flags=[])
    assert [expense.policy_flags for expense in marked] == [[f"APPROVAL:{row['_id']}"]]


def test_bill_payments_count_for_whoever_asked_for_approval(house: House) -> None:
    create_policy(house, "CHANNEL", "MPESA", **per_person(1000))
    body = bill(house, 9000)
    assert request_votes(house, add(house, body, 800).json(), by="Ada").status_code == 200
    assert request_votes(house, add(house, body, 800).json(), by="Abel").status_code == 200
    refused = request_votes(house, add(house, body, 201).json(), by="Ada")
    assert code(refused) == (403, "policy_blocked")
    assert code(house.send("PATCH", f"/payments/{draft(house, item(201))['batch_no']}/initiate", by="Ada"))[0] == 403


def test_a_retry_counts_for_whoever_asked_for_approval_whoever_retries(unmandated: House) -> None:  # noqa: F811
    row = payment_in_approval(unmandated, till=till("0001"))
    assert pay(row) == "FAILED"
    create_policy(unmandated, "CHANNEL", "MPESA", **per_person(1500))
    other = add(unmandated, bill(unmandated, 1000, bill_no="INV-2", till=till("2222"))).json()
    assert request_votes(unmandated, other, by="Ada").status_code == 200
    refused = unmandated.post(f"/bills/payments/{row['payment_ref']}/retry", by="Abel")
    assert (code(refused), status(row)) == ((403, "policy_blocked"), "FAILED")


def test_payouts_count_for_whoever_initiated_them(house: House) -> None:
    create_policy(house, "CHANNEL", "MPESA", **per_person(2000, "WEEK"))
    assert initiated(house, item(1500))["status"] == "PENDING_APPROVAL"
    over = draft(house, item(400), item(200, "254712345679"))
    assert code(house.send("PATCH", f"/payments/{over['batch_no']}/initiate")) == (403, "policy_blocked")
    assert house.send("PATCH", f"/payments/{over['batch_no']}/initiate", by="Abel").status_code == 200


def test_only_a_limit_over_a_period_is_counted_per_person(house: House) -> None:
    group = create_policy(house, "CHANNEL", "AIRTIME")["policy_id"]
    body = {"target": "MPESA", "action": "BLOCK", **limit(10, None), "per_person": True}
    refused = house.post(f"{BASE}/create/{group}", body)
    assert code(refused) == (422, "validation_failed")
    assert [row["field"] for row in refused.json()["errors"]] == ["per_person"]
    row = create_policy(house, "CHANNEL", "MPESA", **per_person(10))
    again = house.post(f"{BASE}/create/{group}", {**body, "period": "DAY"})
    assert code(again) == (409, "duplicate")
    path = f"{BASE}/{row['_id']}"
    assert house.send("PUT", path, {"limit": 20}).json()["per_person"] is True
    assert house.send("PUT", path, {"per_person": False}).json()["per_person"] is False
    assert house.send("PUT", path, {"per_person": True}).json()["per_person"] is True
    none = house.send("PUT", path, {"period": None}).json()
    assert (none["period"], none["per_person"]) == (None, False)


def test_the_policy_of_a_category_is_set_per_person_or_for_everybody(house: House) -> None:
    target = {"type": "CATEGORY", "target": house.opened.categories[0].id, "action": "FLAG"}
    own, together = {**target, **per_person(10)}, {**target, **limit(10, "DAY")}
    answers = [house.send("PUT", f"{BASE}/category-policies", body) for body in (own, together, own, together)]
    assert [answer.status_code for answer in answers] == [201, 201, 200, 200]
    assert BusinessPolicy.objects.filter(business=house.business).count() == 2


@pytest.mark.parametrize("run", range(2))
def test_two_at_once_never_both_pass_a_limit_per_person(committed: None, run: int) -> None:
    house = House()
    create_policy(house, "CHANNEL", "MPESA", **per_person(100))
    people = [house.person(name).id for name in ("Carla", "Carla", "Cyrus", "Cyrus")]
    answers = at_once(4, lambda place: (people[place], spend(house, 60, employee_id=people[place]).status_code))
    assert sorted(answers) == sorted((person, status) for person in set(people) for status in (201, 403))  # type: ignore[type-var]
