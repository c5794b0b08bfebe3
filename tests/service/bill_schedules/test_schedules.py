"""Recurring bills: entered on their day, once per day whoever asks, paused, resumed and ended."""

from datetime import date, datetime, timedelta
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from service import periods
from service.auth import system_caller
from service.bill_schedules import selectors, services
from service.bill_schedules.models import BillSchedule, ScheduledBill
from service.bill_schedules.tasks import enter
from service.bills.models import Bill, LineSplit
from service.events.models import Event
from tests.service.bills.conftest import committed_house, no_worker, till
from tests.service.bills.test_splits import team
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once
from tests.service.vendors.conftest import vendor

__all__ = ["committed_house", "no_worker"]


def today(house: House) -> date:
    return periods.day_of(timezone.now(), house.business)


def schedule(house: House, *, by: str | None = "Ada", **more: Any) -> Any:
    """The raw answer of adding a monthly rent of 850.00 from today on."""
    vendor_id = more.pop("vendor_id", None) or vendor(house, till(), by="Ada")["_id"]
    body = {
        "number_prefix": "RENT", "vendor_id": vendor_id, "interval": "MONTHLY", "starts_on": today(house).isoformat(),
        "line_items": [{"description": "Rent", "unit_price": 850.5, "tax_rate": 16}], **more,
    }  # fmt: skip
    return house.post("/bill-schedules", body, by=by)


def create_schedule(house: House, **more: Any) -> dict[str, Any]:
    answer = schedule(house, **more)
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def at(house: House, day: date) -> Any:
    """As if it were noon of a day at the business."""
    noon = datetime.combine(day, datetime.min.time(), ZoneInfo(house.business.time_zone)) + timedelta(hours=12)
    return patch("django.utils.timezone.now", return_value=noon)


def test_what_a_line_of_it_is_filed_under_is_not_deleted(house: House) -> None:
    [travel] = [row for row in house.get("/categories").json()["docs"] if row["code"] == "TRAVEL"]
    [fuel] = [row["_id"] for row in travel["subcategories"] if row["code"] == "FUEL"]
    create_schedule(house, line_items=[{"description": "Fuel", "unit_price": 850.5, "subcategory_id": fuel}])
    refused = house.send("DELETE", f"/categories/{travel['_id']}/subcategories/{fuel}")
    assert code(refused) == (409, "in_use")
    assert "is in use: 1 recurring bill." in refused.json()["detail"]


def test_its_bill_is_entered_on_the_day_with_all_that_the_schedule_says(house: House) -> None:
    row = create_schedule(house, due_in_days=14, memo="Office")
    now = today(house)
    assert row["next_dates"][0] == now.isoformat()
    assert len(row["next_dates"]) == 3
    assert selectors.has_due()
    assert enter() == 1
    assert not selectors.has_due()
    bill = Bill.objects.get(business=house.business)
    assert (bill.bill_no, bill.total_minor, bill.issued_on) == (f"RENT-{now}", 98_658, now)
    assert (bill.due_on, bill.memo, bill.status) == (now + timedelta(days=14), "Office", "OPEN")
    shown = house.get(f"/bill-schedules/{row['_id']}").json()
    assert (shown["bills_entered"], [each["bill_no"] for each in shown["latest"]]) == (1, [bill.bill_no])
    assert now.isoformat() not in shown["next_dates"]
    kinds = list(Event.objects.filter(business=house.business).order_by("id").values_list("kind", flat=True))
    assert kinds[-3:] == ["bill_schedule.created", "bill.created", "bill_schedule.updated"]


def split(*shares: dict[str, Any]) -> dict[str, Any]:
    """A line of 0.86 with its tax of 16 % (1.00), split over teams."""
    return {"line_items": [{"description": "Rent", "unit_price": 0.86, "tax_rate": 16, "splits": list(shares)}]}


def shares_of(bill: Bill) -> list[tuple[str, int | None, int]]:
    rows = LineSplit.objects.filter(bill=bill).order_by("line__position", "position")
    return [(row.team_id, row.percent_bps, row.share_minor) for row in rows]


