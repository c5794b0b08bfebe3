"""A business whose people have had access for long, and its review of this quarter."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.access_reviews.models import AccessReview, ReviewedPerson
from tests.dashboard.conftest import World
from tests.dashboard.people.conftest import shown, signed_in

LONG_AGO = timedelta(days=120)


@pytest.fixture
def settled(world: World) -> World:
    """Everybody joined 120 days ago and was here today; nobody has decided on anything."""
    now = timezone.now()
    members = Membership.objects.filter(business=world.business)
    members.update(created_at=now - LONG_AGO, last_seen_at=now)
    return world


def opened(world: World, by: str = "Ada") -> AccessReview:
    """The review of this quarter, opened on its page."""
    answer = signed_in(world, by).post(world.address("access-reviews/open/"))
    assert answer.status_code == 302, shown(answer)
    return AccessReview.objects.get(business=world.business)


def row_of(world: World, name: str) -> ReviewedPerson:
    """Somebody's row of the review."""
    return ReviewedPerson.objects.get(review__business=world.business, membership=world.people[name])


def decide(world: World, name: str, by: str, verdict: str = "KEEP", reason: str = "", **more: str) -> Any:
    """What somebody decides on somebody else's access, by the form of their row."""
    return decide_row(world, row_of(world, name), by, verdict, reason, **more)


def decide_row(
    world: World, row: ReviewedPerson, by: str, verdict: str = "KEEP", reason: str = "", **more: str
) -> Any:  # fmt: skip
    """The same on a row, of a member or not."""
    form = {"verdict": verdict, "reason": reason, **more}
    return signed_in(world, by).post(world.address(f"access-reviews/{row.review_id}/people/{row.pk}/"), form)


def keep_all(world: World, but: Iterable[str] = ()) -> None:
    """Ada keeps everybody but herself and some, Abel keeps Ada; and who has no access here and can move money."""
    for name in world.people:
        if name not in but:
            answer = decide(world, name, "Abel" if name == "Ada" else "Ada", reason="Still in the team")
            assert answer.status_code == 302, shown(answer)
    for row in ReviewedPerson.objects.filter(review__business=world.business, membership=None, verdict=""):
        answer = decide_row(world, row, "Ada", reason="Moves money at the service alone")
        assert answer.status_code == 302, shown(answer)


def sign(world: World, by: str = "Ada") -> Any:
    """Somebody signs the review."""
    review = AccessReview.objects.get(business=world.business)
    return signed_in(world, by).post(world.address(f"access-reviews/{review.pk}/sign/"))
