"""A business of its own for each test of the service."""

from collections.abc import Callable

import pytest

from service.sandbox.businesses import BusinessSpec
from tests.service.house import House


@pytest.fixture
def house(db: None) -> House:
    """A fresh business, gone when the test is over."""
    return House()


@pytest.fixture
def houses(db: None) -> Callable[..., House]:
    """More businesses, or special ones: `houses(entitled=False)`."""
    return lambda **order: House(BusinessSpec(**order))
