"""What was spent is the same on Home, in the reports of expenses and in those of the service: one definition."""

import html
import re
from decimal import Decimal

from django.utils import timezone

from dashboard.mirror.choices import categories_of
from dashboard.pages.home.selectors import TOP_PARTS
from dashboard.times import local
from tests.dashboard.conftest import World
from tests.dashboard.decisions import service_requests
from tests.dashboard.treasury.test_same_figures import exact, page, rows

# What the pages and the service call it where nothing is filed.
NAMES = {"Uncategorised": "Without a category"}


def spent_by(shown: str, heading: str) -> dict[str, Decimal]:
    """The sums of a table of groups, by the name of each."""
    return {plain(cells[0]): exact(plain(cells[1])) for cells in rows(shown, heading)[1:]}


def plain(text: str) -> str:
    """What is read: without the marks around a text whose direction is its own."""
    return html.unescape(text).replace("\u2068", "").replace("\u2069", "").strip()


def test_what_was_spent_this_month_is_the_same_on_home_in_the_reports_and_in_those_of_the_service(world: World) -> None:
    split, rejected, refunded, *_ = world.sandbox("expenses", count=6)["expenses"]
    world.sandbox("refund", expense_id=refunded["_id"])
    service_requests.ask(world, "Apollo", "POST", f"/expenses/reject/{rejected['_id']}", {"reason": "Not ours"})
    world.sync()
    posted = world.upstream("/transactions", limit=1000)["docs"]
    paid = next(row for row in posted if row.get("expense_id") == split["_id"])
    (one, _), (other, _) = categories_of(world.actor("Carla"))[:2]
    parts = [
        {"subcategory_id": one, "amount": "0.01"},
        {"subcategory_id": other, "amount": str(Decimal(paid["amount_minor"] - 1).scaleb(-2))},
    ]
    world.send("PUT", f"/transactions/{paid['_id']}/parts", {"version": paid["version"], "parts": parts})
    world.sync()
    first = local(timezone.now(), world.business).date().replace(day=1)
    home, reports = page(world, "home/spending/"), page(world, f"expenses/reports/?since={first}")
    own = {"from": str(first), "currency": "KES"}
    by_category = world.upstream("/expenses/reports/categories", **own)["docs"]
    in_reports, on_home = spent_by(reports, "KES by category"), spent_by(home, "KES by category")
    assert len(in_reports) >= 2
    assert on_home == dict(list(in_reports.items())[:TOP_PARTS])
    # The service adds up by category, the pages by what is filed under: "Travel · Fuel" is part of "Travel".
    by_name: dict[str, Decimal] = {}
    for name, sum_ in in_reports.items():
        above = NAMES.get(name, name.split(" · ")[0])
        by_name[above] = by_name.get(above, Decimal(0)) + sum_
    assert by_name == {row["group"]: exact(str(row["amount"])) for row in by_category}
    teams: dict[str, Decimal] = {}
    for row in world.upstream("/expenses/reports/team-categories", **own)["docs"]:
        teams[row["group"]] = teams.get(row["group"], Decimal(0)) + exact(str(row["amount"]))
    shown = dict(re.findall(r'<span class="strong">(.*?)</span><span class="num end">(.*?) ·', reports))
    assert {plain(name): exact(plain(sum_)) for name, sum_ in shown.items()} == teams
    if len(teams) > 1:
        assert spent_by(home, "KES by team").items() <= teams.items()
    states = {row["_id"]: row["status"] for row in world.upstream("/expenses", limit=1000)["docs"]}
    assert (states[rejected["_id"]], states[refunded["_id"]]) == ("REJECTED", "REFUNDED")
