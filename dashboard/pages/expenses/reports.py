"""Reports of the expenses that one may see: by category, and by team and category, as bars with their table."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, Sum
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists.query import Query
from dashboard.lists.view import Field
from dashboard.money import number
from dashboard.pages.expenses.table import EXPENSES
from dashboard.web.freshness import freshness_of
from dashboard.web.respond import page

NOT_FILED, NO_TEAM = "Not filed", "No team"


@dataclass(frozen=True)
class Group:
    """A line of a report: `share` in percent of the currency's sum, which is the length of its bar too."""

    name: str
    count: int
    amount: str
    share: int


@dataclass(frozen=True)
class Report:
    """What was spent in one currency: by category, and for each team by category."""

    currency: str
    count: int
    total: str
    categories: list[Group]
    teams: list[tuple[Group, list[Group]]]


@require_GET
@needs(operations.LIST_EXPENSES)
def reports(request: ActorRequest, business: str) -> HttpResponse:
    """The reports of what the list's own filters leave."""
    query = Query.read(EXPENSES, request.GET)
    context = {
        "filters": query,
        "query": query.query(),
        "reports": [] if query.refused else reports_of(request.actor, query),
        "fields": [Field(one, query.chosen.get(one.name, ""), one.choices(request.actor)) for one in EXPENSES.filters],
        "of": EXPENSES,
        "fresh": freshness_of(request.actor.business),
    }
    return page(request, "expenses/reports.html", context, status=400 if query.refused else 200)


def reports_of(actor: Actor, query: Query) -> list[Report]:
    """One report per currency, in one query; sums are of the amounts as they were spent."""
    grouped = (
        query.rows(actor)
        .order_by()
        .values_list("currency", "team_name", "category_name")
        .annotate(Count("pk"), Sum("amount_minor"))
    )
    sums: dict[str, dict[tuple[str, str], tuple[int, int]]] = defaultdict(dict)
    for currency, team, category, count, minor in grouped:
        sums[currency][team or NO_TEAM, category or NOT_FILED] = (count, minor)
    return [_report(actor, currency, cells) for currency, cells in sorted(sums.items())]


def _report(actor: Actor, currency: str, cells: dict[tuple[str, str], tuple[int, int]]) -> Report:
    locale, whole = actor.business.locale, sum(minor for _, minor in cells.values())

    def groups(by: dict[str, tuple[int, int]]) -> list[Group]:
        ordered = sorted(by.items(), key=lambda each: (-each[1][1], each[0]))
        return [
            Group(name, count, number(minor, currency, locale), _percent(minor, whole))
            for name, (count, minor) in ordered
        ]

    teams = groups(_added(cells, 0))
    inside = {
        team.name: groups({cell[1]: value for cell, value in cells.items() if cell[0] == team.name}) for team in teams
    }
    return Report(
        currency,
        sum(count for count, _ in cells.values()),
        number(whole, currency, locale),
        groups(_added(cells, 1)),
        [(team, inside[team.name]) for team in teams],
    )


def _added(cells: dict[tuple[str, str], tuple[int, int]], place: int) -> dict[str, tuple[int, int]]:
    by: dict[str, tuple[int, int]] = {}
    for cell, (count, minor) in cells.items():
        so_far = by.get(cell[place], (0, 0))
        by[cell[place]] = (so_far[0] + count, so_far[1] + minor)
    return by


def _percent(part: int, whole: int) -> int:
    return (200 * part + whole) // (2 * whole) if whole > 0 and part > 0 else 0
