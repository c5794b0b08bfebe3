"""The house, rolled back at the test's end."""

import pytest

from tests.dashboard.access.house import House, build


@pytest.fixture
def house(db: None) -> House:
    return build()
