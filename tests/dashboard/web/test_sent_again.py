"""A form that is sent more than once: what one sending is told does not deny what another has done."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from dashboard.client.models import OutboundOperation
from dashboard.conversation.models import Comment
from dashboard.decisions.models import Decision
from dashboard.web.arrivals import LATE
from dashboard.web.models import Submission
from tests.dashboard.pages.conftest import House
from tests.dashboard.web.test_submissions import ask, attempt, comment, decide, first_sending, written_down


def test_another_sending_that_is_still_on_its_way_is_withdrawn_with_it(house: House) -> None:
    browser, first, second = house.browser("Apollo"), attempt(), attempt()
    path = house.address(f"approvals/expense/{house.expense().remote_id}/approve/")
    found = ask(browser, house, "k1", second, withdraw=True, path=path, others=(first, "no name", second))
    assert found["known"] == "withdrawn"
    late = decide(browser, house, first)
    assert late.status_code == 409
    assert LATE in late.content.decode()
    assert not Decision.objects.filter(key="k1").exists()
    assert decide(browser, house, attempt()).status_code == 200


def test_one_is_not_said_to_be_undone_where_another_sending_has_arrived_meanwhile(house: House) -> None:
    browser, first = house.browser("Apollo"), first_sending(house, "RECEIVED")
    path = house.address("cards/1/block/")
    found = ask(browser, house, "k1", attempt(), withdraw=True, path=path, others=(first.attempt,))
    assert found["known"] == "working"
    first.refresh_from_db()
    assert first.state == "RECEIVED"
    # Of a form without a key nobody knows which sendings are its own.
    other = attempt()
    assert ask(browser, house, "", attempt(), withdraw=True, path=path, others=(other,))["known"] == "withdrawn"
    assert not Submission.objects.filter(attempt=other).exists()


def test_what_arrives_twice_is_carried_out_once_and_a_page_that_is_reloaded_is_looked_at_again(house: House) -> None:
    browser, named = house.browser("Apollo"), attempt()
    assert comment(browser, house, named).status_code == 200
    again = comment(browser, house, named, key="k2")
    assert (again.status_code, again["Countersign"]) == (409, "in-doubt")
    assert not Comment.objects.filter(key="k2").exists()
    assert ask(browser, house, "k1", named)["known"] == "done"
    for _ in range(2):
        posted = browser.post(house.address("approvals/plan/"), {"verb": "approve", "ids": [], "attempt": "a" * 32})
        assert posted.status_code == 302
    assert Submission.objects.filter(attempt="a" * 32).count() == 1


@pytest.mark.parametrize(
    ("states", "known"),
    [
        (["CONFIRMED"], "done"), (["UNKNOWN"], "unknown"), (["SENT"], "unknown"), (["REJECTED"], "refused"),
        (["PENDING"], "refused"), (["REJECTED", "CONFIRMED"], "done"), (["UNKNOWN", "REJECTED"], "unknown"),
    ],
)  # fmt: skip
def test_a_sending_that_was_refused_does_not_deny_what_an_earlier_one_has_done(
    house: House, states: list[str], known: str
) -> None:
    browser, named = house.browser("Apollo"), attempt()
    Submission.objects.create(
        user=house.people["Apollo"].user, business=house.business, key="k1", attempt=named, path=house.address(),
        state="REFUSED", sentence="It changed since you opened it, so nothing was done.",
    )  # fmt: skip
    if known == "done":
        Submission.objects.create(
            user=house.people["Apollo"].user, business=house.business, key="k1", attempt=attempt(), path=house.address(),
            state="ANSWERED",
        )  # fmt: skip
    for number, state in enumerate(states):
        OutboundOperation.objects.create(
            business=house.business, membership=house.people["Apollo"], operation="block_card", form_key="k1",
            form_path=house.address(), key=f"block_card-k1.{number}", path="/cards/1", state=state, has_left=state not in {"PENDING", "SENT"},
        )  # fmt: skip
    for asked in (ask(browser, house, "k1"), ask(browser, house, "k1", named)):
        assert asked["known"] == known
        assert ("nothing was done" in asked["sentence"]) is (known == "refused")


@pytest.mark.parametrize(
    ("state", "sent", "age_s", "known"),
    [
        ("RECEIVED", "", 5, "working"), ("RECEIVED", "SENT", 5, "working"), ("RECEIVED", "SENT", 500, "unknown"),
        ("RECEIVED", "", 500, "unknown"), ("UNKNOWN", "UNKNOWN", 500, "unknown"), ("UNKNOWN", "", 5, "unknown"),
        ("ANSWERED", "", 5, "unknown"), ("ANSWERED", "CONFIRMED", 5, "done"), ("RECEIVED", "CONFIRMED", 500, "unknown"),
        ("UNKNOWN", "CONFIRMED", 5, "unknown"), ("REFUSED", "", 5, "withdrawn"),
        ("WITHDRAWN", "", 5, "withdrawn"), ("REFUSED", "PENDING", 5, "withdrawn"),
    ],
)  # fmt: skip
def test_one_that_did_not_arrive_is_not_said_to_have_changed_nothing_while_another_sending_of_it_may_have(
    house: House, state: str, sent: str, age_s: int, known: str
) -> None:
    first_sending(house, state, age_s=age_s)
    if sent:
        written_down(house, sent)
    browser, second, path = house.browser("Apollo"), attempt(), house.address("cards/1/block/")
    found = ask(browser, house, "k1", second, path=path)
    assert found["known"] == ("absent" if known == "withdrawn" else known)
    found = ask(browser, house, "k1", second, withdraw=True, path=path)
    assert found["known"] == known
    assert ("Nothing was changed" in found["sentence"]) is (known == "withdrawn")
    # Another form of the page is another one.
    assert ask(browser, house, "k1", attempt(), path=house.address("cards/1/retire/"))["known"] == "absent"


def test_one_that_was_withdrawn_is_told_by_what_another_sending_of_it_came_to(house: House) -> None:
    browser, second, path = house.browser("Apollo"), attempt(), house.address("cards/1/block/")
    assert ask(browser, house, "k1", second, withdraw=True, path=path)["known"] == "withdrawn"
    first = first_sending(house, "RECEIVED")
    entry = written_down(house, "SENT")
    assert ask(browser, house, "k1", second, path=path)["known"] == "working"
    OutboundOperation.objects.filter(pk=entry.pk).update(state="CONFIRMED", has_left=True)
    Submission.objects.filter(pk=first.pk).update(state="ANSWERED")
    found = ask(browser, house, "k1", second, path=path)
    assert found["known"] == "done"
    assert "confirmed" in found["sentence"]


def test_of_ones_own_account_too_nothing_is_denied_while_another_sending_is_at_work(house: House) -> None:
    browser, user = house.browser("Apollo"), house.people["Apollo"].user
    Submission.objects.create(user=user, key="k1", attempt=attempt(), path="/-/you/")
    address = f"/-/submissions/k1/?{urlencode({'attempt': attempt(), 'path': '/-/you/'})}"
    assert browser.get(address).json()["known"] == browser.post(address).json()["known"] == "working"


@pytest.mark.parametrize("state", ["ANSWERED", "UNKNOWN"])
def test_of_ones_own_account_nothing_is_denied_after_another_sending_was_answered(house: House, state: str) -> None:
    browser, user = house.browser("Apollo"), house.people["Apollo"].user
    Submission.objects.create(user=user, key="k1", attempt=attempt(), path="/-/you/", state=state)
    address = f"/-/submissions/k1/?{urlencode({'attempt': attempt(), 'path': '/-/you/'})}"
    for found in (browser.get(address).json(), browser.post(address).json(), browser.get(address).json()):
        assert found["known"] == "unknown"
        assert "Nothing was changed" not in found["sentence"]


@pytest.mark.parametrize("breaks", [False, True])
def test_what_arrives_twice_is_not_said_to_be_done_where_the_first_was_not(
    house: House, monkeypatch: pytest.MonkeyPatch, breaks: bool
) -> None:
    import dashboard.pages.conversation.views as views

    def break_(*_: Any, **__: Any) -> None:
        raise ValueError("a bug")

    if breaks:
        monkeypatch.setattr(views, "say", break_)
    browser, named = house.browser("Apollo"), attempt()
    browser.raise_request_exception = False
    first = comment(browser, house, named, text="Hello" if breaks else "")
    assert first.status_code == (500 if breaks else 422)
    again = comment(browser, house, named)
    assert (again.status_code, again["Countersign"]) == (409, "in-doubt")
    assert "done" not in again.content.decode().lower().replace("not known yet whether it was done", "")
    assert ask(browser, house, "k1", named)["known"] == ("unknown" if breaks else "refused")
    assert not Comment.objects.filter(business=house.business).exists()


def test_what_another_form_of_the_page_has_done_is_not_told_of_this_one(house: House) -> None:
    """The forms of a page share its key: blocked by one of them, a card is not said to be retired by another."""
    browser, me = house.browser("Apollo"), house.people["Apollo"]
    for path, state in (("cards/1/block/", "ANSWERED"), ("cards/1/retire/", "REFUSED")):
        Submission.objects.create(
            user=me.user, business=house.business, key="k1", attempt=path.replace("/", "-"), path=house.address(path),
            state=state, sentence="Enter the last four digits.",
        )  # fmt: skip
    OutboundOperation.objects.create(
        business=house.business, membership=me, operation="block_card", form_key="k1", key="block_card-k1",
        form_path=house.address("cards/1/block/"), path="/cards/1", state="CONFIRMED", has_left=True,
    )  # fmt: skip
    assert ask(browser, house, "k1", "cards-1-retire-")["known"] == "refused"
    assert ask(browser, house, "k1", "cards-1-block-")["known"] == "done"
    # One that has not arrived is told by where it was posted to.
    assert ask(browser, house, "k1", attempt(), path=house.address("cards/1/retire/"))["known"] == "absent"
    assert ask(browser, house, "k1", attempt(), path=house.address("cards/1/block/"))["known"] == "done"
