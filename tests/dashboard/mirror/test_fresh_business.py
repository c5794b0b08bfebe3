"""A fresh business of the sandbox: what `World.first_sync` leaves out is empty, so that leaving it out changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.apps import apps

from dashboard.access.models import Business
from dashboard.mirror import schedule, sync
from dashboard.mirror.models import Cursor, WalletPermission, WalletRole
from tests.dashboard.conftest import World

# Not what the service has, but how it was read.
BOOKKEEPING = {"Cursor", "Window"}


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


def rights_of(business: Business) -> list[dict[str, Any]]:
    """What roles and policies can give on a wallet, as the copy has it."""
    kinds = (
        (WalletPermission, ("remote_id", "title", "moves_money", "place")),
        (WalletRole, ("remote_id", "permissions")),
    )
    return [
        row
        for model, names in kinds
        for row in model.objects.filter(business=business).order_by("remote_id").values(*names)
    ]


def test_the_wallet_rights_of_the_first_business_are_those_of_every_other(new_world: Callable[..., World]) -> None:
    new_world()
    copied = new_world()
    before = rights_of(copied.business)
    assert before

    sync.run_band(copied.business, "wallet_rights")

    assert rights_of(copied.business) == before


def test_after_it_no_band_is_due(new_world: Callable[..., World]) -> None:
    world = new_world()
    assert schedule.due(world.business, Cursor.objects.get(business=world.business)) == []
