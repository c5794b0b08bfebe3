"""That there is none is said only once the copy has been filled: by one predicate, in choosers, lists and the inbox."""

import re

import pytest

from dashboard.mirror.models import Bill, Mirrored, SyncCursor, Vendor
from dashboard.mirror.schedule import FILLING_BANDS, INTERVALS_S, is_filled
from tests.dashboard.conftest import World

BEING_READ = "still being read from the finance service"


def page(world: World, rest: str, who: str = "Ada") -> str:
    return re.sub(r"\s+", " ", world.client(who).get(world.address(rest)).content.decode())


def unread(world: World) -> None:
    SyncCursor.objects.filter(business=world.business).update(bands={})


def test_every_table_of_the_copy_has_bands_that_fill_it() -> None:
    tables = {model for model in Mirrored.__subclasses__() if not model._meta.abstract}
    assert {model.__name__ for model in tables - FILLING_BANDS.keys()} <= {
        "CardDecline",
        "WalletPermission",
        "WalletRole",
    }
    assert {band for bands in FILLING_BANDS.values() for band in bands} <= INTERVALS_S.keys()


def test_a_table_is_filled_once_its_band_has_run(world: World) -> None:
    unread(world)
    assert not is_filled(world.business, Vendor)
    SyncCursor.objects.filter(business=world.business).update(bands={"vendors": "2026-11-24T10:00:00+00:00"})
    assert is_filled(world.business, Vendor)
    assert not is_filled(world.business, Bill)
    # What is no part of the copy is not read into it.
    assert is_filled(world.business, SyncCursor)


@pytest.mark.parametrize(
    ("source", "noun"),
    [("vendors", "vendors"), ("bills", "unpaid bills"), ("last", "payments of an earlier payout")],
)
def test_a_source_of_a_payout_is_still_read_before_there_is_none(world: World, source: str, noun: str) -> None:
    unread(world)
    assert f"The {noun} are {BEING_READ}" in page(world, f"payouts/new/from/{source}/")
    world.sync()
    shown = page(world, f"payouts/new/from/{source}/")
    assert f"There are no {noun} to choose from" in shown
    assert BEING_READ not in shown


@pytest.mark.parametrize(
    ("rest", "empty"),
    [("vendors/", "No vendors yet"), ("bills/", "No bills yet"), ("customers/?q=nobodyatall", "No matches"),
     ("approvals/", "Nothing waits for you")],
)  # fmt: skip
def test_a_list_is_still_read_before_it_is_empty(world: World, rest: str, empty: str) -> None:
    unread(world)
    before = page(world, rest)
    assert "Still being read" in before
    assert empty not in before
    world.sync()
    assert empty in page(world, rest)
    assert "Still being read" not in page(world, rest)


def test_the_form_of_a_bill_says_that_vendors_are_missing(world: World) -> None:
    unread(world)
    assert "The vendors are still being read" in page(world, "bills/new/")
    world.sync()
    assert "still being read" not in page(world, "bills/new/")
