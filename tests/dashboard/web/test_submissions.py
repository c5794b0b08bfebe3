"""What became of a form whose answer was lost: asked by its key, told only as far as it is known, never somebody else's."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
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
