"""Cashflow, money movement and fees: what the service says, as a chart and as a table; each fails by itself."""

import html
import itertools
import json
import re
from decimal import Decimal

import pytest

from dashboard.web.charts import balance_chart, rate_chart
from tests.dashboard.conftest import World
from tests.dashboard.markup import markup_of


def page_of(world: World, person: str, path: str) -> str:
    return markup_of(world.client(person).get(world.address(f"treasury/{path}")))


def test_a_month_opens_with_what_the_last_one_closed_with(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=1234.5)
    docs = world.upstream("/accounts/cashflow-report")["docs"]
    page = page_of(world, "Ada", "cashflow/")
    for report in docs:
        assert f"{report['closing']:,.2f}" in page
        months = report["months"]
        assert all(before["closing"] == after["opening"] for before, after in itertools.pairwise(months))
    table = page[page.index('aria-label="Cashflow in KES"') :]
    rows = re.findall(r"<tr><td>(?:\w{3} \d{4})</td>(.*?)</tr>", table[: table.index("</table>")])
    cells = [re.findall(r">([\d,.−-]+)<", row) for row in rows]
    assert len(cells) == 12
    assert all(before[3] == after[0] for before, after in itertools.pairwise(cells))


def test_one_wallet_and_days_are_asked_for_as_they_are_chosen(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    page_of(proxied_world, "Sam", "cashflow/?wallet=1&first=2026-01-05&last=2026-03-01")
    request = str(proxied_world.proxy.sent()[-1])
    assert "accountref=1" in request
    assert "from=2026-01-05" in request
    before = len(proxied_world.proxy.sent())
    assert "not one of the available choices" in page_of(proxied_world, "Sam", "cashflow/?wallet=no-such")
    assert len(proxied_world.proxy.sent()) == before


def test_movement_shows_sources_spends_and_fees(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=1234.5)
    world.sandbox("expenses", count=3)
    docs = world.upstream("/transactions/money-movement")["docs"]
    page = page_of(world, "Apollo", "movement/")
    for movement in docs:
        assert f"{movement['money_in']:,.2f}" in page
        for top in movement["top_sources"] + movement["top_spends"]:
            assert f"{top['amount']:,.2f}" in page
    at_home = world.client("Apollo").get(world.address("home/movement/")).content.decode()
    assert all(f"{month['money_in']:,.2f}" in at_home for movement in docs for month in movement["trend"])
    assert any(movement["top_sources"] for movement in docs)
    for fee in world.upstream("/transactions/fees")["docs"]:
        assert f"{fee['amount']:,.2f}" in page


def test_a_service_that_is_away_is_told_with_a_way_on(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("reset")
    for path in ("cashflow/", "movement/"):
        page = page_of(proxied_world, "Ada", path)
        assert 'role="alert"' in page
        assert "Try again" in page


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        ("treasury/cashflow/?first=2026-05-02&last=2026-05-01", "last"),
        ("treasury/movement/?first=yesterday", "first"),
        ("treasury/fx/?source=KES&target=USD&amount=plenty", "amount"),
    ],
)
def test_what_is_not_understood_says_so_at_its_field_and_has_the_focus(world: World, path: str, wrong: str) -> None:
    answer = world.client("Apollo").get(world.address(path))
    assert answer.status_code == 400
    page = markup_of(answer)
    assert re.findall(r'<[^>]*name="(\w+)"[^>]* autofocus', page) == [wrong]
    for name in re.findall(rf'name="{wrong}"[^>]*aria-describedby="([^"]*)"', page)[0].split():
        assert f'id="{name}"' in page


def test_a_reviewer_and_a_card_user_have_no_reports(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    before = len(proxied_world.proxy.sent())
    for person in ("Rita", "Carla"):
        for path in ("cashflow/", "movement/"):
            assert proxied_world.client(person).get(proxied_world.address(f"treasury/{path}")).status_code == 403
    assert len(proxied_world.proxy.sent()) == before


def test_a_chart_is_handed_the_whole_minor_units_and_the_words_of_its_table(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=1234.5)
    [report] = [row for row in world.upstream("/accounts/cashflow-report")["docs"] if row["currency"] == "KES"]
    page = world.client("Ada").get(world.address("treasury/cashflow/")).content.decode()
    found = re.search(r'<div hidden id="flows-KES">(.*?)</div>', page)
    assert found is not None
    chart = json.loads(html.unescape(found[1]))
    came_in, went_out = chart["series"]
    assert (chart["unit"], chart["digits"]) == ("KES", 2)
    assert came_in["values"] == [round(month["money_in"] * 100) for month in report["months"]]
    assert went_out["values"] == [round(month["money_out"] * 100) for month in report["months"]]
    assert came_in["texts"] == [f"KES\xa0{month['money_in']:,.2f}" for month in report["months"]]
    assert len(chart["labels"]) == len(report["months"])


def test_a_line_needs_two_values_and_says_whether_it_crosses_zero() -> None:
    assert balance_chart("Balance", ["Oct"], [5], "JPY", "en_KE") is None
    crossing = balance_chart("Balance", ["Oct", "Nov"], [-5, 1200], "JPY", "de_DE")
    assert crossing is not None
    assert (crossing["crosses_zero"], crossing["digits"], crossing["group"]) == (True, 0, ".")
    assert crossing["series"][0]["texts"] == ["-5\xa0JPY", "1.200\xa0JPY"]
    rates = rate_chart(["1 Oct", "2 Oct"], [Decimal("129.5012"), Decimal("0.007721868")], "KES", "en_KE", str)
    assert rates is not None
    assert rates["series"][0]["values"] == [129_501_200_000, 7_721_868]
    assert not rates["crosses_zero"]
