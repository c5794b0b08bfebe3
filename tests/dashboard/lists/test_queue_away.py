"""A queue that cannot be reached costs nobody a page: what was asked for is written down and waits for the schedule."""

from __future__ import annotations

import pytest
from celery import current_app

from dashboard.lists import exports
from dashboard.lists.models import Export, ExportState
from tests.dashboard.pages.conftest import House, make_house

# Nobody listens there.
AWAY = "redis://127.0.0.1:1/1"


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker refuses every connection; no file is small enough to be written at once."""
    import config.celery  # noqa: F401 (the queue's own settings, as every process of the house has them)

    monkeypatch.setattr(current_app.conf, "broker_url", AWAY)
    monkeypatch.setattr("dashboard.pages.lists.views.exports.AT_ONCE", -1)


def test_an_export_is_kept_for_the_schedule(committed: None) -> None:
    house: House = make_house()
    browser, address = house.browser("Ada"), house.address("lists/expenses/export/")
    answer = browser.post(address, {"list": "", "format": "csv"})
    assert (answer.status_code, answer["Location"]) == (302, house.address("exports/"))
    export = Export.objects.get(business=house.business)
    assert export.state == ExportState.QUEUED
    again = browser.post(house.address(f"exports/{export.pk}/again/"))
    assert again.status_code == 302
    queued = Export.objects.filter(business=house.business, state=ExportState.QUEUED)
    queued.update(created_at=export.created_at - exports.LOST_AFTER * 2)
    assert {str(row.pk) for row in queued} <= set(exports.lost())
