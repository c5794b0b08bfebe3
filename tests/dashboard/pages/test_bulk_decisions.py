"""Several at once: the plan of what is ticked or of all that match, carried out as it was seen, a result per row."""

from __future__ import annotations

import os
import re
from typing import Any
from urllib.parse import unquote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.audit.models import AuditEntry
from dashboard.bulk.models import Batch
from dashboard.decisions.models import Decision, DecisionState
from dashboard.mirror.models import Expense, Wallet
from dashboard.pages.approvals.selectors.plans import plan_id_of
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.test_deciding_at_the_desk import prove_it_is_you

# Statements and pages are the same for any number of rows: the full run takes more of them.
MANY = 3_000 if os.environ.get("FULL") else 1_000


def keys(*subjects: Any) -> list[str]:
    kinds = {"Expense": "expense", "Approval": "payment"}
    return [
        f"{kinds.get(type(subject).__name__) or subject.kind.replace('_', '-')}/{subject.remote_id}"
        for subject in subjects
    ]


def planned(house: House, browser: Client, verb: str = "approve", **given: Any) -> str:
    answer = browser.post(house.address("approvals/plan/"), {"verb": verb, "list": "show=mine", **given})
    assert answer.status_code == 200
    return answer.content.decode()


def carry_out(house: House, browser: Client, operation: str = "approve_expense", **given: str) -> Any:
    return browser.post(house.address("approvals/several/"), {"plan": plan_id(house), "operation": operation, **given})


def plan_id(house: House) -> str:
    """The plan that was looked at last."""
    return plan_id_of(Batch.objects.filter(business=house.business).latest("created_at"))


def test_the_plan_says_what_will_pass_and_what_not_before_anything_is_decided(house: House) -> None:
    passes, own = house.expense(merchant="Passes"), house.expense(employee_id=house.employee_id("Apollo"))
    body = planned(house, house.browser("Apollo"), ids=[*keys(passes, own), "expense/nonsense", "x"])
    assert "1 will be approved · 1 your own" in body
    assert "KES\xa08,420.00" in body
    assert not Decision.objects.filter(business=house.business).exists()


def test_each_kind_has_its_part_of_the_plan(house: House) -> None:
    subjects = [house.expense(), house.payment(), house.request(), house.request(kind="card_order", status="REQUESTED")]
    body = planned(house, house.browser("Apollo"), ids=keys(*subjects))
    for title in ("Expenses", "Payment requests", "Single-use cards", "Card orders"):
        assert f"{title}: 1 will be approved" in body
    asking = planned(house, house.browser("Apollo"), "ask", ids=keys(*subjects))
    assert "3 of the selected items cannot be decided this way" in asking
    assert "Expenses: 1 will be asked for details" in asking


def test_several_are_decided_with_a_result_per_row_and_taken_back_together(house: House) -> None:
    browser = house.browser("Apollo")
    planned(house, browser, "reject", ids=keys(house.expense(), house.expense()))
    answer = carry_out(house, browser, "reject_expense", reason="Not ours")
    bulk = Batch.objects.get(business=house.business)
    assert answer["Location"] == house.address(f"approvals/several/{bulk.pk}/")
    body = browser.get(answer["Location"]).content.decode()
    assert len(re.findall(r'class="state[^>]+>\s+Waiting', body)) == 2
    browser.post(house.address(f"approvals/several/{bulk.pk}/undo/"))
    assert set(Decision.objects.filter(bulk=bulk).values_list("state", flat=True)) == {DecisionState.CANCELLED}
    assert AuditEntry.objects.filter(chain=house.business.pk, outcome="UNDONE").count() == 2
    assert house.browser("Zawadi").get(answer["Location"]).status_code == 404


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (None, "None of it waits any more: it can no longer be undone."),
        (False, "2 undone. None of them was sent."),
        (True, "2 undone. The finance service had put them off: none was done."),
    ],
)
def test_undoing_all_says_what_is_known_of_them(house: House, left: bool | None, said: str) -> None:
    browser = house.browser("Apollo")
    planned(house, browser, "reject", ids=keys(house.expense(), house.expense()))
    address = carry_out(house, browser, "reject_expense", reason="Not ours")["Location"]
    decisions = Decision.objects.filter(business=house.business)
    if left is None:
        decisions.update(state=DecisionState.SENDING)
    else:
        decisions.update(has_left=left)
    body = browser.post(f"{address}undo/", follow=True).content.decode()
    assert said in body
    assert "Nothing was sent" not in body.replace("You undid it. Nothing was sent.", "")


def test_all_that_match_are_those_of_every_page_and_of_the_moment_when_one_looked(house: House) -> None:
    fuel = [house.expense(merchant="Fuel") for _ in range(60)]
    house.expense(merchant="Taxi")
    house.payment(title="Fuel depot")
    browser = house.browser("Apollo")
    body = planned(house, browser, **{"all": "matching", "list": "show=mine&q=fuel&kind=expense"})
    assert "60 will be approved" in body
    assert "KES\xa0505,200.00" in body
    assert "And 10 more, counted above." in body
    house.expense(merchant="Fuel, later")
    Expense.objects.filter(pk=fuel[0].pk).update(amount_minor=1)
    carry_out(house, browser)
    bulk = Batch.objects.get(business=house.business)
    assert bulk.decisions.count() == 59
    assert list(bulk.rows.filter(state="LEFT_OUT").values_list("why", "remote_id")) == [
        ("changed since you looked", fuel[0].remote_id)
    ]


