"""Payments due: of the next seven days and overdue, per currency, for finance alone, each once."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin
from dashboard.mirror.schedule import today
from dashboard.pages.home.presenters.due import MOST_PAYMENTS, due_of
from dashboard.pages.home.presenters.issues import issues_of
from tests.dashboard.pages.conftest import House

HTMX = {"HX-Request": "true"}


def hours(many: float) -> Any:
    return timezone.now() + timedelta(hours=many)


def bill(house: House, **given: Any) -> Any:
    values = {"kind": "bill_payment", "voted": True, "status": "SCHEDULED", "payee": "Simba Tyres", "holder_id": ""}
    return house.request(**values | {"team_id": "", "requested_by_id": "brian"} | given)


def test_what_is_due_within_a_week_is_summed_per_currency(house: House, new_house: Callable[..., House]) -> None:
    house.payment(title="Rent", amount_minor=100_000, due_at=hours(30))
    house.payment(title="Late", amount_minor=50_000, due_at=hours(-30))
    house.payment(title="Dollars", amount_minor=2_500, currency="USD", due_at=hours(50))
    house.payment(title="Far away", amount_minor=7_000, due_at=hours(24 * 8))
    house.payment(title="Paid", amount_minor=7_000, status="APPROVED", due_at=hours(5))
    house.payment(title="Rule", kind="POLICY", amount_minor=7_000, due_at=hours(5))
    new_house().payment(title="Next door", amount_minor=7_000, due_at=hours(5))
    due = due_of(house.actor("Ada"))
    assert (due.count, due.late) == (3, 1)
    assert [amount.replace("\xa0", " ") for amount in due.sums] == ["KES 1,500.00", "USD 25.00"]
    assert [payment.title.split(" to ")[0] for payment in due.next] == ["Late", "Rent", "Dollars"]
    assert [payment.urgency for payment in due.next] == ["late", "", ""]
    assert due.undated == 0


def test_bills_without_a_payment_are_counted_beside_the_payments_and_late_ones_are_an_issue(house: House) -> None:
    row = {
        "currency": "KES", "vendor_id": "v1", "vendor_name": "Acme", "total_minor": 500_00, "balance_minor": 500_00,
        "issued_at": "2020-01-01", "status": "OPEN", "version": 1,
    }  # fmt: skip
    days = {"late": timedelta(days=-3), "soon": timedelta(days=3), "far": timedelta(days=30)}
    now = today(house.business)
    rows = [row | {"_id": name, "bill_no": name, "due_at": (now + days[name]).isoformat()} for name in days]
    upsert("bill", house.business, rows, Origin.POLL)
    due = due_of(house.actor("Ada"))
    assert (due.count, due.bills, due.bills_late) == (0, 2, 1)
    assert [amount.replace("\xa0", " ") for amount in due.bill_sums] == ["KES 1,000.00"]
    shown = house.browser("Ada").get(house.address("home/due/"), headers=HTMX).content.decode()
    assert "2 bills without a payment" in shown
    assert "Nothing due" not in shown
    [issue] = [issue for issue in issues_of(house.actor("Ada")) if issue.link == "Overdue bills"]
    assert issue.sentence.replace("\xa0", " ") == "1 bill is overdue without a payment: KES 500.00."
    assert issue.href == house.address("bills/?show=OVERDUE")
    assert not [issue for issue in issues_of(house.actor("Carla")) if issue.link == "Overdue bills"]


def test_a_bill_payment_on_its_way_is_listed_once_and_leads_to_its_request(house: House) -> None:
    waiting = house.payment(kind="BILL_PAYMENT", ref="BP-1", title="Bill 1", due_at=hours(20))
    bill(house, ref="BP-1", title="Bill 1", status="PENDING_APPROVAL", due_at=hours(20))
    voted = house.payment(kind="BILL_PAYMENT", ref="BP-2", title="Bill 2", status="APPROVED", due_at=hours(30))
    bill(house, ref="BP-2", title="Bill 2", amount_minor=40_000, due_at=hours(30))
    bill(house, ref="BP-3", title="Bill 3", due_at=hours(40))
    bill(house, ref="BP-4", status="SUCCEEDED", due_at=hours(40))
    house.request(kind="hand_transaction", due_at=hours(10))
    due = due_of(house.actor("Apollo"))
    assert due.count == 3
    assert [payment.title for payment in due.next] == [f"Bill {number} to Simba Tyres" for number in (1, 2, 3)]
    address = house.address("approvals/payment/")
    assert [payment.href for payment in due.next] == [
        f"{address}{waiting.remote_id}/",
        f"{address}{voted.remote_id}/",
        "",
    ]
    assert due.next[1].about.startswith("Bill payment BP-2, scheduled, due ")


def test_a_payout_of_a_later_day_is_due_once_its_votes_are_there(house: House) -> None:
    voted = house.payment(kind="BULK_PAYOUT", ref="PO-1", status="APPROVED", due_at=hours(30))
    then = {"payload": {"scheduled_for": hours(30).isoformat(), "item_count": 5}}
    bill(house, kind="payout", ref="PO-1", title="Drivers", status="APPROVED", due_at=hours(30), **then)
    house.payment(kind="BULK_PAYOUT", ref="PO-2", title="Salaries", due_at=hours(60))
    bill(house, kind="payout", ref="PO-2", status="PENDING_APPROVAL", due_at=hours(60))
    due = due_of(house.actor("Ada"))
    assert due.count == 2
    assert due.next[0].about.startswith("Payout PO-1 of 5 payments, approved, scheduled for ")
    assert due.next[1].about.startswith("Payout PO-2, awaiting approval, due ")
    assert due.next[0].href == f"{house.address('approvals/payment/')}{voted.remote_id}/"


def test_an_approved_bill_is_due_and_what_has_no_day_is_counted_apart(house: House) -> None:
    bill(house, ref="BP-1", status="APPROVED", due_at=hours(24 * 30))
    bill(house, ref="BP-2", status="APPROVED")
    bill(house, ref="BP-3", status="DRAFT")
    bill(house, ref="BP-4", status="PROCESSING")
    due = due_of(house.actor("Ada"))
    assert (due.count, due.late, due.undated) == (1, 0, 1)
    assert [payment.left for payment in due.next] == ["due today", "no date set"]
    assert due.next[0].about.endswith("and paid immediately")


def test_it_is_shown_to_finance_alone(house: House) -> None:
    house.payment(title="Rent for November", due_at=hours(30))
    for name in ("Apollo", "Ada", "Sam"):
        assert "Payments due" in house.browser(name).get(house.address()).content.decode()
        widget = house.browser(name).get(house.address("home/due/"), headers=HTMX).content.decode()
        assert "Rent for November" in widget
        assert "due within 7 days" in widget
    for name in ("Carla", "Rita"):
        assert "Payments due" not in house.browser(name).get(house.address()).content.decode()
        assert house.browser(name).get(house.address("home/due/"), headers=HTMX).status_code == 403


def test_nothing_due_is_stated(house: House) -> None:
    widget = house.browser("Ada").get(house.address("home/due/"), headers=HTMX).content.decode()
    assert "Nothing due" in widget


def test_many_payments_are_as_many_queries_as_few(
    house: House, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(9):
        house.payment(due_at=hours(number + 1))
        bill(house, due_at=hours(number + 1))
    actor = house.actor("Ada")
    with django_assert_max_num_queries(7):
        due = due_of(actor)
    assert due.count == 18
    assert len(due.next) == MOST_PAYMENTS
