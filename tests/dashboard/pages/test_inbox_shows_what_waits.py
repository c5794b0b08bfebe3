"""The inbox: one list of expenses and payment requests, scoped, merged, paged by key, within its queries."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.mirror.models import SyncCursor
from dashboard.times import as_of
from tests.dashboard.markup import markup_of
from tests.dashboard.pages.conftest import House


def test_an_approver_sees_expenses_and_payments_in_one_list(house: House) -> None:
    now = timezone.now()
    house.expense(merchant="Oldest", transaction_date=now - timedelta(days=3))
    house.payment(title="Middle", requested_at=now - timedelta(days=2))
    house.expense(merchant="Newest", transaction_date=now - timedelta(days=1))
    body = house.browser("Apollo").get(house.address("approvals/?sort=newest")).content.decode()
    at = [body.index(f">{title}<") for title in ("Newest", "Middle", "Oldest")]
    assert at == sorted(at)
    assert "KES\xa08,420.00" in body
    assert "high 70" in body


def test_ones_own_expense_waits_for_others(house: House) -> None:
    own = house.expense(merchant="Own lunch", employee_id=house.employee_id("Apollo"))
    browser = house.browser("Apollo")
    assert "Own lunch" not in browser.get(house.address("approvals/")).content.decode()
    assert "Own lunch" in browser.get(house.address("approvals/?show=others")).content.decode()
    pane = browser.get(house.address(f"approvals/expense/{own.remote_id}/")).content.decode()
    assert "This is your own item: somebody else must decide on it." in pane
    assert "/approve/" not in pane


def test_a_reviewer_sees_the_teams_reviewed_now_and_no_payment(house: House) -> None:
    house.expense(merchant="Of Fleet")
    other = house.expense(merchant="Of Sales", team_id="sales")
    payment = house.payment(title="Salaries")
    browser = house.browser("Rita")
    body = browser.get(house.address("approvals/")).content.decode()
    assert "Of Fleet" in body
    assert "Of Sales" not in body
    assert "Salaries" not in body
    assert browser.get(house.address(f"approvals/expense/{other.remote_id}/")).status_code == 404
    assert browser.get(house.address(f"approvals/payment/{payment.remote_id}/")).status_code in {403, 404}


def test_for_a_read_only_reviewer_everything_waits_for_others(house: House) -> None:
    expense = house.expense(merchant="Of Fleet")
    browser = house.browser("Rex")
    assert "Of Fleet" not in browser.get(house.address("approvals/")).content.decode()
    assert "Of Fleet" in browser.get(house.address("approvals/?show=others")).content.decode()
    pane = browser.get(house.address(f"approvals/expense/{expense.remote_id}/")).content.decode()
    assert "read-only" in pane


def test_a_super_admin_reads_and_decides_nothing(house: House) -> None:
    house.expense(merchant="Fuel")
    body = house.browser("Sam").get(house.address("approvals/")).content.decode()
    assert "Waiting for others" in body
    assert "Fuel" in body


def test_a_card_user_has_no_inbox(house: House) -> None:
    answer = house.browser("Carla").get(house.address("approvals/"))
    assert answer.status_code == 403
    assert "your role here is Card user" in answer.content.decode()


def test_pages_follow_each_other_without_a_gap_or_a_repeat(house: House) -> None:
    now = timezone.now()
    moments = [now - timedelta(minutes=number // 3) for number in range(120)]
    for number, moment in enumerate(moments):
        if number % 4:
            house.expense(merchant=f"row {number:03}", transaction_date=moment)
        else:
            house.payment(title=f"row {number:03}", requested_at=moment)
    browser, seen, query = house.browser("Apollo"), [], ""
    for _ in range(5):
        body = browser.get(house.address(f"approvals/{query}")).content.decode()
        seen += [part[:3] for part in body.split(">row ")[1:]]
        if "after=" not in body:
            break
        query = "?show=mine&after=" + body.split("after=")[1].split('"')[0]
    assert len(seen) == len(set(seen)) == 120


@pytest.mark.parametrize(
    ("query", "shown", "hidden"),
    [
        ("kind=payment", "Tyres", "Shell"),
        ("kind=expense", "Shell", "Tyres"),
        ("risk=high", "Tyres", "Shell"),
        ("q=she", "Shell", "Tyres"),
        ("q=486,500.00", "Tyres", "Shell"),
        ("team=fleet", "Shell", "Tyres"),
        ("currency=KES", "Shell", "nothing-at-all"),
    ],
)
def test_the_address_filters(house: House, query: str, shown: str, hidden: str) -> None:
    house.expense()
    house.payment()
    body = house.browser("Apollo").get(house.address(f"approvals/?{query}")).content.decode()
    rows = body.split("<tbody")[1].split("</tbody")[0]
    assert shown in rows
    assert hidden not in rows


@pytest.mark.parametrize(
    "query",
    ["show=x", "risk=purple", "currency=kes", "q=" + "x" * 200, "kind=%07", "q=a%07b", "team=a%0ab", "after=!!"],
)
def test_a_filter_that_makes_no_sense_is_told_beside_the_filters(house: House, query: str) -> None:
    house.expense()
    answer = house.browser("Apollo").get(house.address(f"approvals/?{query}"))
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()


@pytest.mark.parametrize("query", ["q=%26%7C%21%3A*", "q='--", "q=%3Cscript%3E", "q=1e9", "q=١٢"])
def test_a_strange_search_finds_nothing_and_breaks_nothing(house: House, query: str) -> None:
    answer = house.browser("Apollo").get(house.address(f"approvals/?{query}"))
    assert answer.status_code == 200
    assert "<script>" not in answer.content.decode().replace('<script src="', "")


def test_a_row_is_escaped(house: House) -> None:
    house.expense(merchant='<b onclick="x">{Evil}</b>')
    body = house.browser("Apollo").get(house.address("approvals/")).content.decode()
    assert "&lt;b onclick=&#34;x&#34;&gt;{Evil}&lt;/b&gt;" in body
    assert "<b onclick" not in body


def test_the_page_costs_at_most_six_queries_however_many_rows(house: House) -> None:
    for _ in range(60):
        house.expense()
    browser = house.browser("Apollo")
    browser.get(house.address("approvals/"))
    with CaptureQueriesContext(connection) as queries:
        assert browser.get(house.address("approvals/")).status_code == 200
    assert len(queries) <= 6, [query["sql"] for query in queries]


def test_the_pulse_costs_no_query_but_the_session_and_only_who_has_entered_may_feel_it(house: House) -> None:
    browser = house.browser("Apollo")
    address = f"/-/pulse/{house.business.slug}/"
    assert browser.get(address).status_code == 404
    browser.get(house.address("approvals/"))
    cache.set(f"inbox:{house.business.pk}", 7)
    with CaptureQueriesContext(connection) as queries:
        assert browser.get(address).json() == {"pulse": 7}
    assert ["django_session" in query["sql"] for query in queries] == [True]
    assert house.browser("Zawadi").get(address).status_code == 404


def test_news_counts_what_came_in_since(house: House) -> None:
    house.expense(merchant="Before")
    since = timezone.now()
    house.expense(merchant="After")
    browser = house.browser("Apollo")
    address = house.address("approvals/news/")
    assert browser.get(address, {"since": since.isoformat()}).json() == {"count": 1}
    assert browser.get(address, {"since": "yesterday"}).status_code == 400


def test_totals_are_a_fragment_of_their_own(house: House) -> None:
    house.expense(amount_minor=100_000)
    house.payment(amount_minor=250_000)
    house.expense(employee_id=house.employee_id("Apollo"))
    body = house.browser("Apollo").get(house.address("approvals/totals/"), headers={"HX-Request": "true"})
    text = markup_of(body)
    assert "2 wait for you" in text
    assert "KES\xa03,500.00" in text
    assert 'id="count-others" hx-swap-oob="true">1<' in text
    assert "<html" not in text


def test_how_fresh_the_copy_is_is_told_and_that_the_service_does_not_answer(house: House) -> None:
    house.expense()
    now, browser = timezone.now(), house.browser("Apollo")
    cursor = SyncCursor.objects.get(business=house.business)
    cursor.as_of = now
    cursor.save()
    fragment = {"HX-Request": "true"}
    text = markup_of(browser.get(house.address("approvals/totals/"), headers=fragment))
    assert as_of(now, house.business) in text
    assert "is not answering" not in text
    cursor.failing_since = now
    cursor.save()
    for headers in (fragment, {}):
        text = markup_of(browser.get(house.address("approvals/totals/"), headers=headers))
        assert "The finance service is not answering. This is a saved copy" in text


def test_an_address_that_asks_for_what_is_not_there_shows_and_counts_nothing(house: House) -> None:
    house.expense()
    answer = house.browser("Apollo").get(house.address("approvals/?show=mine&kind=nonsense"))
    body = answer.content.decode()
    assert answer.status_code == 400
    assert "“nonsense” is not a valid choice." in body
    assert "No results" in body
    assert "Nothing waits for you" not in body
    assert "approvals/totals/" not in body
