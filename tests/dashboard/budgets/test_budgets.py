"""Budgets: committed beside spent, what is left, the forecast, who is over; added and changed; told of at a threshold."""

from __future__ import annotations

import html
import re
from datetime import date
from typing import Any

import pytest

from dashboard.mirror.models import Origin
from dashboard.mirror.webhook_inbox import apply_event
from dashboard.notifications.models import Notice
from dashboard.pages.budgets.presenters import forecast_minor, standing_of
from dashboard.schemas.budgets import Budget
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World

NEW = {
    "name": "Office",
    "team": "",
    "category": "",
    "currency": "kes",
    "amount": "1,000",
    "period": "MONTH",
    "alerts": "100, 80",
}


def page(answer: Any) -> str:
    text = html.unescape(re.sub(r"<[^>]*>", " ", answer.content.decode()))
    return re.sub(r"\s+", " ", text)


def add(world: World, who: str = "Ada", **more: str) -> Any:
    return world.client(who).post(world.address("budgets/new/"), NEW | more)


def all_of(world: World) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = world.upstream("/bills/budgets", limit=200)["docs"]
    return rows


def budget(**more: Any) -> Budget:
    usual = {
        "_id": "b", "currency": "KES", "amount_minor": 30_000, "period_start": "2026-11-01", "period_end": "2026-11-30",
        "alert_percents": [80, 100],
    }  # fmt: skip
    return Budget.model_validate({**usual, **more})


def test_one_that_is_added_is_shown_with_what_is_committed_and_left(world: World) -> None:
    assert "No budgets yet" in page(world.client("Ada").get(world.address("budgets/")))
    team = world.upstream("/teams")["docs"][0]
    assert add(world, team=team["_id"]).status_code == 302
    [made] = all_of(world)
    assert (made["amount_minor"], made["team_id"], made["alert_percents"]) == (100_000, team["_id"], [80, 100])
    upstream.bill(world, upstream.vendor(world, "Paper Ltd"), amount=1300, budget_id=made["_id"])
    shown = page(world.client("Rita").get(world.address("budgets/")))
    for words in ("Office", team["name"], "KES 1,300.00", "-KES 300.00", "Over budget", "130 %", "1 over budget"):
        assert words in shown, words
    assert "New budget" not in shown
    item = page(world.client("Ada").get(world.address(f"budgets/{made['_id']}/")))
    assert "KES 300.00 over" in item
    assert "80 %, 100 %" in item


def test_they_are_filtered_by_team_category_period_and_standing(world: World) -> None:
    teams = world.upstream("/teams")["docs"]
    category = world.upstream("/categories")["docs"][0]
    add(world, name="Of the team", team=teams[0]["_id"])
    add(world, name="Of the category", category=category["_id"], period="YEAR")
    ada = world.client("Ada")

    def names(query: str) -> set[str]:
        text = page(ada.get(world.address(f"budgets/?{query}")))
        return {name for name in ("Of the team", "Of the category") if name in text}

    assert names("") == {"Of the team", "Of the category"}
    assert names(f"team={teams[0]['_id']}") == {"Of the team"}
    assert names(f"category={category['_id']}") == {"Of the category"}
    assert names("period=YEAR") == {"Of the category"}
    assert names("standing=OVER") == set()
    assert ada.get(world.address("budgets/?team=nobody")).status_code == 400
    assert names("team=nobody") == set()


def test_a_budget_says_which_parts_of_split_bills_it_counts(world: World) -> None:
    team, category = world.upstream("/teams")["docs"][0]["_id"], world.upstream("/categories")["docs"][0]["_id"]
    add(world, name="Of both", team=team, category=category)
    add(world, name="Of the category", category=category)
    add(world, name="Of the team", team=team)

    def sentence(name: str) -> str:
        made = next(row for row in all_of(world) if row["name"] == name)
        shown = page(world.client("Ada").get(world.address(f"budgets/{made['_id']}/")))
        return shown[shown.index("It counts") :].split(". ")[0]

    others = "shares of other teams are not counted"
    split = "what of other bills' lines of its category is split to its team"
    assert sentence("Of both").endswith(f"of its team the lines of its category, and {split}; {others}")
    assert sentence("Of the category").endswith("of other bills the lines of its category")
    assert sentence("Of the team").endswith(f"the lines that are split to its team; {others}")


