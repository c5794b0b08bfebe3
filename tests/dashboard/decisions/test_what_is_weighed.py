"""What stops a decision between the look and the sending: what a person weighs, not what moves by itself."""

from typing import Any

import pytest

from dashboard import operations
from dashboard.bulk.plans import plan
from dashboard.decisions.bulk import BulkDecision
from dashboard.decisions.preconditions import differences, fingerprint_of
from dashboard.decisions.verdicts import LeftOut
from dashboard.errors import InvalidState, Stale
from dashboard.mirror.models import Approval, ApprovalRequest
from tests.dashboard.access.house import House, build, seen
from tests.dashboard.decisions.conftest import Desk

RED = {"code": "payee_details_changed", "weight": 30}
PALE = {"code": "odd_time", "weight": 5}


@pytest.fixture
def house(db: None) -> House:
    return build()


def changed(row: Approval, **columns: Any) -> list[str]:
    """What differs once the columns are these."""
    before = fingerprint_of(row)
    for name, value in columns.items():
        setattr(row, name, value)
    row.__dict__.pop("_described", None)
    return [str(difference) for difference in differences(before, row)]


@pytest.mark.parametrize(("before", "after"), [("HIGH", "LOW"), ("MEDIUM", ""), ("CRITICAL", "HIGH"), ("", "LOW")])
def test_a_lower_risk_never_stops_a_decision(house: House, before: str, after: str) -> None:
    assert changed(house.approval(risk_level=before, risk=80), risk_level=after, risk=10) == []


@pytest.mark.parametrize(("before", "after"), [("LOW", "MEDIUM"), ("", "HIGH"), ("HIGH", "CRITICAL")])
def test_a_higher_level_does_and_is_said(house: House, before: str, after: str) -> None:
    [difference] = changed(house.approval(risk_level=before), risk_level=after)
    assert difference == f"risk: {before.lower() or 'nothing'} → {after.lower()}"


def test_the_score_alone_is_not_weighed(house: House) -> None:
    assert changed(house.approval(risk_level="LOW", risk=3), risk=29) == []


def test_a_new_red_flag_does_and_is_said(house: House) -> None:
    assert changed(house.approval(signals=[PALE]), signals=[PALE, RED]) == [
        "new red flag: none → payee details changed"
    ]


@pytest.mark.parametrize(("before", "after"), [([RED], []), ([], [PALE]), ([RED, PALE], [RED])])
def test_a_flag_that_goes_or_is_pale_does_not(house: House, before: list[Any], after: list[Any]) -> None:
    assert changed(house.approval(signals=before), signals=after) == []


@pytest.mark.parametrize("flag", ["over_limit", {"code": "over_limit"}])
def test_a_new_flag_of_an_expense_is_weighed_as_a_code_alone_too(house: House, flag: Any) -> None:
    row = house.expense()
    before = fingerprint_of(row)
    row.payload = {"policy_flags": [flag]}
    assert [str(difference) for difference in differences(before, row)] == ["new red flag: none → over limit"]


def test_the_flag_of_a_policy_is_named_without_its_id(house: House) -> None:
    row = house.expense()
    row.payload = {"policy_flags": ["CATEGORY:65f0aa"]}
    before = fingerprint_of(row)
    row.payload = {"policy_flags": ["CATEGORY:65f0aa", "DAY_TIME:65f0bb"]}
    assert [str(difference) for difference in differences(before, row)] == ["new red flag: none → day time policy"]


def test_another_account_of_the_payee_is_weighed_and_not_written_out(house: House) -> None:
    row = house.approval(kind="BILL_PAYMENT", ref="BP-1")
    columns = {
        **seen(house.business),
        "kind": "bill_payment",
        "remote_id": f"bp-{house.unique}",
        "ref": "BP-1",
        "status": "PENDING_APPROVAL",
        "title": "Tyres",
        "currency": "KES",
        "requested_at": row.requested_at,
    }
    paid = ApprovalRequest.objects.create(**columns, payload={"bill_id": "b", "bank_code": "01", "account": "11223344"})
    before = fingerprint_of(Approval.objects.get(pk=row.pk))
    ApprovalRequest.objects.filter(pk=paid.pk).update(
        payload={"bill_id": "b", "bank_code": "01", "account": "99223344"}
    )
    [difference] = differences(before, Approval.objects.get(pk=row.pk))
    assert difference.field == "account"
    assert difference.seen != difference.now
    assert "11223344" not in str(difference)


def test_who_lost_a_vote_hears_who_was_faster(desk: Desk) -> None:
    winner = desk.house.employee("Zawadi")
    votes = [{"employee_id": winner, "vote": "REJECT"}]
    payload = {"status": "REJECTED", "votes": votes, "decided_by": winner}
    row = desk.approval(status="REJECTED", eligible=[], payload=payload)
    with pytest.raises(InvalidState, match="Zawadi decided first: it is rejected"):
        desk.take("Apollo", row, operations.APPROVE_PAYMENT_REQUEST)
    [planned] = plan(desk.house.actor("Apollo"), BulkDecision(operations.APPROVE_PAYMENT_REQUEST), [row]).rows
    assert (planned.why, planned.sentence) == (LeftOut.DECIDED, "Zawadi decided first: it is rejected.")


def test_a_plan_of_several_says_of_each_who_was_faster_as_far_as_it_is_known(
    desk: Desk, django_assert_max_num_queries: Any
) -> None:
    zawadi, apollo = (desk.house.employee(name) for name in ("Zawadi", "Apollo"))
    payloads = [{"votes": [{"employee_id": zawadi}], "decided_by": zawadi}] * 20
    payloads += [{"votes": [{"employee_id": apollo}], "decided_by": apollo}, {}]
    rows = [desk.approval(status="REJECTED", payload={"status": "REJECTED", **each}) for each in payloads]
    decision = BulkDecision(operations.APPROVE_PAYMENT_REQUEST)
    # Of one who has decided on many the name is looked up once.
    with django_assert_max_num_queries(20):
        planned = plan(desk.house.actor("Apollo"), decision, rows).rows
    assert {row.why for row in planned} == {LeftOut.DECIDED}
    assert [row.sentence for row in planned] == ["Zawadi decided first: it is rejected."] * 20 + [
        "It is rejected already, by your own decision.",
        "It is rejected already; the finance service does not say by whom.",
    ]


def test_one_who_was_overtaken_before_it_was_sent_has_lost_and_not_cancelled(desk: Desk) -> None:
    row = desk.approval()
    decision = desk.take("Apollo", row, operations.APPROVE_PAYMENT_REQUEST)
    votes = [{"employee_id": desk.house.employee("Juma")}]
    Approval.objects.filter(pk=row.pk).update(
        status="REJECTED", eligible=[], payload={"status": "REJECTED", "votes": votes}
    )
    desk.send()
    decision.refresh_from_db()
    assert (decision.state, decision.outcome["by"]) == ("LOST", "Juma")
    assert decision.message == "Juma decided first: it is rejected. Your decision changed nothing."
    assert desk.proxy.sent("POST") == []


def test_what_changed_but_still_waits_is_cancelled_with_what_differs(desk: Desk) -> None:
    row = desk.expense()
    decision = desk.take("Rita", row)
    row.merchant = "Another payee"
    row.save()
    desk.send()
    decision.refresh_from_db()
    assert decision.state == "CANCELLED"
    assert "payee: Taxi to the airport → Another payee" in decision.message
    assert decision.message.endswith("Nothing was sent.")
    with pytest.raises(Stale):
        desk.take("Rita", row, fingerprint=decision.fingerprint)