def test_thousands_are_a_few_statements_and_a_page_of_them_a_hundred_rows(house: House) -> None:
    first = house.expense()
    columns = {field.attname: getattr(first, field.attname) for field in Expense._meta.concrete_fields}
    for name in ("id", "remote_id", "search"):
        columns.pop(name)
    Expense.objects.bulk_create([Expense(**columns, remote_id=f"{house.business.pk}-{n}") for n in range(MANY - 1)])
    browser = house.browser("Apollo")
    assert f"{MANY:,} will be approved" in planned(house, browser, **{"all": "matching"})
    with CaptureQueriesContext(connection) as queries:
        answer = carry_out(house, browser)
    assert len(queries) < 60
    assert Decision.objects.filter(business=house.business, state=DecisionState.WAITING).count() == MANY
    assert AuditEntry.objects.filter(chain=house.business.pk, outcome="TAKEN").count() == MANY
    body = browser.get(answer["Location"] + "?page=2").content.decode()
    assert f"101 to 200 of {MANY:,}" in body
    assert body.count("<tr>") == 101
    with CaptureQueriesContext(connection) as queries:
        browser.post(answer["Location"] + "undo/")
    assert len(queries) < 60
    assert set(Decision.objects.filter(business=house.business).values_list("state", flat=True)) == {
        DecisionState.CANCELLED
    }


def test_a_reason_that_is_missing_is_asked_for_beside_its_field(house: House) -> None:
    browser = house.browser("Apollo")
    planned(house, browser, "ask", ids=keys(house.expense()))
    answer = carry_out(house, browser, "request_expense_details", reason="  ")
    body = answer.content.decode()
    assert answer.status_code == 422
    assert 'aria-describedby="reason-request_expense_details-error"' in body
    assert "1 will be asked for details" in body
    assert carry_out(house, browser, "request_expense_details", reason="Which trip?").status_code == 302


def test_money_leaves_after_showing_that_it_is_oneself_and_the_plan_is_still_there(house: House) -> None:
    payment = house.payment(org_wallet_ref="1")
    mirrored = house._mirrored() | {"remote_id": f"w-{payment.pk}", "org_wallet_ref": "1", "name": "Main"}
    Wallet.objects.create(**mirrored, currency="KES", wallet_type="MAIN", status="ACTIVE", available_minor=50_000_000)
    browser = house.browser("Apollo")
    assert "<ins>KES\xa013,500.00</ins>" in planned(house, browser, ids=keys(payment))
    step_up = carry_out(house, browser, "approve_payment_request")
    plan = plan_id(house)
    assert f"approvals/plan/{plan}/" in unquote(step_up["Location"])
    assert not Decision.objects.filter(business=house.business).exists()
    prove_it_is_you(browser)
    assert "1 will be approved" in browser.get(house.address(f"approvals/plan/{plan}/")).content.decode()
    assert carry_out(house, browser, "approve_payment_request").status_code == 302
    assert Decision.objects.get(business=house.business).is_vote


def test_all_kinds_of_a_plan_go_together_with_one_reason(house: House) -> None:
    browser = house.browser("Apollo")
    subjects = [house.expense(), house.payment(), house.request(), house.request(kind="card_order", status="REQUESTED")]
    assert "Reject all 4" in " ".join(planned(house, browser, "reject", ids=keys(*subjects)).split())
    missing = carry_out(house, browser, "all", reason=" ")
    assert (missing.status_code, 'id="reason-all-error"' in missing.content.decode()) == (422, True)
    answer = carry_out(house, browser, "all", reason="The year is over")
    assert Decision.objects.filter(business=house.business, reason="The year is over").count() == 4
    body = browser.get(answer["Location"]).content.decode()
    for title in ("Expenses", "Payment requests", "Single-use cards", "Card orders"):
        assert f">{title}</a>" in body


def test_anybody_elses_plan_is_not_there_and_what_it_does_not_say_is_refused(house: House) -> None:
    browser = house.browser("Apollo")
    planned(house, browser, ids=keys(house.expense()))
    plan = plan_id(house)
    assert carry_out(house, house.browser("Zawadi")).status_code == 404
    assert house.browser("Zawadi").get(house.address(f"approvals/plan/{plan}/")).status_code == 404
    assert carry_out(house, browser, "reject_expense", reason="x").status_code == 422
    assert browser.post(house.address("approvals/several/"), {"plan": "none"}).status_code == 404
    assert not Decision.objects.filter(business=house.business).exists()


@pytest.mark.parametrize("given", [{}, {"ids": ["payment/nonsense"]}])
def test_several_with_nothing_ticked_says_so(house: House, given: dict[str, Any]) -> None:
    browser = house.browser("Apollo")
    answer = browser.post(house.address("approvals/plan/"), {"verb": "approve", **given}, follow=True)
    assert "Nothing you selected can be decided this way" in answer.content.decode()
    assert browser.post(house.address("approvals/plan/"), {"verb": "burn"}).status_code == 422
