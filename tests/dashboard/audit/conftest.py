"""A house with real commits: seals are for committed lines."""

import pytest

from tests.dashboard.access.house import House, build


@pytest.fixture
def house(committed: None) -> House:
    return build()
