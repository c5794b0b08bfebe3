"""A business of its own for each test of the service."""

import pickle
import time
from collections.abc import Callable

import pytest
from pytest_django.plugin import DjangoDbBlocker

from service import apikey, auth, totals
from service.businesses.models import api_key_hash
from service.sandbox.businesses import BusinessSpec, NewlyOpened
from service.ttl_cache import invalidation_key, shared
from tests.service.house import House

# A token lives for an hour; the full run is longer than that, and then each test fetches one of its own.
TOKEN_S = 30 * 60
# What this process remembers of a business, its token or its key.
REMEMBERED = (auth._grants, apikey._keys, totals._many, totals._totals)


@pytest.fixture(scope="session")
def opened_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Callable[[], House]:
    """A business that is opened once for all tests of this process, as each of them finds it: what a test does to it is
    rolled back, and what is remembered of it beside the database is forgotten. To open one, and to fetch its token,
    costs more than many a test."""
    with django_db_blocker.unblock():
        first = House()
        fetched_at = time.monotonic()
        kept = pickle.dumps((first.opened, first.token))
        marks = [invalidation_key(auth.checksum_of(first.token)), invalidation_key(api_key_hash(first.opened.api_key))]

    def fresh() -> House:
        for memory in REMEMBERED:
            memory.clear()
        shared().delete(*marks)
        opened: NewlyOpened
        opened, token = pickle.loads(kept)
        return House(opened=opened, token=token if time.monotonic() < fetched_at + TOKEN_S else "")

    return fresh


@pytest.fixture
def house(db: None, opened_once: Callable[[], House]) -> House:
    """A fresh business, as it was when the test is over."""
    return opened_once()


@pytest.fixture
def houses(db: None) -> Callable[..., House]:
    """More businesses, or special ones: `houses(entitled=False)`."""
    return lambda **order: House(BusinessSpec(**order))
