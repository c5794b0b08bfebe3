"""Two at once, or fifty, over HTTP against the running service: one wins, the money moves once, the others are told."""

import os
from functools import partial
from uuid import uuid4

import pytest

from tests.contract.over_http import NEEDS_TWO, Business, at_once, refusal

RACES = 50 if os.environ.get("FULL") else 5
FEE_MINOR = 1_300


@pytest.fixture
def business(service_address: str) -> Business:
    return Business(service_address)


@pytest.mark.parametrize("race", range(RACES))
def test_two_last_votes_on_one_payment_are_one_payout(business: Business, race: int) -> None:
    before = business.balances()["posted_minor"]
    batch_no, request = business.payout(NEEDS_TWO)
    assert request["approvals_required"] == 2
    assert business.vote(request, "Apollo").ok

    votes = at_once([partial(business.vote, request, name) for name in ("Zawadi", "Juma")])
    assert sorted(vote.status_code for vote in votes) == [200, 409]
    [won], [lost] = [v for v in votes if v.ok], [v for v in votes if not v.ok]
    assert (won.json()["status"], won.json()["approvals_given"]) == ("APPROVED", 2)
    assert refusal(lost) == (409, "invalid_state")
    assert "APPROVED" in lost.json()["detail"]

    paid = business.settled(batch_no)
    assert paid["status"] == "COMPLETED"
    assert [item["status"] for item in paid["items"]] == ["SUCCEEDED"]
    assert business.balances()["posted_minor"] == before - NEEDS_TWO * 100 - FEE_MINOR
    assert sorted(entry["debit"] for entry in business.debits()) == [FEE_MINOR / 100, NEEDS_TWO]
    assert business.balances()["pending_out_minor"] == 0


def test_the_same_key_fifty_times_at_once_makes_one_payout(business: Business) -> None:
    key, body = uuid4().hex, business.draft(1_500)
    answers = at_once([partial(business.send, "POST", "/payments", body, key=key)] * 50)
    made = [answer for answer in answers if answer.ok]
    assert made
    assert {answer.status_code for answer in made} == {201}
    assert len({answer.content for answer in made}) == 1
    assert {refusal(answer) for answer in answers if not answer.ok} <= {(409, "idempotency_in_progress")}
    assert sum("Idempotency-Replayed" not in answer.headers for answer in made) == 1
    assert business.ask("GET", "/payments")["total"] == 1
    # Who was told to wait gets the same answer when asking again.
    assert business.send("POST", "/payments", body, key=key).content == made[0].content


def test_the_same_vote_fifty_times_at_once_counts_once(business: Business) -> None:
    batch_no, request = business.payout(NEEDS_TWO)
    key = uuid4().hex
    answers = at_once([partial(business.vote, request, "Apollo", key)] * 50)
    assert len({answer.content for answer in answers if answer.ok}) == 1
    assert {refusal(answer) for answer in answers if not answer.ok} <= {(409, "idempotency_in_progress")}
    [now] = business.ask("GET", "/approvals/all")["docs"]
    assert (now["status"], now["approvals_given"], len(now["votes"])) == ("PENDING", 1, 1)
    assert business.state(batch_no)["status"] == "PENDING_APPROVAL"


def test_of_payouts_that_each_want_all_of_it_exactly_one_is_paid(business: Business) -> None:
    everything = business.balances()["available_minor"]
    amount = (everything - 2 * FEE_MINOR) // 100 - 100
    waiting = [business.payout(amount, account=f"25471234567{place}") for place in range(4)]
    last = []
    for _, request in waiting:
        voters = ["Apollo", "Zawadi", "Juma"][: request["approvals_required"]]
        assert all(business.vote(request, name).ok for name in voters[:-1])
        last.append(partial(business.vote, request, voters[-1]))

    assert {answer.status_code for answer in at_once(last)} == {200}
    ends = [business.settled(batch_no) for batch_no, _ in waiting]
    assert sorted(end["status"] for end in ends) == ["COMPLETED", "ON_HOLD", "ON_HOLD", "ON_HOLD"]
    assert {end["hold_reason"] for end in ends if end["status"] == "ON_HOLD"} == {"insufficient_funds"}
    left = business.balances()
    assert left["posted_minor"] == everything - amount * 100 - FEE_MINOR
    assert left["pending_out_minor"] == 0


def test_of_swipes_that_each_want_all_of_it_exactly_one_passes(business: Business) -> None:
    everything = business.balances()["available_minor"]
    swipe = partial(business.swipe, by="Carla", amount=everything // 100)
    answers = at_once([swipe] * 16)
    assert {answer.status_code for answer in answers} <= {200, 201}
    said = [answer.json() for answer in answers]
    assert sum(one["approved"] for one in said) == 1
    assert {one["code"] for one in said if not one["approved"]} == {"insufficient_funds"}
    assert 0 <= business.balances()["available_minor"] < 100


# Not approve against reject: a review may be changed into its opposite until the books close, so both would be right.
@pytest.mark.parametrize("verbs", [("approve", "approve"), ("reject", "reject"), ("approve", "requestDetails")])
@pytest.mark.parametrize("race", range(max(1, RACES // 5)))
def test_two_reviewers_on_one_expense_are_one_decision(business: Business, verbs: tuple[str, str], race: int) -> None:
    [expense] = business.sandbox("expenses", count=1, employee_ids=[business.people["Carla"]])["expenses"]
    answers = at_once(
        [
            partial(business.send, "POST", f"/expenses/{verb}/{expense['_id']}", {"reason": "It is not ours"}, by=name)
            for name, verb in zip(("Rita", "Apollo"), verbs, strict=True)
        ]
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    [won], [lost] = [a for a in answers if a.ok], [a for a in answers if not a.ok]
    leads_to = {"approve": "APPROVED", "reject": "REJECTED", "requestDetails": "DETAILS_REQUESTED"}
    now = won.json()["status"]
    assert now == leads_to[verbs[answers.index(won)]]
    assert refusal(lost) == (409, "invalid_state")
    assert now in lost.json()["detail"]
    [there] = [one for one in business.ask("GET", "/expenses?limit=1000")["docs"] if one["_id"] == expense["_id"]]
    assert (there["status"], there["version"]) == (now, won.json()["version"])
