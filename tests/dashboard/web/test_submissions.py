"""What became of a form whose answer was lost: asked by its key, told only as far as it is known, never somebody else's."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.exceptions import BadRequest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from dashboard.bulk.models import Batch
from dashboard.client.models import OutboundOperation
from dashboard.conversation.models import Comment
from dashboard.decisions.models import Decision
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.delegation.models import Delegation
from dashboard.proposals.models import Proposal
from dashboard.web.arrivals import LATE
from dashboard.web.models import Submission
from dashboard.web.submission import state_of_submission
from tests.dashboard.pages.conftest import House

SWAP = {"HX-Request": "true"}


def attempt() -> str:
    return uuid.uuid4().hex


def ask(
    browser: Client, house: House, key: str, named: str = "", *, withdraw: bool = False, path: str = "",
    others: tuple[str, ...] = (),
) -> dict[str, Any]:  # fmt: skip
    query = urlencode({"attempt": named, "path": path, "other": others}, doseq=True)
    address = house.address(f"submissions/{key or '-'}/?{query}")
    answer = browser.post(address) if withdraw else browser.get(address)
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def comment(browser: Client, house: House, named: str, key: str = "k1", **more: str) -> Any:
    expense = house.expense()
    address = house.address(f"conversation/expense/{expense.remote_id}/")
    headers = SWAP | {"X-Attempt": named}
    return browser.post(f"{address}say/", {"text": "Where is the receipt?", "key": key} | more, headers=headers)


def decide(browser: Client, house: House, named: str, key: str = "k1", verb: str = "approve", **more: str) -> Any:
    expense = house.expense()
    address = house.address(f"approvals/expense/{expense.remote_id}/{verb}/")
    form = {"key": key, "fingerprint": fingerprint_of(expense)} | more
    return browser.post(address, form, headers=SWAP | {"X-Attempt": named})


def test_a_decision_is_found_by_its_key_as_it_stands_now(house: House) -> None:
    browser, named = house.browser("Apollo"), attempt()
    assert decide(browser, house, named).status_code == 200
    found = ask(browser, house, "k1", named)
    assert (found["known"], found["address"]) == ("working", house.address("decisions/"))
    decision = Decision.objects.get(key="k1")
    assert found["toast"] == house.address(f"decisions/{decision.pk}/toast/")
    assert "You approved expense" in found["sentence"] or "you approved expense" in found["sentence"]
    for state, known in (("DONE", "done"), ("REFUSED", "refused"), ("UNKNOWN", "unknown"), ("SENDING", "working")):
        named, key = attempt(), f"k-{state}"
        assert decide(browser, house, named, key).status_code == 200
        for step in ("SENDING", state):
            Decision.objects.filter(key=key).update(state=step, outcome={"message": f"It is {state}."})
        assert ask(browser, house, key, named)["known"] == known


def test_a_refusal_is_told_in_the_words_that_were_lost(house: House) -> None:
    browser, named = house.browser("Apollo"), attempt()
    assert decide(browser, house, named, verb="reject", reason="").status_code == 422
    found = ask(browser, house, "k1", named)
    assert found["known"] == "refused"
    assert "Enter a reason" in found["sentence"]


def test_what_has_not_arrived_is_said_to_be_undone_only_once_it_cannot_arrive_any_more(house: House) -> None:
    browser, named = house.browser("Apollo"), attempt()
    first = ask(browser, house, "k1", named)
    assert first["known"] == "absent"
    assert "Nothing was changed" not in first["sentence"]
    second = ask(browser, house, "k1", named, withdraw=True)
    assert second["known"] == "withdrawn"
    assert "Nothing was changed" in second["sentence"]
    late = decide(browser, house, named)
    assert late.status_code == 409
    assert LATE in late.content.decode()
    assert not Decision.objects.filter(key="k1").exists()
    # The same form sent again is another attempt, and is done.
    assert decide(browser, house, attempt()).status_code == 200
    assert Decision.objects.filter(key="k1").exists()


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


def test_what_has_arrived_is_never_withdrawn(house: House) -> None:
    browser, named = house.browser("Apollo"), attempt()
    comment(browser, house, named)
    assert ask(browser, house, "k1", named, withdraw=True)["known"] == "done"
    assert Submission.objects.get(attempt=named).state == "ANSWERED"


@pytest.mark.parametrize("after_s", [1, 120])
def test_one_that_was_not_answered_is_worked_on_and_then_not_known(house: House, after_s: int) -> None:
    browser, named = house.browser("Apollo"), attempt()
    then = timezone.now() - timedelta(seconds=after_s)
    user = house.people["Apollo"].user
    Submission.objects.create(
        user=user, business=house.business, key="k1", attempt=named, path=house.address("settings/"), received_at=then
    )
    found = ask(browser, house, "k1", named)
    assert found["known"] == ("working" if after_s == 1 else "unknown")
    assert "Nothing was changed" not in found["sentence"]


# A bulk decision that was carried out.
BULK = {"list_name": "decisions", "verb": "approve_expenses", "state": "DONE"}


def left_behind(house: House) -> dict[str, Callable[[], Any]]:
    """What a form leaves in each of our tables, by what is said of it."""
    me = {"business": house.business, "membership": house.people["Apollo"]}
    soon = timezone.now() + timedelta(days=1)

    def book(state: str) -> Any:
        return OutboundOperation.objects.create(
            **me,
            operation="block_card",
            key=f"block_card-{state}",
            form_key="k1",
            form_path=house.address(),
            path="/cards/1",
            state=state,
            has_left=state != "PENDING",
        )

    return {
        "comment": lambda: Comment.objects.create(
            **me, author_name="A", author_role="APPROVER", kind="expense", remote_id="1", text="x", key="k1"
        ),
        "delegation": lambda: Delegation.objects.create(
            business=house.business, delegator=house.people["Apollo"], delegate=house.people["Zawadi"],
            kinds=["expense"], begins_at=timezone.now(), ends_at=soon, key="k1",
        ),
        "proposal": lambda: Proposal.objects.create(
            business=house.business, operation="grant_wallet_access", title="t", key="grant_wallet_access-k1",
            proposed_by=house.people["Apollo"],
        ),
        "bulk": lambda: Batch.objects.create(**me, **BULK, key="k1"),
        "confirmed": lambda: book("CONFIRMED"),
        "not answered": lambda: book("UNKNOWN"),
        "not sent": lambda: book("PENDING"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("left", "known"),
    [
        ("comment", "done"), ("delegation", "done"), ("proposal", "done"), ("bulk", "done"), ("confirmed", "unknown"),
        ("not answered", "unknown"), ("not sent", "unknown"),
    ],
)  # fmt: skip
def test_one_whose_worker_was_killed_is_found_by_what_it_left(house: House, left: str, known: str) -> None:
    named, apollo = attempt(), house.people["Apollo"].user
    old = timezone.now() - timedelta(minutes=5)
    Submission.objects.create(
        user=apollo, business=house.business, key="k1", attempt=named, path=house.address(), received_at=old
    )
    left_behind(house)[left]()
    found = ask(house.browser("Apollo"), house, "k1", named)
    assert found["known"] == known
    if known == "done":
        assert "arrived" in found["sentence"]
    if left == "confirmed":
        # Of several steps only the first may have been sent.
        assert "has confirmed a step of it; it is not known whether that was all" in found["sentence"]


@pytest.mark.parametrize(
    ("now", "known", "sentence"),
    [
        ({}, "done", "It waits for a second admin."),
        ({"state": "CONFIRMED"}, "done", "It was confirmed, and is not applied yet."),
        ({"state": "CONFIRMED", "may_be_sent": True}, "done", "It is not known yet whether it was applied."),
        ({"state": "APPLIED"}, "done", "It was confirmed and applied."),
        ({"state": "DECLINED", "outcome": "Too much."}, "refused", "It was declined, and not applied."),
        ({"state": "WITHDRAWN"}, "refused", "It was withdrawn, and not applied."),
        ({"state": "STALE", "outcome": "It has changed."}, "refused", "another change, and not applied. It has changed."),
        ({"state": "REFUSED", "outcome": "Too high."}, "refused", "It was confirmed, then refused, and not applied. Too high."),
        ({"state": "UNKNOWN"}, "unknown", "it is not known whether it was applied."),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else "",
)  # fmt: skip
def test_a_proposal_is_told_as_it_stands_now(house: House, now: dict[str, Any], known: str, sentence: str) -> None:
    left_behind(house)["proposal"]()
    Proposal.objects.filter(key="grant_wallet_access-k1").update(**now)
    found = ask(house.browser("Apollo"), house, "k1", attempt())
    assert found["known"] == known
    assert found["sentence"].endswith(sentence)
    assert ("waits" in found["sentence"]) is (now == {})


@pytest.mark.parametrize("state", Proposal._meta.get_field("state").choices, ids=lambda choice: choice[0])
def test_each_state_of_a_proposal_has_its_sentence(house: House, state: tuple[str, str]) -> None:
    left_behind(house)["proposal"]()
    Proposal.objects.filter(key="grant_wallet_access-k1").update(state=state[0])
    assert ask(house.browser("Apollo"), house, "k1", attempt())["sentence"].startswith("It arrived as a proposal. It w")


@pytest.mark.parametrize(
    ("state", "processed"),
    [("QUEUED", "is being"), ("RUNNING", "is being"), ("DONE", "was"), ("STOPPED", "was stopped before its end")],
)
def test_several_at_once_are_told_as_they_stand_now(house: House, state: str, processed: str) -> None:
    left_behind(house)["bulk"]()
    Batch.objects.filter(key="k1").update(state=state)
    ending = "" if state == "STOPPED" else " processed"
    found = ask(house.browser("Apollo"), house, "k1", attempt())
    assert found["sentence"] == f"It arrived and {processed}{ending}: see the results by item."


def test_a_call_of_a_form_is_found_by_the_forms_own_key(house: House) -> None:
    from dashboard.form_key import current_form_key, current_form_path, form_context, set_form_key

    with form_context():
        set_form_key("k1", "/ours/cards/c1/block/?from=list")
        assert current_form_path() == "/ours/cards/c1/block/"
        assert current_form_key() == "k1"
    assert current_form_key() == ""


def test_all_parts_of_a_plan_are_found_by_the_plan(house: House) -> None:
    plan = uuid.uuid4()
    me = {"business": house.business, "membership": house.people["Apollo"]}
    bulk = Batch.objects.create(**me, **BULK, key=f"{plan}:approve_expenses")
    found = ask(house.browser("Apollo"), house, f"{plan}:all")
    assert (found["known"], found["address"]) == ("done", house.address(f"approvals/several/{bulk.pk}/"))


def test_nobody_hears_of_somebody_elses_form(house: House, new_house: Callable[..., House]) -> None:
    other, named = new_house(), attempt()
    apollo = house.browser("Apollo")
    decide(apollo, house, named)
    comment(apollo, house, attempt(), key="k2")
    for browser, where in ((house.browser("Zawadi"), house), (other.browser("Apollo"), other)):
        assert ask(browser, where, "k1", named)["known"] == "absent"
        assert ask(browser, where, "k2")["known"] == "absent"
    assert other.browser("Apollo").get(house.address("submissions/k1/")).status_code == 404
    assert Client().get(house.address("submissions/k1/")).status_code == 302
    # Withdrawn by somebody else it is withdrawn for them alone.
    ask(house.browser("Zawadi"), house, "k1", named, withdraw=True)
    assert ask(apollo, house, "k1", named)["known"] == "working"


def test_a_form_of_ones_own_account_is_asked_for_outside_any_business(house: House) -> None:
    browser, named = house.browser("Apollo"), attempt()
    answer = browser.post("/-/you/", {"theme": "dark", "attempt": named, "key": "k1"})
    assert answer.cookies[f"answered-{named}"].value == "1"
    assert browser.get(f"/-/submissions/k1/?attempt={named}").json()["known"] == "done"
    assert ask(browser, house, "k1", named)["known"] == "absent"


def test_an_attempt_is_a_name_and_nothing_else(house: House) -> None:
    browser = house.browser("Apollo")
    for wrong in ("short", "a" * 65, "<script>alert(1)</script>", "%00aaaaaaaaaa"):
        assert browser.get(house.address(f"submissions/k1/?attempt={wrong}")).status_code == 400
    assert browser.post(house.address("submissions/k1/")).status_code == 400
    answer = browser.post("/-/you/", {"theme": "dark", "attempt": "not a name\r\nSet-Cookie: x=1"})
    assert not [name for name in answer.cookies if name.startswith("answered-")]


def test_a_key_that_no_form_has_is_no_address(house: House) -> None:
    browser = house.browser("Apollo")
    for key in ("k%001", "k%0a", "1" * 129, "a%20b"):
        assert browser.get(house.address(f"submissions/{key}/")).status_code == 404
        assert browser.get(f"/-/submissions/{key}/").status_code == 404
    longest = "1" * 128
    assert ask(browser, house, longest, attempt())["known"] == "absent"
    assert ask(browser, house, longest, attempt(), withdraw=True)["known"] == "withdrawn"


def test_asking_extends_no_session_and_is_no_submission_itself(house: House) -> None:
    browser, named = house.browser("Apollo"), attempt()
    browser.get(house.address())
    before = browser.session["seen_at"] - 100
    session = browser.session
    session["seen_at"] = before
    session.save()
    ask(browser, house, "k1", named, withdraw=True)
    assert browser.session["seen_at"] == before
    assert list(Submission.objects.filter(business=house.business).values_list("state", flat=True)) == ["WITHDRAWN"]


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


def first_sending(house: House, state: str, *, age_s: int = 5) -> Submission:
    """Another sending of the form, which came before: still at work, or answered."""
    return Submission.objects.create(
        user=house.people["Apollo"].user, business=house.business, key="k1", attempt=attempt(), state=state,
        path=house.address("cards/1/block/?from=list"), received_at=timezone.now() - timedelta(seconds=age_s),
    )  # fmt: skip


def written_down(house: House, state: str) -> OutboundOperation:
    return OutboundOperation.objects.create(
        business=house.business, membership=house.people["Apollo"], operation="block_card", form_key="k1",
        form_path=house.address("cards/1/block/"), key="block_card-k1", path="/cards/1", state=state,
        has_left=state not in {"PENDING", "SENT"},
    )  # fmt: skip


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


@pytest.mark.parametrize("key", ["\u0663", "a\x00b", "\u00e9", "a b", "\u202e", "x" * 129, "k\r\nX: 1"])
@pytest.mark.parametrize("swaps", [True, False])
def test_a_key_that_no_form_is_born_with_is_refused_before_anything_is_done(
    house: House, key: str, swaps: bool
) -> None:
    browser, expense = house.browser("Apollo"), house.expense()
    address = house.address(f"conversation/expense/{expense.remote_id}/say/")
    answer = browser.post(address, {"text": "Hello", "key": key}, headers=SWAP if swaps else {})
    assert answer.status_code == 400
    assert "Nothing was changed." in answer.content.decode()
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