def test_each_of_its_bills_is_split_as_the_schedule_says(house: House) -> None:
    teams = [team(house, name) for name in ("Sales", "Fleet", "Office")]
    parts = [{"team_id": each, "percent": percent} for each, percent in zip(teams, (33.33, 33.33, 33.34), strict=True)]
    row = create_schedule(house, interval="WEEKLY", **split(*parts))
    [line] = row["line_items"]
    assert [(share["percent"], share["amount_minor"]) for share in line["splits"]] == [
        (33.33, 33),
        (33.33, 33),
        (33.34, 34),
    ]
    with at(house, today(house) + timedelta(days=7)):
        while selectors.has_due():
            enter()
    bills = list(Bill.objects.filter(business=house.business).order_by("issued_on"))
    assert len(bills) == 2
    expected = [(teams[0], 3333, 33), (teams[1], 3333, 33), (teams[2], 3334, 34)]
    assert [shares_of(bill) for bill in bills] == [expected, expected]


def test_shares_that_are_amounts_come_to_the_line_before_anything_is_added(house: House) -> None:
    sales, fleet = team(house, "Sales"), team(house, "Fleet")
    short = schedule(house, **split({"team_id": sales, "amount": 0.4}, {"team_id": fleet, "amount": 0.5}))
    assert code(short) == (422, "validation_failed")
    assert "come to 0.90, the line with its tax to 1.00" in short.text
    assert not BillSchedule.objects.exists()
    create_schedule(house, **split({"team_id": sales, "amount": 0.4}, {"team_id": fleet, "amount": 0.6}))
    enter()
    assert shares_of(Bill.objects.get(business=house.business)) == [(sales, None, 40), (fleet, None, 60)]


def test_a_share_is_of_a_team_of_the_business(house: House, houses: Any) -> None:
    theirs = team(houses(), "Theirs")
    answer = schedule(house, **split({"team_id": theirs, "percent": 100}))
    assert code(answer) == (422, "validation_failed")
    assert "line_items.0.splits.0.team_id" in answer.text
    assert not BillSchedule.objects.exists()


def test_where_a_team_of_its_lines_is_gone_it_is_paused_and_says_why(house: House) -> None:
    gone = team(house, "Sales")
    row = create_schedule(house, **split({"team_id": gone, "percent": 100}))
    assert house.send("DELETE", f"/teams/{gone}", by="Ada").status_code == 200
    enter()
    shown = house.get(f"/bill-schedules/{row['_id']}").json()
    assert (shown["status"], shown["trouble"]) == ("PAUSED", "There is no such team.")
    assert not Bill.objects.filter(business=house.business).exists()


def test_after_a_merge_of_vendors_the_next_bill_is_of_the_one_that_stays(house: House) -> None:
    row = create_schedule(house)
    keeper = vendor(house, till(), name="Keeper", by="Ada")
    plan = house.get(f"/vendors/{keeper['_id']}/merge/{row['vendor_id']}", by="Ada").json()
    assert {"noun": "recurring bill", "count": 1} in plan["moves"]
    body = {"duplicate_id": row["vendor_id"], "reason": "The same landlord."}
    assert house.post(f"/vendors/{keeper['_id']}/merge", body, by="Ada").status_code == 200
    assert house.get(f"/bill-schedules/{row['_id']}").json()["vendor_id"] == keeper["_id"]
    assert enter() == 1
    assert Bill.objects.get(business=house.business).vendor_id == keeper["_id"]


def test_whoever_set_it_up_does_not_vote_on_what_its_bills_are_paid_with(house: House) -> None:
    create_schedule(house, by="Apollo")
    enter()
    bill = Bill.objects.get(business=house.business)
    added = house.post(f"/bills/{bill.pk}/payments", {}, by="Ada").json()
    house.send("PATCH", f"/bills/{bill.pk}/payments/{added['payment_ref']}/request-approval", by="Ada")
    vote = house.post(f"/bills/{bill.pk}/payments/{added['payment_ref']}/approve", by="Apollo")
    assert vote.status_code in {403, 409, 422}, vote.json()