def test_one_is_changed_and_its_use_ended(world: World) -> None:
    add(world)
    [made] = all_of(world)
    address = world.address(f"budgets/{made['_id']}/edit/")
    changed = {"name": "Offices", "period": "QUARTER", "amount": "2,500.50", "alerts": ""}
    assert world.client("Ada").post(address, changed | {"active": "on"}).status_code == 302
    [now] = all_of(world)
    assert (now["name"], now["period"], now["amount_minor"], now["alert_percents"]) == (
        "Offices",
        "QUARTER",
        250_050,
        [],
    )
    assert world.client("Ada").post(address, changed).status_code == 302
    assert all_of(world) == []
    assert "Offices" not in page(world.client("Ada").get(world.address("budgets/")))
    assert "Offices" in page(world.client("Ada").get(world.address("budgets/?ended=1")))


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("name", "\u200b"), ("amount", "0"), ("amount", "1.001"), ("amount", "1e3"), ("currency", "K1S"), ("currency", "XXX"),
        ("period", "DAY"), ("alerts", "80.5"), ("alerts", "0"), ("alerts", "1001"), ("alerts", "1 2 3 4 5 6"),
        ("alerts", "٨٠"), ("team", "nobody"), ("category", "nothing"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_at_its_field(world: World, field: str, typed: str) -> None:
    answer = add(world, **{field: typed})
    assert answer.status_code == 422
    assert f'id="id_{field}_error"' in answer.content.decode()
    assert all_of(world) == []


def test_a_name_that_is_taken_is_said_and_what_was_typed_stays(world: World) -> None:
    add(world)
    answer = add(world, amount="77")
    assert answer.status_code == 409
    assert "77" in answer.content.decode()
    assert len(all_of(world)) == 1


def test_who_may_see_and_who_may_change(world: World) -> None:
    add(world)
    [made] = all_of(world)
    assert world.client("Carla").get(world.address("budgets/")).status_code == 403
    for who in ("Carla", "Rita", "Apollo"):
        assert add(world, who, name=who).status_code == 403
        edit = world.address(f"budgets/{made['_id']}/edit/")
        assert world.client(who).post(edit, {"name": "X"}).status_code == 403
    assert "Save changes" not in page(world.client("Apollo").get(world.address(f"budgets/{made['_id']}/")))
    assert [row["name"] for row in all_of(world)] == ["Office"]


def test_an_outage_is_said_and_no_figure_is_shown(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("500", path="/v2/bills/budgets")
    shown = page(proxied_world.client("Ada").get(proxied_world.address("budgets/")))
    assert "Try again" in shown
    assert "No budgets yet" not in shown


@pytest.mark.parametrize(
    ("day", "figures", "forecast"),
    [
        (date(2026, 11, 10), {"spent_minor": 10_000}, 30_000),
        (date(2026, 11, 15), {"spent_minor": 1, "committed_minor": 500}, 502),
        (date(2026, 11, 15), {"spent_minor": 5_000, "committed_minor": 6_000}, 16_000),
        (date(2026, 11, 7), {"spent_minor": 5}, 21),
        (date(2026, 11, 30), {"spent_minor": 9_999, "committed_minor": 1}, 10_000),
        (date(2026, 12, 1), {"spent_minor": 7}, 7),
    ],
)
def test_the_forecast_carries_what_was_spent_a_day_to_the_end_and_adds_what_is_committed(
    day: date, figures: dict[str, int], forecast: int
) -> None:
    assert forecast_minor(budget(**figures), day) == forecast


@pytest.mark.parametrize(
    ("figures", "standing"),
    [
        ({"spent_minor": 30_001}, "OVER"), ({"spent_minor": 20_000, "committed_minor": 10_001}, "OVER"),
        ({"spent_minor": 30_000}, "NEAR"), ({"committed_minor": 24_000}, "NEAR"), ({"committed_minor": 23_999}, "FINE"),
        ({"spent_minor": 30_001, "active": False}, "ENDED"),
    ],
)  # fmt: skip
def test_how_a_budget_stands(figures: dict[str, Any], standing: str) -> None:
    assert standing_of(budget(**figures), date(2026, 11, 30)) == standing
    assert standing_of(budget(spent_minor=10_100), date(2026, 11, 10)) == "FORECAST"


def test_a_threshold_is_told_to_finance_and_the_teams_reviewers_once(world: World) -> None:
    rita = world.employee("Rita")["employee_id"]
    team = next(
        row for row in world.upstream("/teams")["docs"] if rita in {one["employee_id"] for one in row["reviewers"]}
    )
    resource = {
        "_id": "0" * 24, "name": "Trips", "team_id": team["_id"], "currency": "KES", "amount_minor": 100_000,
        "committed_minor": 50_000, "spent_minor": 35_000, "alert_percents": [80, 100], "period_start": "2026-11-01",
    }  # fmt: skip
    event = {"type": "budget.threshold_reached", "data": {"object": resource}}
    for _ in range(2):
        apply_event(world.business, event, Origin.FEED)
    notices = Notice.objects.filter(business=world.business, topic="budgets").select_related("membership")
    told = {notice.membership.employee_id for notice in notices}
    expected = {world.employee(name)["employee_id"] for name in ("Rita", "Apollo", "Ada", "Sam")}
    assert expected <= told
    assert world.employee("Carla")["employee_id"] not in told
    assert len(told) == notices.count()
    [sentence] = {notice.sentence.replace("\xa0", " ") for notice in notices}
    assert sentence == "Budget Trips has reached 80 %: KES 850.00 committed and spent of KES 1,000.00."
    apply_event(world.business, {"type": "budget.updated", "data": {"object": resource}}, Origin.FEED)
    assert notices.count() == len(told)
    resource["spent_minor"] = 60_000
    apply_event(world.business, event, Origin.FEED)
    assert Notice.objects.filter(business=world.business, sentence__contains="is used up").count() == len(told)
    notice = notices.filter(membership=world.people["Ada"]).first()
    assert notice is not None
    opened = world.client("Ada").get(world.address("notifications/"))
    assert "Budget Trips" in page(opened)


def test_a_total_says_what_its_budgets_come_to_by_the_end(world: World) -> None:
    add(world)
    add(world, name="Print", amount="500")
    [office] = [row for row in all_of(world) if row["name"] == "Office"]
    upstream.bill(world, upstream.vendor(world, "Paper Ltd"), amount=1300, budget_id=office["_id"])
    shown = page(world.client("Ada").get(world.address("budgets/")))
    assert "Total KES, month KES 1,500.00 KES 1,300.00 KES 0.00 KES 200.00 KES 1,300.00" in shown.replace("\xa0", " ")
