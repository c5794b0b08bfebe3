"""A year of the demo's first business, played once for all that look at it: playing it takes longer than they do."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from service.businesses.models import Business
from service.ids import object_id
from service.sandbox import clock, demo
from service.sandbox.demo_plan import PLANS

NOW = datetime(2026, 3, 18, 13, 30, tzinfo=UTC)
# The tests that look at the year run on one worker, so that it is played once.
ON_ONE_WORKER = pytest.mark.on_one_worker("demo_year")


@pytest.fixture(scope="package")
def played_year(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Business]:
    """The business after its year, in a transaction of the folder's own that is rolled back at its end."""
    order = replace(demo.order_of(PLANS[0]), business_id=object_id())
    with django_db_blocker.unblock(), transaction.atomic():
        with clock.at(NOW):
            business = demo.play(PLANS[0], order, 320, 1, NOW)
        yield business
        transaction.set_rollback(True)


@pytest.fixture
def kifaru(played_year: Business) -> Iterator[Business]:
    """The business after its year; what a test changes in it is undone at the test's end."""
    with transaction.atomic():
        yield played_year
        transaction.set_rollback(True)