def test_entered_twice_at_once_it_is_one(committed_house: House) -> None:
    row = create_schedule(committed_house)
    at_once(4, lambda _: services.enter_due(row["_id"]))
    assert ScheduledBill.objects.filter(schedule_id=row["_id"]).count() == 1
    assert Bill.objects.filter(business=committed_house.business).count() == 1


def test_days_that_nobody_worked_are_made_up_one_by_one(house: House) -> None:
    row = create_schedule(house, interval="WEEKLY")
    start = today(house)
    with at(house, start + timedelta(days=15)):
        while selectors.has_due():
            enter()
    days = list(ScheduledBill.objects.order_by("on").values_list("on", flat=True))
    assert days == [start, start + timedelta(days=7), start + timedelta(days=14)]
    assert BillSchedule.objects.get(pk=row["_id"]).next_on == start + timedelta(days=21)


def test_paused_it_enters_none_and_resumed_it_skips_what_was_missed(house: House) -> None:
    row = create_schedule(house, interval="WEEKLY")
    paused = house.post(f"/bill-schedules/{row['_id']}/pause", by="Ada").json()
    assert (paused["status"], len(paused["next_dates"])) == ("PAUSED", 3)
    with at(house, today(house) + timedelta(days=9)):
        assert not selectors.has_due()
        services.resume(system_caller(house.business), row["_id"])
        assert not selectors.has_due()
    assert BillSchedule.objects.get(pk=row["_id"]).next_on == today(house) + timedelta(days=14)
    assert code(house.post(f"/bill-schedules/{row['_id']}/resume", by="Ada")) == (409, "invalid_state")


def test_resumed_on_a_day_whose_bill_is_there_it_enters_no_second_one(house: House) -> None:
    row = create_schedule(house)
    enter()
    house.post(f"/bill-schedules/{row['_id']}/pause", by="Ada")
    resumed = house.post(f"/bill-schedules/{row['_id']}/resume", by="Ada")
    assert resumed.status_code == 200, resumed.json()
    assert not selectors.has_due()
    assert Bill.objects.filter(business=house.business).count() == 1


def test_after_its_last_bill_it_has_ended(house: House) -> None:
    row = create_schedule(house, count=1)
    enter()
    shown = house.get(f"/bill-schedules/{row['_id']}").json()
    assert (shown["status"], shown["next_dates"]) == ("ENDED", [])
    assert code(house.post(f"/bill-schedules/{row['_id']}/end", by="Ada")) == (409, "invalid_state")


def test_where_the_bill_is_refused_it_is_paused_and_says_why(house: House) -> None:
    row = create_schedule(house)
    body = {"bill_no": f"RENT-{today(house)}", "vendor_id": row["vendor_id"], "issued_at": "2026-01-05", "subtotal": 5,
            "tax_amount": 0}  # fmt: skip
    assert house.post("/bills", body, by="Ada").status_code == 201
    enter()
    shown = house.get(f"/bill-schedules/{row['_id']}").json()
    assert shown["status"] == "PAUSED"
    assert "already" in shown["trouble"]
    assert not selectors.has_due()


@pytest.mark.parametrize(
    "change",
    [
        {"starts_on": "2020-01-01"},
        {"interval": "WEEKLY", "day": 8},
        {"day": 32},
        {"interval": "DAILY"},
        {"line_items": []},
        {"line_items": [{"description": "Rent", "unit_price": 0}]},
        {"ends_on": "2019-01-01"},
        {"count": 0},
        {"starts_on": "2099-01-01"},
        {"line_items": [{"description": "Rent", "unit_price": 10**13, "qty": 10**8}]},
        {"team_id": "0192f0c0ffee000012345678"},
        {"vendor_id": "0192f0c0ffee000012345678"},
    ],
)
def test_what_is_no_schedule_is_refused(house: House, change: dict[str, Any]) -> None:
    answer = schedule(house, **change)
    assert code(answer) == (422, "validation_failed")
    assert not BillSchedule.objects.exists()


@pytest.mark.parametrize(("by", "status"), [("Apollo", 201), ("Ada", 201), ("Carla", 403), ("Rita", 403)])
def test_who_sets_one_up(house: House, by: str, status: int) -> None:
    assert schedule(house, by=by).status_code == status
