"""What a forecast rests on: each payment, charge and movement that the copy knows, once, on its day, in words; and what is left out, and why."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from dashboard.forecast.days import Expected
from dashboard.forecast.horizon import RESERVED, Horizon
from dashboard.forecast.payments import (
    BETWEEN,
    DRAFT_WITHOUT_DAY,
    EXCHANGED,
    IN_WITHOUT_DAY,
    POSTED,
    WHEN_USED,
)
from dashboard.forecast.sources import STAYS, expected_of
from dashboard.mirror.mappers.vendors import NEVER
from dashboard.mirror.models import FundAccount, Subscription
from tests.dashboard.pages.conftest import House, make_house

TODAY = date(2026, 11, 21)


@pytest.fixture
def house(db: None) -> House:
    return make_house()


def at(day: int, hour: int = 9, month: int = 12) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=UTC)


def expected(house: House, days: int = 90) -> dict[str, Expected]:
    horizon = Horizon(house.actor("Ada"), TODAY, TODAY + timedelta(days=days))
    items, more = expected_of(horizon)
    assert not more
    return {item.key: item for item in items}


def payment(house: House, kind: str, status: str, ref: str, **given: Any) -> Any:
    values = {"voted": True, "title": "Bill 7", "payee": "Acme", "amount_minor": 100_00, "status": status}
    return house.request(**values | {"kind": kind, "ref": ref} | given)


def subscribed(house: House, name: str, **given: Any) -> Subscription:
    values = {
        "remote_id": name, "name": name, "vendor": name, "currency": "KES", "amount_minor": 320_00,
        "billing_frequency": "MONTHLY", "next_charge_at": at(3), "status": "ACTIVE",
    }  # fmt: skip
    mirrored = house._mirrored() | {"payload": {"last_charge_at": "2026-11-03T09:00:00Z"}}
    return Subscription.objects.create(**mirrored | values | given)


def test_a_bill_is_paid_when_it_is_due_with_its_fee_and_leads_to_its_request(house: House) -> None:
    approval = house.payment(kind="BILL_PAYMENT", ref="BP-1", title="Bill 7", amount_minor=100_00, due_at=at(3))
    payment(house, "bill_payment", "PENDING_APPROVAL", "BP-1", payload={"due_at": "2026-12-03", "fee_minor": 25_00})
    [item] = expected(house).values()
    assert (item.minor, item.day, item.why_not) == (-125_00, date(2026, 12, 3), "")
    assert item.href == house.address(f"approvals/payment/{approval.remote_id}/")
    assert item.title == "Bill 7 to Acme"
    assert item.about == "Bill payment BP-1, awaiting approval, due 3 Dec, with a fee of KES\xa025.00"


def test_what_is_reserved_is_not_taken_off_twice(house: House) -> None:
    payment(house, "bill_payment", "SCHEDULED", "BP-1", payload={"scheduled_for": at(5).isoformat()})
    payment(house, "payout", "PROCESSING", "PB-1")
    payment(house, "bill_payment", "SUCCEEDED", "BP-2")
    payment(house, "payout", "CANCELLED", "PB-2")
    items = expected(house)
    assert set(items) == {"payment:BP-1", "payment:PB-1"}
    assert {item.why_not for item in items.values()} == {RESERVED}


def test_a_payout_counts_on_its_day_or_today_and_a_draft_without_one_does_not(house: House) -> None:
    payment(house, "payout", "APPROVED", "PB-1", payload={"scheduled_for": at(9, 22).isoformat(), "item_count": 5})
    payment(house, "payout", "PENDING_APPROVAL", "PB-2", payload={"total_fees_minor": 50})
    payment(house, "payout", "ON_HOLD", "PB-3", payload={"hold_reason": "insufficient_funds"})
    payment(house, "payout", "DRAFT", "PB-4")
    payment(house, "bill_payment", "PENDING_APPROVAL", "BP-5", payload={"hold_reason": "withholding_changed"})
    items = expected(house)
    # Ten in the evening by Greenwich is the next day in Nairobi.
    assert items["payment:PB-1"].day == date(2026, 12, 10)
    assert items["payment:PB-1"].about == "Payout PB-1 of 5 payments, approved, scheduled for 10 Dec"
    assert (items["payment:PB-2"].day, items["payment:PB-2"].minor) == (TODAY, -100_50)
    assert "no date set, so it counts today" in items["payment:PB-2"].about
    assert "waiting for funds" in items["payment:PB-3"].about
    assert items["payment:BP-5"].about.startswith(
        "Bill payment BP-5, awaiting approval, more or less is withheld by now than was approved, "
    )
    assert (items["payment:PB-4"].day, items["payment:PB-4"].why_not) == (None, DRAFT_WITHOUT_DAY)


def test_a_request_for_votes_alone_is_counted_and_one_that_pays_nobody_is_not(house: House) -> None:
    transfer = house.payment(ref="PB-9", amount_minor=700)
    house.payment(kind="POLICY", ref="PO-1")
    house.payment(kind="CARD_REQUEST", ref="CR-1")
    house.payment(kind="INVESTMENT", ref="IN-1")
    house.payment(kind="BULK_PAYOUT", ref="PB-8", status="REJECTED")
    house.payment(kind="FX_TRANSFER", ref="FX-1", org_wallet_ref="1")
    items = expected(house)
    assert {key: item.why_not for key, item in items.items()} == {"payment:PB-9": "", "payment:FX-1": EXCHANGED}
    assert (items["payment:PB-9"].minor, items["payment:PB-9"].day) == (-700, TODAY)
    assert items["payment:PB-9"].href.endswith(f"{transfer.remote_id}/")


def test_a_transaction_by_hand_comes_in_or_goes_out_on_its_value_date(house: House) -> None:
    kind = "hand_transaction"
    coming = {"direction": "IN", "value_date": "2026-12-01"}
    row = payment(house, kind, "APPROVED", "MT-1", payload=coming, voted=False, title="Top-up: Acme")
    payment(house, kind, "PENDING", "MT-2", payload={"direction": "IN"})
    payment(house, kind, "PENDING", "MT-3", payload={"direction": "OUT"})
    payment(house, kind, "PENDING", "MT-4", payload={"direction": "OUT", "to_org_wallet_ref": "2"})
    payment(house, kind, "POSTED", "MT-5", payload=coming)
    payment(house, kind, "APPROVED", "MT-6", payload={"direction": "IN", "value_date": "2026-11-02"})
    items = expected(house)
    assert (items["payment:MT-1"].minor, items["payment:MT-1"].day) == (100_00, date(2026, 12, 1))
    assert items["payment:MT-1"].href == house.address(f"approvals/hand-transaction/{row.remote_id}/")
    assert (items["payment:MT-2"].day, items["payment:MT-2"].why_not) == (None, IN_WITHOUT_DAY)
    assert (items["payment:MT-3"].minor, items["payment:MT-3"].day) == (-100_00, TODAY)
    assert items["payment:MT-4"].why_not == BETWEEN
    assert "payment:MT-5" not in items
    assert items["payment:MT-6"].why_not == POSTED


def test_a_single_use_card_moves_nothing_before_it_is_used(house: House) -> None:
    house.request(title="Tickets", payee="Jambojet")
    house.request(title="Gone", status="APPROVED")
    [item] = expected(house).values()
    assert (item.title, item.why_not) == ("Tickets at Jambojet", WHEN_USED)


def test_a_subscription_repeats_and_a_paused_one_does_not(house: House) -> None:
    subscribed(house, "Figma")
    subscribed(house, "Asleep", status="PAUSED")
    subscribed(house, "Unknown", next_charge_at=NEVER)
    subscribed(house, "Sometimes", billing_frequency="SOMETIMES")
    items = expected(house)
    figma = [item for item in items.values() if item.title == "Figma"]
    assert [item.day for item in figma] == [date(2026, 12, 3), date(2027, 1, 3), date(2027, 2, 3)]
    assert {item.minor for item in figma} == {-320_00}
    assert figma[0].about == "Subscription, monthly, last charged on 3 Nov"
    assert figma[0].href == house.address("subscriptions/Figma/")
    assert items["subscription:Unknown:None"].day is None
    assert "the next charge date is not known" in items["subscription:Sometimes:2026-12-03"].about
    assert not [item for item in items.values() if item.title == "Asleep"]


def test_a_withdrawal_from_a_fund_comes_in_on_its_value_date(house: House) -> None:
    def movement_of(ref: str, kind: str, status: str, wallet: str | None) -> dict[str, Any]:
        movement = {"ref": ref, "kind": kind, "status": status, "org_wallet_ref": wallet}
        return movement | {"amount_minor": 900, "value_date": "2026-11-24"}

    moves = [
        movement_of("IN-1", "WITHDRAW", "REQUESTED", "1"),
        movement_of("IN-2", "WITHDRAW", "PENDING_APPROVAL", None),
        movement_of("IN-3", "INVEST", "PENDING_APPROVAL", "1"),
        movement_of("IN-4", "INVEST", "REQUESTED", None),
        movement_of("IN-5", "WITHDRAW", "SETTLED", "1"),
    ]
    account = {"remote_id": "fund", "fund_name": "Baobab", "currency": "KES", "payload": {"movements": moves}}
    FundAccount.objects.create(**house._mirrored() | account)
    house.payment(kind="INVESTMENT", ref="IN-3", org_wallet_ref="1", amount_minor=900)
    items = expected(house)
    assert {key: (item.minor, item.why_not) for key, item in items.items()} == {
        "payment:IN-1": (900, ""), "payment:IN-2": (900, STAYS), "payment:IN-3": (-900, RESERVED),
    }  # fmt: skip
    assert items["payment:IN-1"].day == date(2026, 11, 24)
    assert items["payment:IN-1"].href == house.address("investments/fund/")


def test_another_business_expects_nothing_of_this_one(house: House) -> None:
    subscribed(house, "Figma")
    house.payment(ref="PB-9")
    other = make_house()
    horizon = Horizon(other.actor("Ada"), TODAY, TODAY + timedelta(days=30))
    assert expected_of(horizon) == ([], False)
