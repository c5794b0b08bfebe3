"""Where policies meet spending: expenses of the old interface, cards, payouts, and the votes that they wait for."""

from typing import Any

import pytest

from service.approvals.models import Approval, Mandate
from service.cards import authorizations
from service.cards.authorizations import Swipe
from service.cards.models import Card
from service.expenses.models import Expense
from tests.service.approvals.conftest import no_worker, vote  # noqa: F401
from tests.service.business_policies.conftest import create_policy, limit, workflow
from tests.service.cards.test_swipe import swipe as used
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once
from tests.service.payments.conftest import draft, initiated, item


def spend(house: House, amount: float = 100, **more: Any) -> Any:
    body = {
        "amount": amount,
        "currency": "KES",
        "employee_id": house.person("Carla").id,
        "payment_type": "MPESA",
        **more,
    }
    return house.v1("POST", "/expenses", body)


def latest(house: House) -> Expense:
    return Expense.objects.filter(business=house.business).latest("id")


def test_blocked_is_refused_and_nothing_is_posted(house: House) -> None:
    create_policy(house, "CHANNEL", "MPESA")
    answer = spend(house)
    assert answer.status_code == 403
    assert "CHANNEL policy" in answer.json()["errorMessage"]
    assert not Expense.objects.filter(business=house.business).exists()
    assert spend(house, payment_type="BANK").status_code == 201


def test_a_limit_counts_what_was_spent_in_its_period(house: House) -> None:
    create_policy(house, "SUBCATEGORY", house.opened.subcategories[0].id, **limit(250))
    for status in (201, 201, 403):
        assert spend(house, subcategory_id=house.opened.subcategories[0].id).status_code == status
    assert spend(house, subcategory_id=house.opened.subcategories[1].id).status_code == 201
    Expense.objects.filter(business=house.business).update(transaction_date="2020-01-01T00:00:00Z")
    assert spend(house, subcategory_id=house.opened.subcategories[0].id).status_code == 201


def test_a_limit_on_a_family_counts_its_members(house: House) -> None:
    create_policy(house, "CHANNEL", "MPESA", **limit(250))
    for status in (201, 201, 403):
        assert spend(house, payment_type="MPESA_TILL").status_code == status
    assert spend(house, 50, payment_type="MPESA").status_code == 201
    assert spend(house, 1, payment_type="MPESA").status_code == 403


def test_who_is_exempt_is_neither_stopped_nor_counted(house: House) -> None:
    exempt = {"employee_ids": [house.person("Cyrus").id]}
    create_policy(house, "CHANNEL", "MPESA", exempt=exempt, **limit(150))
    assert spend(house, 5_000, employee_id=house.person("Cyrus").id).status_code == 201
    assert spend(house, 150).status_code == 201
    assert spend(house, 1).status_code == 403


def test_a_flag_marks_the_expense(house: House) -> None:
    row = create_policy(house, "CATEGORY", house.opened.categories[0].id, action="FLAG")
    assert spend(house, subcategory_id=house.opened.subcategories[0].id).status_code == 201
    assert latest(house).policy_flags == [f"CATEGORY:{row['_id']}"]


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_what_needs_approval_waits_for_it(house: House, verb: str) -> None:
    flow = workflow(house)
    row = create_policy(house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=flow["_id"])
    assert spend(house).status_code == 201
    expense = latest(house)
    assert (expense.status, expense.policy_flags) == ("PENDING", [f"APPROVAL:{row['_id']}"])
    requested = Approval.objects.get(subject_id=expense.id)
    assert (requested.kind, requested.action_type, requested.mandate_snapshot["workflow_id"]) == (
        "POLICY",
        11,
        flow["_id"],
    )
    assert house.get("/approvals/all?kind=POLICY").json()["total"] == 1
    early = house.post(f"/expenses/approve/{expense.id}", by="Ada")
    assert code(early) == (409, "invalid_state"), "the votes come first"
    assert vote(house, requested, "Apollo", verb).status_code == 200
    expense.refresh_from_db()
    if verb == "approve":
        assert (expense.status, expense.policy_flags) == ("PENDING", [])
        assert house.post(f"/expenses/approve/{expense.id}", by="Ada").status_code == 200
    else:
        assert expense.status == "REJECTED"
        assert expense.reviewed_by_id == house.person("Apollo").id


