"""The wallet that a top-up is paid from: the one that allocations are tested with; and no top-ups of the tests before."""

import pytest

from dashboard.top_ups.models import TopUp
from tests.dashboard.people.conftest import first_wallet

__all__ = ["first_wallet"]


@pytest.fixture(autouse=True)
def no_others(request: pytest.FixtureRequest) -> None:
    """A worker looks at the top-ups of all businesses, and worlds stay in the database."""
    if {"world", "proxied_world"} & set(request.fixturenames):
        request.getfixturevalue("committed")
        TopUp.objects.all().delete()
