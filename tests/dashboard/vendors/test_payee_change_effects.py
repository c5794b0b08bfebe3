"""What hangs on accounts that wait for a second person: counted where it is much, read at once for all, and not known to all."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.mirror.models import Bill, Vendor
from dashboard.pages.vendors.presenters.payee_changes import released_text, stopped_text
from dashboard.pages.vendors.selectors.payee_changes import MAX_LISTED, EffectGap, effects_of, waiting_changes
from tests.dashboard.pages.conftest import House, make_house
from tests.days import business_day


@pytest.fixture
def house(db: None) -> House:
    return make_house()


def vendor(house: House, name: str, *accounts: dict[str, Any]) -> Vendor:
    """A vendor with these accounts and one more that waits for a second person, `<name>-new`."""
    waiting = {"id": f"{name}-new", "channel": "MPESA_TILL", "last": "2345", "status": "QUARANTINED", "at": ""}
    if accounts:
        waiting["replaces"] = accounts[0]["id"]
    return Vendor.objects.create(**house._mirrored() | {
        "remote_id": name, "name": name, "status": "ACTIVE", "created_at": timezone.now(), "quarantined": True,
        "instructions": [*accounts, waiting],
    })  # fmt: skip


def in_use(name: str) -> dict[str, Any]:
    return {"id": f"{name}-old", "channel": "MPESA_TILL", "last": "0111", "status": "ACTIVE"}


def bills(house: House, name: str, count: int) -> None:
    today = business_day()
    for number in range(count):
        Bill.objects.create(**house._mirrored() | {
            "remote_id": f"{name}-{number}", "bill_no": f"{name}-{number}", "number_key": f"{name}-{number}", "vendor_id": name,
            "vendor_name": name, "currency": "KES", "total_minor": 100_00, "total_text": "KES 100.00",
            "balance_minor": 100_00, "balance_text": "KES 100.00", "issued_on": today,
            "due_on": today + timedelta(days=count - number), "status": "OPEN", "approval_status": "INITIALIZED",
        })  # fmt: skip


def payments(house: House, name: str, count: int) -> None:
    for number in range(count):
        house.request(
            kind="bill_payment", ref=f"{name}-{number}", status="APPROVED", title=f"Bill {name}-{number}",
            payload={"payment_instruction_id": f"{name}-old", "bill_id": "b"},
        )  # fmt: skip


def test_the_first_of_many_are_named_and_the_others_counted(house: House) -> None:
    """Of two vendors, and neither counts what is the other's."""
    vendor(house, "held")
    vendor(house, "replaced", in_use("replaced"))
    bills(house, "held", MAX_LISTED + 3)
    payments(house, "replaced", MAX_LISTED + 2)
    ada = house.actor("Ada")
    effects = effects_of(ada, waiting_changes(ada))
    held, replaced = effects["held-new"], effects["replaced-new"]
    assert [row.bill_no for row in held.held_bills] == [f"held-{MAX_LISTED + 2 - place}" for place in range(MAX_LISTED)]
    assert (held.bill_count, held.stopped_count, held.unknown) == (MAX_LISTED + 3, 0, frozenset())
    assert (len(replaced.stopped), replaced.stopped_count, replaced.bill_count) == (MAX_LISTED, MAX_LISTED + 2, 0)
    assert released_text(held) == f" {MAX_LISTED + 3} bills that waited for it can be paid."
    assert f" and {MAX_LISTED + 2 - 5} more. " in stopped_text(ada, replaced)
    page = house.browser("Ada").get(house.address("vendors/payee-changes/")).content.decode()
    assert "and 3 more bills</dd>" in page
    assert "and 2 more bill payments<br>" in page


def test_what_hangs_on_many_accounts_is_read_with_as_many_queries_as_what_hangs_on_two(house: House) -> None:
    ada = house.actor("Ada")

    def queries(*names: str) -> int:
        for name in names:
            vendor(house, name)
            vendor(house, f"{name}-b", in_use(f"{name}-b"))
            bills(house, name, 1)
            payments(house, f"{name}-b", 1)
        changes = waiting_changes(ada)
        with CaptureQueriesContext(connection) as run:
            effects = effects_of(ada, changes)
        assert {(row.bill_count, row.stopped_count) for row in effects.values()} == {(1, 0), (0, 1)}
        return len(run)

    few = queries("one")
    assert queries("two", "three", "four") == few


def test_who_lists_no_payouts_and_bills_is_not_shown_that_nothing_is_held(house: House) -> None:
    vendor(house, "held")
    bills(house, "held", 1)
    rita = house.actor("Rita")
    assert effects_of(rita, waiting_changes(rita))["held-new"].unknown == {EffectGap.NOT_LISTED}
    page = house.browser("Rita").get(house.address("vendors/payee-changes/")).content.decode()
    assert "<dt>Held until it is confirmed</dt>\n      <dd>Not known</dd>" in page
    assert "Your role does not list bills and payouts" in page
