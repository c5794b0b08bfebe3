"""A form that proposes a change, whose answer was lost: told as the proposal stands by now."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.proposals.models import Proposal
from tests.dashboard.pages.conftest import House
from tests.dashboard.web.test_submissions import ask, attempt, left_behind


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