def test_without_anybody_to_vote_it_does_not_pass(house: House) -> None:
    flow = workflow(house, steps=[{"order": 1, "approver_ids": [house.person("Juma").id]}])
    create_policy(house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=flow["_id"])
    assert spend(house, employee_id=house.person("Juma").id).status_code == 409
    assert not Expense.objects.filter(business=house.business).exists()


def test_a_card_is_declined_flagged_or_let_through(house: House) -> None:
    used(house)
    owned = Card.objects.get(business=house.business).id
    create_policy(house, "CHANNEL", "ECOMMERCE")
    flag = create_policy(house, "CHANNEL", "ATM", action="FLAG")

    def swipe(channel: str) -> authorizations.Authorization:
        return authorizations.authorize(house.caller(), owned, Swipe(1000, "Shell", channel=channel))

    declined = swipe("ECOMMERCE")
    assert (declined.status, declined.code) == ("DECLINED", "policy_blocked")
    assert declined.checks[-1]["check"] == "business_policies"
    marked = swipe("ATM")
    assert marked.expense is not None
    assert marked.expense.policy_flags == [f"CHANNEL:{flag['_id']}"]
    assert swipe("CARD_PRESENT").code == ""
    workflow(house)
    create_policy(
        house, "DAY_TIME", action="REQUIRE_APPROVAL", window={"weekdays": [1], "from": "03:00", "to": "03:01"}
    )
    waits = swipe("CARD_PRESENT")
    assert waits.expense is not None
    assert house.person("Carla").id in Approval.objects.get(subject_id=waits.expense.id).maker_ids


def test_a_payout_is_stopped_when_it_begins(house: House) -> None:
    create_policy(house, "CHANNEL", "MPESA", **limit(2_000))
    assert initiated(house, item(1500))["status"] == "PENDING_APPROVAL"
    over = draft(house, item(400), item(200, "254712345679"))
    assert code(house.send("PATCH", f"/payments/{over['batch_no']}/initiate")) == (403, "policy_blocked")
    assert initiated(house, item(400), item(100, "254712345679"))["status"] == "PENDING_APPROVAL"


def test_a_payout_to_oneself(house: House) -> None:
    create_policy(house, "VENDOR", "SELF")
    phone = house.person("Ada").phone
    mine = draft(house, item(100, phone))
    assert code(house.send("PATCH", f"/payments/{mine['batch_no']}/initiate")) == (403, "policy_blocked")
    assert house.send("PATCH", f"/payments/{mine['batch_no']}/initiate", by="Abel").status_code == 200


def test_a_payout_without_mandate_goes_by_the_policys_workflow(house: House) -> None:
    Mandate.objects.filter(business=house.business).update(active=False)
    flow = workflow(house)
    create_policy(house, "CHANNEL", "MPESA", action="REQUIRE_APPROVAL", workflow_id=flow["_id"])
    begun = initiated(house, item(1500))
    assert begun["status"] == "PENDING_APPROVAL"
    row = Approval.objects.get(id=begun["approvals"][-1])
    assert (row.kind, row.mandate_snapshot["workflow_id"]) == ("BULK_PAYOUT", flow["_id"])


@pytest.mark.parametrize("run", range(2))
def test_two_at_once_never_both_pass_a_limit(committed: None, run: int) -> None:
    house = House()
    create_policy(house, "CHANNEL", "MPESA", **limit(100))
    answers = at_once(4, lambda _: spend(house, 60).status_code)
    assert sorted(answers) == [201, 403, 403, 403]  # type: ignore[type-var]
