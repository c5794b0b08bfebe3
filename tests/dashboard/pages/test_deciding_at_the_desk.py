"""Deciding at the desk: taken, undone, refused with the reason beside the field, stale views, step-up, several at once."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from dashboard.decisions.models import Decision, DecisionState
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.mirror.models import Expense
from tests.dashboard.pages.conftest import House

SWAP = {"HX-Request": "true"}


def form(subject: Any, **more: str) -> dict[str, str]:
    return {"key": f"key-{subject.remote_id}", "fingerprint": fingerprint_of(subject), "list": "show=mine", **more}


def prove_it_is_you(browser: Client) -> None:
    session = browser.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "reauthenticated": True}]
    session.save()


def test_approving_waits_in_the_outbox_and_goes_on_to_the_next_item(house: House) -> None:
    first, second = house.expense(merchant="First"), house.expense(merchant="Second")
    answer = house.browser("Apollo").post(
        house.address(f"approvals/expense/{first.remote_id}/approve/"), form(first), headers=SWAP
    )
    body = answer.content.decode()
    assert answer.status_code == 200
    assert f'data-item="expense/{second.remote_id}"' in body
    assert f'id="row-expense/{first.remote_id}" hx-swap-oob="delete"' in body
    assert "You approved expense First" in body
    assert "data-due" in body
    decision = Decision.objects.get(object_id=first.remote_id)
    assert decision.state == DecisionState.WAITING
    assert decision.operation == "approve_expense"


def test_the_answer_to_a_decision_looks_up_little(
    house: House, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    # Whoever clears a queue waits for it forty times.
    third, second, first = (house.expense() for _ in range(3))
    browser = house.browser("Apollo")
    browser.get(house.address("approvals/"))
    with django_assert_max_num_queries(16):
        address = house.address(f"approvals/expense/{first.remote_id}/approve/")
        body = browser.post(address, form(first), headers=SWAP).content.decode()
    assert f'data-item="expense/{second.remote_id}"' in body
    assert re.search(rf'rel="prev" href="[^"]*expense/{first.remote_id}/', body)
    assert re.search(rf'rel="next" href="[^"]*expense/{third.remote_id}/', body)


def test_the_same_form_again_is_told_what_became_of_it(house: House) -> None:
    expense = house.expense(merchant="Twice")
    browser = house.browser("Apollo")
    address = house.address(f"approvals/expense/{expense.remote_id}/approve/")
    seen = form(expense)
    browser.post(address, seen)
    assert "Twice" in browser.post(address, seen, headers=SWAP).content.decode()
    # Even when it does not wait any more, or is not what was seen.
    Expense.objects.filter(pk=expense.pk).update(status="APPROVED", merchant="Thrice")
    assert browser.post(address, seen, headers=SWAP).status_code == 200
    assert Decision.objects.filter(object_id=expense.remote_id).count() == 1


def test_without_javascript_the_next_page_holds_a_real_undo(house: House) -> None:
    expense = house.expense(merchant="Taxi")
    browser = house.browser("Apollo")
    answer = browser.post(house.address(f"approvals/expense/{expense.remote_id}/approve/"), form(expense))
    assert answer.status_code == 302
    page = browser.get(answer["Location"]).content.decode()
    undo = re.search(r'action="([^"]+/undo/)"', page)
    assert undo is not None
    assert f"row-expense/{expense.remote_id}" not in page
    answer = browser.post(undo[1], follow=True)
    assert "Nothing was sent." in answer.content.decode()
    assert Decision.objects.get(object_id=expense.remote_id).state == DecisionState.CANCELLED
    assert "Taxi" in browser.get(house.address("approvals/")).content.decode()


def test_undone_without_javascript_the_list_keeps_its_filters(house: House) -> None:
    expense = house.expense(merchant="Taxi")
    browser = house.browser("Apollo")
    browser.post(house.address(f"approvals/expense/{expense.remote_id}/approve/"), form(expense))
    decision = Decision.objects.get(object_id=expense.remote_id)
    stood = house.address("approvals/?kind=expense&sort=newest")
    answer = browser.post(
        house.address(f"decisions/{decision.pk}/undo/"), headers={"Referer": f"http://testserver{stood}"}
    )
    assert (answer.status_code, answer["Location"]) == (302, stood)


def test_the_same_form_twice_is_one_decision(house: House) -> None:
    expense = house.expense()
    browser = house.browser("Apollo")
    for _ in range(3):
        browser.post(house.address(f"approvals/expense/{expense.remote_id}/approve/"), form(expense))
    assert Decision.objects.filter(object_id=expense.remote_id).count() == 1


@pytest.mark.parametrize("verb", ["reject", "ask"])
@pytest.mark.parametrize("reason", ["", "   "])
def test_without_a_reason_the_message_stands_beside_the_field(house: House, verb: str, reason: str) -> None:
    expense = house.expense()
    answer = house.browser("Apollo").post(
        house.address(f"approvals/expense/{expense.remote_id}/{verb}/"), form(expense, reason=reason), headers=SWAP
    )
    body = answer.content.decode()
    assert answer.status_code == 422
    assert f'id="reason-{verb}-error">Enter a reason' in body
    assert f'aria-describedby="reason-{verb}-error"' in body
    assert not Decision.objects.filter(object_id=expense.remote_id).exists()


def test_a_reason_is_kept_when_it_is_too_long(house: House) -> None:
    expense = house.expense()
    answer = house.browser("Apollo").post(
        house.address(f"approvals/expense/{expense.remote_id}/reject/"), form(expense, reason="x" * 501)
    )
    assert answer.status_code == 422
    assert "x" * 501 in answer.content.decode()


def test_what_changed_since_one_looked_is_shown_and_nothing_is_decided(house: House) -> None:
    expense = house.expense(merchant="Shell")
    seen = form(expense)
    Expense.objects.filter(pk=expense.pk).update(amount_minor=99_900_000, merchant="Shell Thika")
    answer = house.browser("Apollo").post(
        house.address(f"approvals/expense/{expense.remote_id}/approve/"), seen, headers=SWAP
    )
    body = answer.content.decode()
    assert answer.status_code == 409
    assert "<s>KES\xa08,420.00</s> <ins>KES\xa0999,000.00</ins>" in body
    assert "<s>Shell</s> <ins>Shell Thika</ins>" in body
    assert not Decision.objects.filter(object_id=expense.remote_id).exists()


def test_the_slower_of_two_sees_who_was_faster(house: House) -> None:
    expense = house.expense()
    address = house.address(f"approvals/expense/{expense.remote_id}/approve/")
    house.browser("Apollo").post(address, form(expense))
    answer = house.browser("Zawadi").post(address, form(expense, key="another-form"), headers=SWAP)
    assert answer.status_code == 409
    assert "Apollo decided first" in answer.content.decode()


def test_a_garbled_form_changes_nothing(house: House) -> None:
    expense = house.expense()
    browser = house.browser("Apollo")
    address = house.address(f"approvals/expense/{expense.remote_id}/approve/")
    assert browser.post(address, {}).status_code == 422
    assert browser.post(address, {"key": "k", "fingerprint": "not-one"}).status_code == 409
    assert browser.get(address).status_code == 405
    assert not Decision.objects.filter(object_id=expense.remote_id).exists()


def test_ones_own_is_refused_with_a_sentence_and_audited(house: House) -> None:
    from dashboard.audit.models import AuditEntry

    own = house.expense(employee_id=house.employee_id("Apollo"))
    answer = house.browser("Apollo").post(
        house.address(f"approvals/expense/{own.remote_id}/approve/"), form(own), headers=SWAP
    )
    assert answer.status_code == 403
    assert answer["HX-Retarget"] == "#toasts"
    assert "This is your own" in answer.content.decode()
    assert AuditEntry.objects.filter(chain=house.business.pk, outcome="DENIED", object_id=own.remote_id).exists()


def test_money_leaves_only_after_showing_that_it_is_oneself(house: House) -> None:
    payment = house.payment()
    browser = house.browser("Apollo")
    address = house.address(f"approvals/payment/{payment.remote_id}/approve/")
    answer = browser.post(address, form(payment), headers=SWAP)
    assert answer.status_code == 204
    assert answer["HX-Redirect"].startswith("/-/account/reauthenticate/?next=")
    assert not Decision.objects.filter(object_id=payment.remote_id).exists()
    prove_it_is_you(browser)
    assert browser.post(address, form(payment)).status_code == 302
    assert Decision.objects.get(object_id=payment.remote_id).is_vote
