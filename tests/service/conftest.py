"""A business for each test of the service: opened once and found new by every test, or opened by the test itself."""

from collections.abc import Callable

import pytest
from pytest_django.plugin import DjangoDbBlocker

from service import apikey, auth, totals
from service.sandbox.businesses import Order
from service.ttl_cache import shared
from tests.service.house import House


@pytest.fixture(scope="session")
def opened(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> House:
    """The business of all tests of a worker, committed before the first: a test's changes are rolled back after it."""
    with django_db_blocker.unblock():
        house = House()
        # Fetched here, it is there for everybody.
        assert house.token
    return house


@pytest.fixture
def house(db: None, opened: House) -> House:
    """A business as it is when it has just been opened; what is done to it is gone when the test is over."""
    forget(opened)
    return opened.again()


@pytest.fixture
def houses(db: None) -> Callable[..., House]:
    """More businesses, or special ones: `houses(entitled=False)`."""
    return lambda **order: House(Order(**order))


def forget(house: House) -> None:
    """What is remembered beside the database is not rolled back with it."""
    for values in (apikey._keys, auth._grants, totals._many, totals._totals):
        values.clear()
    names = {house.client.client_id, house.business.id}
    store = shared()
    if left := [key for name in names for key in store.scan_iter(match=f"*{name}*", count=1_000)]:
        store.delete(*left)
