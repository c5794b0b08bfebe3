"""Rates are shared by all businesses: each test begins without any."""

import pytest

from service.fx.models import Rate


@pytest.fixture(autouse=True)
def no_rates(db: None) -> None:
    """Whatever a server on this database has asked the feed for before is gone."""
    Rate.objects.all().delete()
