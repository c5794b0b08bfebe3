"""A sending whose worker was killed is found by what it left behind."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from dashboard.web.models import Submission
from tests.dashboard.pages.conftest import House
from tests.dashboard.web.test_submissions import ask, attempt, left_behind


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
