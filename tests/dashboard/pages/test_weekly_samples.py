"""The weekly sample: of what people approved and of what nobody had to, drawn once, checked by somebody else."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.audit.models import AuditEntry
from dashboard.decisions import weekly, weekly_checks
from dashboard.decisions.models import CountedApproval, Decision, DecisionState, WeeklyDraw, WeeklySample
from dashboard.mirror.models import Expense
from tests.dashboard.pages.conftest import House

FOUND = {"found": "in_order", "note": "The receipt is for the same dinner."}


@pytest.fixture
def drawn_house(house: House) -> House:
    """A business of which all is drawn, and whose last week began before now in any zone."""
    Business.objects.filter(pk=house.business.pk).update(sample_percent=100)
    house.business.refresh_from_db()
    return house


def in_last_week(house: House) -> Any:
    monday = weekly.last_week(house.business, timezone.now())
    return datetime.combine(monday, time(12), ZoneInfo(house.business.time_zone))


def approved(
    house: House, expense: Expense, by: str = "Rita", state: str = DecisionState.DONE, **given: Any
) -> Decision:
    at = in_last_week(house)
    values = {
        "operation": "approve_expense", "settled_at": at, "created_at": at, "object_type": "expense",
        "object_id": expense.remote_id,
    } | given  # fmt: skip
    return Decision.objects.create(
        business=house.business, membership=house.people[by], title=expense.merchant, fingerprint="", key=f"w-{expense.pk}-{by}", state=state, due_at=at, **values,
    )  # fmt: skip


def samples(house: House) -> list[WeeklySample]:
    return list(WeeklySample.objects.filter(draw__business=house.business).order_by("pk"))


def test_what_people_and_what_nobody_approved_is_drawn_and_nothing_else(drawn_house: House) -> None:
    house, at = drawn_house, in_last_week(drawn_house)
    by_rita = house.expense(status="APPROVED", payload={"reviewed_by": "rita"})
    approved(house, by_rita)
    approved(house, house.expense(), state=DecisionState.CANCELLED)
    approved(house, house.expense(), operation="reject_expense")
    approved(house, house.expense(), settled_at=at - timedelta(days=70))
    by_policy = house.request(kind="card_request", status="APPROVED", requested_at=at, payload={"decided_by": "policy"})
    house.request(kind="card_request", status="APPROVED", requested_at=at, payload={"decided_by": "apollo"})
    unvoted = house.request(
        kind="bill_payment",
        status="SUCCEEDED",
        requested_at=at,
        ref="BP-1",
        payload={"approval_status": "NOT_REQUIRED"},
    )
    house.request(
        kind="bill_payment", status="SUCCEEDED", requested_at=at, ref="BP-2", payload={"approval_status": "APPROVED"}
    )
    payout = house.request(kind="payout", status="COMPLETED", requested_at=at, ref="PO-1")
    voted = house.request(kind="payout", status="COMPLETED", requested_at=at, ref="PO-2")
    house.payment(ref=voted.ref, status="APPROVED")
    unreviewed = house.expense(status="APPROVED", transaction_date=at, payload={"reviewed_by": None})
    house.expense(status="APPROVED", transaction_date=at, payload={})
    assert weekly._draw(house.business) == 5
    rows = {(row.object_type, row.object_id): row for row in samples(house)}
    assert set(rows) == {
        ("expense", by_rita.remote_id), ("card_request", by_policy.remote_id), ("bill_payment", unvoted.remote_id),
        ("payout", payout.remote_id), ("expense", unreviewed.remote_id),
    }  # fmt: skip
    assert rows["expense", by_rita.remote_id].decision is not None
    assert rows["card_request", by_policy.remote_id].route == weekly.BY_POLICY
    assert rows["bill_payment", unvoted.remote_id].route == weekly.NO_VOTE
    assert rows["payout", payout.remote_id].route == weekly.UNKNOWN_VOTE
    assert rows["expense", unreviewed.remote_id].route == weekly.NO_REVIEWER
    draw = WeeklyDraw.objects.get(business=house.business)
    assert (draw.decided_count, draw.automatic_count) == (1, 4)
    line = AuditEntry.objects.get(chain=house.business.pk, operation=weekly.DRAWN)
    assert (line.after or {}) == {"approved by people": 1, "approved by nobody": 4, "drawn": 5}


def test_a_week_is_drawn_once_by_lot_and_never_more_than_somebody_can_check(house: House) -> None:
    for _ in range(60):
        approved(house, house.expense(status="APPROVED", payload={"reviewed_by": "rita"}))
    assert weekly._draw(house.business) == 3
    first = [row.object_id for row in samples(house)]
    assert weekly._draw(house.business) == 0
    WeeklyDraw.objects.filter(business=house.business).delete()
    weekly._draw(house.business)
    assert [row.object_id for row in samples(house)] == first
    WeeklyDraw.objects.filter(business=house.business).delete()
    Business.objects.filter(pk=house.business.pk).update(sample_percent=100)
    house.business.refresh_from_db()
    assert weekly._draw(house.business) == weekly.MOST_DRAWN


def test_somebody_else_checks_it_with_a_result_and_a_note(drawn_house: House) -> None:
    house = drawn_house
    approved(house, house.expense(status="APPROVED", payload={"reviewed_by": "zawadi"}), by="Zawadi")
    weekly._draw(house.business)
    (sample,) = samples(house)
    place = house.address(f"approvals/samples/weekly/{sample.pk}/check/")
    zawadi, apollo = house.browser("Zawadi"), house.browser("Apollo")
    assert (
        "You approved it: somebody else must check it."
        in zawadi.get(house.address("approvals/samples/weekly/")).content.decode()
    )
    assert zawadi.post(place, FOUND).status_code == 403
    assert apollo.post(place, {"found": "in_order"}).status_code == 422
    assert apollo.post(place, FOUND).status_code == 302
    sample.refresh_from_db()
    assert (sample.is_in_order, sample.note, sample.checked_by) == (True, FOUND["note"], house.people["Apollo"])
    assert house.browser("Ada").post(place, FOUND).status_code == 409
    line = AuditEntry.objects.get(chain=house.business.pk, operation=weekly_checks.CHECKED, outcome="NOTED")
    assert line.sentence.endswith("in order")
    assert (
        AuditEntry.objects.filter(chain=house.business.pk, operation=weekly_checks.CHECKED, outcome="DENIED").count()
        == 1
    )


def test_nobody_checks_their_own_item_or_one_that_they_do_not_see(drawn_house: House) -> None:
    house, at = drawn_house, in_last_week(drawn_house)
    house.expense(
        status="APPROVED", transaction_date=at, payload={"reviewed_by": None}, employee_id=house.employee_id("Apollo"),
        merchant="Secret Diner", team_id="sales",
    )  # fmt: skip
    weekly._draw(house.business)
    (sample,) = samples(house)
    place = house.address(f"approvals/samples/weekly/{sample.pk}/check/")
    assert house.browser("Apollo").post(place, FOUND).status_code == 403
    # A reviewer of another team neither reads its title nor checks it; a card user has no such page.
    page = house.browser("Rita").get(house.address("approvals/samples/weekly/")).content.decode()
    assert "Secret Diner" not in page
    assert house.browser("Rita").post(place, FOUND).status_code == 404
    assert house.browser("Carla").get(house.address("approvals/samples/weekly/")).status_code == 403
    assert weekly_checks.count_to_check(house.actor("Ada")) == 1
    assert weekly_checks.count_to_check(house.actor("Apollo")) == 0


def test_who_voted_before_the_last_one_and_who_requested_it_cannot_check_it(drawn_house: House) -> None:
    house, at = drawn_house, in_last_week(drawn_house)
    payment = house.payment(status="APPROVED", requested_by_id=house.employee_id("Selma"))
    for number, name in enumerate(("Apollo", "Zawadi")):
        approved(
            house, house.expense(), by=name, operation="approve_payment", is_vote=True, object_type="approval",
            object_id=payment.remote_id, settled_at=at + timedelta(minutes=number),
        )  # fmt: skip
    approved(
        house, house.expense(), by="Ada", operation="approve_payment", is_vote=True, object_type="approval",
        object_id=payment.remote_id, state=DecisionState.REFUSED,
    )  # fmt: skip
    weekly._draw(house.business)
    (sample,) = samples(house)
    assert sample.decision is not None
    assert sample.decision.membership == house.people["Zawadi"]
    place = house.address(f"approvals/samples/weekly/{sample.pk}/check/")
    for name in ("Apollo", "Zawadi", "Selma"):
        assert weekly_checks.count_to_check(house.actor(name)) == 0, name
        assert house.browser(name).post(place, FOUND).status_code == 403, name
    # Whose decision was not done has not approved it.
    assert house.browser("Ada").post(place, FOUND).status_code == 302


def a_week_later(monkeypatch: pytest.MonkeyPatch) -> None:
    later = timezone.now() + timedelta(days=7)
    monkeypatch.setattr(weekly.timezone, "now", lambda: later)


def test_what_settles_after_its_week_is_in_the_next_draw_and_nothing_is_counted_twice(
    drawn_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, at = drawn_house, in_last_week(drawn_house)
    spent = house.expense(status="PENDING", transaction_date=at, payload={"reviewed_by": None})
    paid = house.request(kind="payout", status="PENDING", requested_at=at, ref="PO-9")
    before = house.expense(status="APPROVED", transaction_date=at, payload={"reviewed_by": None})
    decided = house.expense(status="APPROVED", payload={"reviewed_by": "rita"})
    approved(house, decided)
    assert weekly._draw(house.business) == 2
    Expense.objects.filter(pk=spent.pk).update(status="APPROVED")
    type(paid).objects.filter(pk=paid.pk).update(status="COMPLETED")
    a_week_later(monkeypatch)
    assert weekly._draw(house.business) == 2
    drawn = [row.object_id for row in samples(house)]
    assert set(drawn[2:]) == {spent.remote_id, paid.remote_id}
    assert sorted(drawn) == sorted(row.remote_id for row in (spent, paid, before, decided))
    newest = WeeklyDraw.objects.filter(business=house.business).latest("monday")
    assert (newest.decided_count, newest.automatic_count) == (0, 2)


def test_what_is_approved_again_is_counted_again(drawn_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house, at = drawn_house, in_last_week(drawn_house)
    expense = house.expense(status="APPROVED", payload={"reviewed_by": "rita"})
    approved(house, expense)
    assert weekly._draw(house.business) == 1
    approved(house, expense, by="Ada", settled_at=at + timedelta(days=7))
    a_week_later(monkeypatch)
    assert weekly._draw(house.business) == 1
    newest = samples(house)[-1]
    assert newest.decision is not None
    assert newest.decision.membership == house.people["Ada"]


def test_what_was_counted_is_forgotten_once_no_draw_can_reach_it(house: House) -> None:
    approved(house, house.expense(status="APPROVED", payload={"reviewed_by": "rita"}))
    weekly._draw(house.business)
    rows = CountedApproval.objects.filter(business=house.business)
    rows.update(until=timezone.now() - timedelta(days=90))
    WeeklyDraw.objects.filter(business=house.business).update(monday=timezone.now() - timedelta(days=90))
    approved(house, house.expense(status="APPROVED", payload={"reviewed_by": "rita"}))
    weekly._draw(house.business)
    assert all(row.until > timezone.now() - weekly.LOOKBACK for row in rows.all())


def test_home_and_the_page_ask_the_same_however_many_were_drawn(drawn_house: House) -> None:
    house = drawn_house
    page = house.address("approvals/samples/weekly/")

    def query_counts() -> tuple[int, int]:
        ada, browser = house.actor("Ada"), house.browser("Ada")
        browser.get(page)
        with CaptureQueriesContext(connection) as home:
            weekly_checks.count_to_check(ada)
        with CaptureQueriesContext(connection) as shown:
            assert browser.get(page).status_code == 200
        return len(home), len(shown)

    approved(house, house.expense(status="APPROVED", payload={"reviewed_by": "rita"}))
    weekly._draw(house.business)
    few = query_counts()
    WeeklyDraw.objects.filter(business=house.business).delete()
    for _ in range(12):
        approved(house, house.expense(status="APPROVED", payload={"reviewed_by": "rita"}))
    assert weekly._draw(house.business) == 13
    assert query_counts() == few
    assert weekly_checks.count_to_check(house.actor("Ada")) == 13


def test_the_page_says_what_a_draw_counts(drawn_house: House) -> None:
    house = drawn_house
    approved(house, house.expense(status="APPROVED", payload={"reviewed_by": "rita"}))
    weekly._draw(house.business)
    page = house.browser("Ada").get(house.address("approvals/samples/weekly/")).content.decode()
    assert "in the 60 days before the week&#x27;s end" in page or "in the 60 days before the week's end" in page
    assert "counted 1 item that people approved through this dashboard and 0 approved by nobody" in page
