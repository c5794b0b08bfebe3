"""A question is answered by what is new: not by notes that stood there before it; and the page says so after an upload."""

from __future__ import annotations

from typing import Any

from dashboard.mirror.models import Expense
from tests.dashboard.pages.conftest import House

QUESTION = {"review_reason": "Which client was this for?", "reviewed_at": "2026-11-20T08:00:00+00:00"}
ITEM = {"HX-Request": "true", "HX-Target": "expense"}


def questioned(house: House, **given: Any) -> Expense:
    """An expense of Carla's that a reviewer has a question about, with notes that are older."""
    return house.expense(
        employee_id=house.employee_id("Carla"), status="DETAILS_REQUESTED", notes="Lunch", payload=QUESTION, **given
    )


def test_the_notes_from_before_the_question_are_no_answer(house: House) -> None:
    expense, browser = questioned(house), house.browser("Carla")
    page = house.address(f"expenses/{expense.remote_id}/")
    assert ">\nLunch</textarea>" in browser.get(page).content.decode()
    answer = browser.post(f"{page}answer/", {"key": "k", "notes": " Lunch "})
    assert answer.status_code == 422
    body = answer.content.decode()
    assert "Enter an answer: these are the notes from before the question." in body
    assert "Action required" in body


def test_the_part_that_changes_after_an_upload_brings_the_question_as_it_stands(house: House) -> None:
    expense, browser = questioned(house), house.browser("Carla")
    page = house.address(f"expenses/{expense.remote_id}/")
    asked = browser.get(page, headers=ITEM).content.decode()
    assert asked.lstrip().startswith('<div class="stack" id="expense">')
    assert '<div id="question-place" hx-swap-oob="true">' in asked
    assert "Action required" in asked
    Expense.objects.filter(pk=expense.pk).update(status="PENDING")
    answered = browser.get(page, headers=ITEM).content.decode()
    assert "Action required" not in answered
    assert "Answered" in answered.partition('id="question-place"')[2]
    assert "hx-swap-oob" not in browser.get(page).content.decode().partition('id="question-place"')[2].partition(">")[0]
