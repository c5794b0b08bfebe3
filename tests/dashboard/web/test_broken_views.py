"""A view that breaks, a book that cannot be written, a page that says why not: none is told as done, or as nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import BadRequest
from django.db import OperationalError

from dashboard.decisions.models import Decision
from dashboard.web.models import Submission
from dashboard.web.submission import state_of_submission
from tests.dashboard.pages.conftest import House
from tests.dashboard.web.test_submissions import SWAP, ask, attempt, decide, first_sending, written_down


@pytest.mark.parametrize("trouble", [OperationalError("gone"), ValueError("a bug"), BadRequest("odd")])
@pytest.mark.parametrize("swaps", [True, False])
def test_a_view_that_breaks_while_it_acts_never_says_that_nothing_was_changed(
    house: House, monkeypatch: pytest.MonkeyPatch, trouble: Exception, swaps: bool
) -> None:
    import dashboard.pages.conversation.views as views

    def act_and_break(*_: Any, **__: Any) -> None:
        raise trouble

    monkeypatch.setattr(views, "say", act_and_break)
    browser, named, expense = house.browser("Apollo"), attempt(), house.expense()
    browser.raise_request_exception = False
    address = house.address(f"conversation/expense/{expense.remote_id}/say/")
    headers = (SWAP if swaps else {}) | {"X-Attempt": named}
    answer = browser.post(address, {"text": "Hello", "key": "k1"}, headers=headers)
    assert answer.status_code in {400, 500, 503}
    body = answer.content.decode()
    assert "Nothing was changed" not in body
    assert "not known yet whether" in body
    assert answer["Countersign"] == "in-doubt"
    assert ask(browser, house, "k1", named)["known"] == "unknown"


def test_where_the_book_itself_cannot_be_written_the_view_does_not_run(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(Submission, "save", away)
    browser = house.browser("Apollo")
    browser.raise_request_exception = False
    answer = decide(browser, house, attempt())
    assert answer.status_code == 503
    assert "Nothing was changed" in answer.content.decode()
    assert answer["Countersign"] == "answer"
    assert not Decision.objects.filter(key="k1").exists()


def test_a_page_that_was_only_looked_at_claims_nothing_about_changes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr("dashboard.pages.conversation.selectors.item_at", away)
    browser = house.browser("Apollo")
    browser.raise_request_exception = False
    body = browser.get(house.address("conversation/expense/1/")).content.decode()
    assert "does not answer" in body
    assert "changed" not in body


def test_a_form_that_leads_to_a_page_saying_why_not_is_not_said_to_be_done(house: House) -> None:
    browser, named = house.browser("Ada"), attempt()
    form = {"verb": "delete", "ids": ["nobody"], "list": "", "key": "k1"}
    answer = browser.post(house.address("lists/customers/plan/"), form, headers={"X-Attempt": named})
    assert answer.status_code == 302
    found = ask(browser, house, "k1", named)
    assert found["known"] == "refused"
    assert found["sentence"].startswith("It arrived, and was not done: Nothing you have access to is selected.")


@pytest.mark.parametrize(
    ("state", "expected"), [("ANSWERED", "CONFIRMED"), ("RECEIVED", "UNKNOWN"), ("UNKNOWN", "UNKNOWN")]
)
def test_a_form_is_done_where_a_sending_of_it_ran_to_its_end(house: House, state: str, expected: str) -> None:
    """Its process may have ended between two of its steps: that the last one it sent was confirmed says not that all was."""
    first_sending(house, state)
    written_down(house, "CONFIRMED")
    assert state_of_submission(house.actor("Apollo"), "k1", house.address("cards/1/block/?from=elsewhere")) == expected
