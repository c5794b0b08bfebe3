"""A fresh business of the sandbox: what `World.first_sync` leaves out is empty, so that leaving it out changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.apps import apps

from dashboard.access.models import Business
from dashboard.mirror import schedule, sync
from dashboard.mirror.models import SyncCursor
from tests.dashboard.conftest import COPIED, SAME_IN_ALL, World

# Not what the service has, but how it was read.
BOOKKEEPING = {"SyncCursor", "SyncedDay"}


def rows_of(business: Business) -> dict[str, int]:
    """How many rows the copy has of each table."""
    tables = [model for model in apps.get_app_config("mirror").get_models() if model.__name__ not in BOOKKEEPING]
    return {
        model.__name__: model._default_manager.filter(business=business).count()
        for model in tables
        if any(field.name == "business" for field in model._meta.fields)
    }


def test_a_first_sync_by_bands_that_hold_something_copies_what_a_whole_one_does(
    new_world: Callable[..., World],
) -> None:
    world = new_world()
    before = rows_of(world.business)
    assert before["Employee"] > 1
    assert before["Transaction"] > 0

    for band in schedule.INTERVALS_S:
        sync.run_band(world.business, band)

    assert rows_of(world.business) == before


# When a row was read, and when the service made it: the one thing beside ids in which two fresh businesses differ.
TIMES = {"first_seen", "last_seen", "remote_updated_at", "remote_version", "payload_hash", "id"}
TIMES_OF_THE_SERVICE = {"createdAt", "updatedAt", "created_at", "updated_at", "version", "added_on"}


def without_times(value: Any) -> Any:
    """A value as it came without its times, and without the id of a reviewer's seat, which the sandbox does not say."""
    if isinstance(value, dict) and "read_only" in value:
        value = {name: one for name, one in value.items() if name != "_id"}
    if isinstance(value, dict):
        return {name: without_times(one) for name, one in value.items() if name not in TIMES_OF_THE_SERVICE}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def copied_rows(business: Business) -> dict[str, list[dict[str, Any]]]:
    """All that the copy has of what `first_sync` takes from the first business."""
    return {
        name: [
            without_times({field: value for field, value in row.items() if field not in TIMES})
            for row in apps.get_model("mirror", name)
            ._default_manager.filter(business=business)
            .order_by("remote_id")
            .values()
        ]
        for name in COPIED
    }


def test_what_is_copied_from_the_first_business_is_what_would_be_read(new_world: Callable[..., World]) -> None:
    new_world()
    copied = new_world()
    before = copied_rows(copied.business)
    assert all(before.values())

    for band in SAME_IN_ALL:
        sync.run_band(copied.business, band)

    assert copied_rows(copied.business) == before


def test_after_it_no_band_is_due(new_world: Callable[..., World]) -> None:
    world = new_world()
    assert schedule.due(world.business, SyncCursor.objects.get(business=world.business)) == []
