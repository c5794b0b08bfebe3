"""The inbox by urgency: cut-offs, then risk for much money, then what waits longer than usual; each row says why."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from dashboard.conversation.dismissals import dismiss
from dashboard.decisions.desk_items import desk_item_of
from dashboard.decisions.filters import Filters, InboxCursor
from dashboard.decisions.inbox import inbox_rows, reason_of
from dashboard.decisions.urgency import short_amount
from dashboard.decisions.usual import usual_of, write_usual_of
from dashboard.mirror.apply import upsert_expenses
from dashboard.mirror.models import Approval, Expense
from dashboard.pages.approvals.tables.inbox import inbox_page
from dashboard.pages.home.presenters.urgent import most_urgent
from tests.dashboard.pages.conftest import House


def lines(house: House, name: str = "Apollo", **filters: str) -> list[tuple[str, str]]:
    """The titles of what waits for somebody with the reasons of their places, in order."""
    page = inbox_page(house.actor(name), Filters(**filters), timezone.now())
    return [(row.title, row.reason) for row in page.rows]


def test_a_near_cut_off_comes_first_then_risk_for_much_money_then_what_waits_longest(house: House) -> None:
    now = timezone.now()
    house.expense(merchant="Fresh", transaction_date=now - timedelta(hours=5))
    house.expense(merchant="Old", transaction_date=now - timedelta(days=6, hours=1))
    house.expense(merchant="Late", transaction_date=now - timedelta(days=3))
    house.payment(title="Cut-off", due_at=now + timedelta(hours=2, minutes=30), risk=0)
    house.payment(title="Missed", due_at=now - timedelta(hours=3), risk=0)
    house.payment(title="Far", due_at=now + timedelta(days=30), risk=0, requested_at=now - timedelta(hours=1))
    house.expense(merchant="Risky", risk=80, amount_minor=123_456_700)
    assert lines(house) == [
        ("Missed", "Cut-off missed 3\xa0h ago"),
        ("Cut-off", "Cut-off in 2\xa0h"),
        ("Risky", "High risk, KES 1.2m"),
        # Nothing is usual yet where nobody has decided often enough.
        ("Old", "Waiting 6\xa0d"),
        ("Late", "Waiting 3\xa0d"),
        ("Fresh", "Waiting 5\xa0h"),
        ("Far", "Waiting 60\xa0min"),
    ]


def test_home_shows_the_first_of_the_same_order(house: House) -> None:
    now = timezone.now()
    for number in range(8):
        house.expense(merchant=f"Shop {number}", risk=number * 12, transaction_date=now - timedelta(days=number))
    page = inbox_page(house.actor("Apollo"), Filters(), now)
    assert [item.title for item in most_urgent(house.actor("Apollo"))] == [row.title for row in page.rows[:5]]


def test_age_counts_against_what_is_usual_for_the_team(house: House) -> None:
    now = timezone.now()
    for number in range(6):
        began = now - timedelta(days=20 + number)
        ended = (began + timedelta(hours=6)).isoformat()
        house.expense(status="APPROVED", transaction_date=began, payload={"reviewed_at": ended})
    quick = house.expense(merchant="Quick team", transaction_date=now - timedelta(hours=25))
    house.expense(merchant="Other team", team_id="other", transaction_date=now - timedelta(hours=30))
    assert [title for title, _ in lines(house)] == ["Other team", "Quick team"]
    write_usual_of(house.business, usual_of(house.business))
    assert Expense.objects.get(pk=quick.pk).usual_s == 6 * 3600
    assert lines(house) == [("Quick team", "Waiting 4× the usual"), ("Other team", "Waiting 30\xa0h")]


def test_a_team_that_usually_takes_as_long_as_is_guessed_of_others_is_known_all_the_same(house: House) -> None:
    now = timezone.now()
    for number in range(6):
        began = now - timedelta(days=20 + number)
        ended = (began + timedelta(days=2)).isoformat()
        house.expense(status="APPROVED", transaction_date=began, payload={"reviewed_at": ended})
    house.expense(merchant="Slow team", transaction_date=now - timedelta(days=4, hours=1))
    house.expense(merchant="New team", team_id="new", transaction_date=now - timedelta(days=4, minutes=5))
    write_usual_of(house.business, usual_of(house.business))
    assert dict(lines(house)) == {"Slow team": "Waiting 2× the usual", "New team": "Waiting 4\xa0d"}


def test_risk_weighs_by_the_amount_and_what_is_usual_in_its_currency(house: House) -> None:
    for _ in range(5):
        house.expense(status="APPROVED", amount_minor=100_000)
    house.expense(merchant="Small", risk=70, amount_minor=10_000)
    house.expense(merchant="Usual", risk=70, amount_minor=100_000)
    house.expense(merchant="Great", risk=40, amount_minor=900_000)
    write_usual_of(house.business, usual_of(house.business))
    found = lines(house)
    assert found[:2] == [("Great", "Medium risk, KES\xa09,000.00"), ("Usual", "High risk, KES\xa01,000.00")]
    assert found[2][0] == "Small"
    assert found[2][1].startswith("Waiting")


def test_other_tabs_and_other_orders_say_no_reason_and_ones_own_item_has_none(house: House) -> None:
    house.expense(merchant="Own lunch", employee_id=house.employee_id("Apollo"), risk=90)
    house.expense(merchant="Somebody's", risk=90)
    assert lines(house) == [("Somebody's", "Critical risk, KES\xa08,420.00")]
    assert lines(house, sort="newest") == [("Somebody's", "")]
    for name in ("Apollo", "Carla"):
        assert all(reason == "" for _, reason in lines(house, name, show="others"))
    answer = house.browser("Apollo").get(house.address("approvals/?show=others&sort=urgency"))
    assert answer.status_code == 400
    card_user = house.browser("Carla").get(house.address("approvals/"))
    assert "Critical risk" not in card_user.content.decode()


def test_a_dismissed_flag_leaves_the_line_the_order_and_the_filter_until_its_number_changes(house: House) -> None:
    row = house.expense(merchant="Dear", risk=80, payload={"risk_notes": "Far above the usual amount"})
    house.expense(merchant="Calm", risk=5, transaction_date=timezone.now() - timedelta(days=9))
    actor = house.actor("Apollo")
    assert [title for title, _ in lines(house)] == ["Dear", "Calm"]
    assert [title for title, _ in lines(house, risk="high")] == ["Dear"]
    flag = next(flag for flag in desk_item_of(actor, row).flags if flag.red)
    dismiss(actor, "expense", row, flag.key, "Agreed with the team")
    assert [title for title, _ in lines(house)] == ["Calm", "Dear"]
    assert lines(house, risk="high") == []
    page = inbox_page(actor, Filters(sort="risk"), timezone.now())
    assert [(line.title, line.risk) for line in page.rows] == [("Calm", "low 5"), ("Dear", "low 0")]


def test_a_dismissed_signal_of_a_payment_leaves_its_line_too(house: House) -> None:
    signals = [{"code": "payee_details_changed", "weight": 40}, {"code": "odd_time", "weight": 20}]
    row = house.payment(risk=60, signals=signals)
    actor = house.actor("Apollo")
    flag = next(flag for flag in desk_item_of(actor, row).flags if flag.red)
    dismiss(actor, "approval", row, flag.key, "Called the payee")
    assert Approval.objects.get(pk=row.pk).weighed_risk == 20
    assert inbox_page(actor, Filters(), timezone.now()).rows[0].risk == "low 20"


def test_another_number_in_the_copy_is_another_flag_and_counts_again(house: House) -> None:
    payload = {
        "_id": "f" * 24, "employee_id": "e1", "person": "Amina", "status": "PENDING", "amount": "100.00",
        "currency": "KES", "transaction_date": timezone.now().isoformat(), "risk": 80, "version": 1,
        "risk_notes": "Far above the usual amount",
    }  # fmt: skip
    upsert_expenses(house.business, [payload])
    row, actor = Expense.objects.get(business=house.business), house.actor("Apollo")
    flag = next(flag for flag in desk_item_of(actor, row).flags if flag.red)
    dismiss(actor, "expense", row, flag.key, "Agreed")
    assert Expense.objects.get(pk=row.pk).weighed_risk == 0
    upsert_expenses(house.business, [payload | {"risk_notes": "Twice in a day", "version": 2}])
    assert Expense.objects.get(pk=row.pk).dismissed_risk == 0


@pytest.mark.parametrize("sort", ["requester", "merchant"])
def test_rows_stand_in_groups_with_their_count_and_sums_over_all_pages(house: House, sort: str) -> None:
    for number in range(5):
        house.expense(merchant="Shell", employee_name="Amina", employee_id="a", amount_minor=1000 + number)
    house.expense(merchant="Shell", employee_name="Amina", employee_id="a", amount_minor=700, currency="USD")
    house.expense(merchant="Total", employee_name="Amina", employee_id="another-amina", amount_minor=100)
    house.payment(payee="Total", requested_by_name="Brian", amount_minor=5000)
    filters, actor, now = Filters(sort=sort), house.actor("Apollo"), timezone.now()
    heads, seen, cursor = [], [], None
    for _ in range(9):
        page = inbox_page(actor, replace(filters, cursor=cursor), now, limit=3)
        heads += [page.heads[row.key] for row in page.rows if row.key in page.heads]
        seen += [row.key for row in page.rows]
        if not page.next:
            break
        cursor = InboxCursor.read(page.next, filters.order)
    assert len(seen) == len(set(seen)) == 8
    begun = [(head.label, head.count, head.sums) for head in heads if not head.continued]
    dear = ["KES\xa050.10", "USD\xa07.00"]
    if sort == "requester":
        assert begun == [("Amina", 6, dear), ("Amina", 1, ["KES\xa01.00"]), ("Brian", 1, ["KES\xa050.00"])]
    else:
        assert begun == [("Shell", 6, dear), ("Total", 2, ["KES\xa051.00"])]
    assert any(head.continued for head in heads)


def test_a_whole_group_is_planned_with_the_rows_of_its_other_pages(house: House) -> None:
    for _ in range(60):
        house.expense(merchant="Shell", payload={"receipt_required": False})
    house.expense(merchant="Total")
    apollo = house.browser("Apollo")
    body = apollo.get(house.address("approvals/?show=mine&sort=merchant")).content.decode()
    box = re.search(r'<input type="checkbox" name="groups" value="([^"]+)" aria-label="([^"]+)">', body)
    assert box is not None
    assert box.groups() == ("Shell", "Select all 60 of Shell")
    form = {"verb": "approve", "groups": box[1], "list": "show=mine&sort=merchant", "key": "k" * 20}
    plan = apollo.post(house.address("approvals/plan/"), form).content.decode()
    assert "60 will be approved" in plan


def test_the_order_by_urgency_is_read_from_indexes_at_ten_thousand_waiting_rows(house: House) -> None:
    now = timezone.now()
    house.expense()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO mirror_expense (business_id, remote_id, payload, payload_hash, source, first_seen, last_seen,"
            " employee_id, employee_name, team_id, team_name, org_wallet_ref, status, transaction_date, amount_minor,"
            " currency, amount_text, merchant, notes, category_name, subcategory_id, transaction_ref, has_receipt, risk)"
            " SELECT business_id, 'many-' || n, payload, payload_hash, source, first_seen, last_seen, employee_id,"
            " employee_name, team_id, team_name, org_wallet_ref, status, transaction_date - n * interval '1 minute',"
            " amount_minor, currency, amount_text, merchant, notes, category_name, subcategory_id, transaction_ref,"
            " has_receipt, n %% 90 FROM mirror_expense, generate_series(1, 10000) n WHERE business_id = %s",
            [house.business.pk],
        )
        cursor.execute("ANALYZE mirror_expense")
    rows = inbox_rows(house.actor("Apollo"), Filters(), 50)
    assert len(rows) == 50
    assert [row.stake for row in rows] == sorted((row.stake or 0 for row in rows), reverse=True)
    assert reason_of(rows[0], now).startswith("Critical risk")
    waiting = Expense.objects.filter(business=house.business, status="PENDING", tombstoned_at=None)
    plan = waiting.filter(stake__isnull=True).order_by("decide_by", "id")[:50].explain()
    assert "exp_waiting_decide_by" in plan
    assert "Sort" not in plan


@pytest.mark.parametrize(
    ("amount", "short"),
    [
        ("KES 999,999.00", "KES 999,999.00"),
        ("KES 1,250,000.00", "KES 1.2m"),
        ("USD\xa012,940,000.55", "USD 12.9m"),
        ("", ""),
    ],
)
def test_a_million_is_said_in_short(amount: str, short: str) -> None:
    assert short_amount(amount) == short
