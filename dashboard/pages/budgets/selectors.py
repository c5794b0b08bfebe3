"""What is read for budgets, live: all of them with the figures of a period, and one; and what they are chosen by."""

from datetime import date

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import Page, every_row, parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.inputs import Choices
from dashboard.mirror.models import Category, Team
from dashboard.schemas.budgets import Budget

LIVE_S = 4.0


def budgets_of(actor: Actor, *, active: bool = True, on: date | None = None) -> list[Budget]:
    """All budgets in use, or those that are not any more, by name, with the figures of the period in which the day lies, by
    default the current one. Raises the FinanceError tree."""

    def fetch(number: int, size: int) -> Page:
        query: dict[str, str | int] = {"page": number, "limit": size, "active": "true" if active else "false"}
        if on:
            query["on"] = on.isoformat()
        return read_page(read_live(actor, operations.LIST_BUDGETS, query=query, deadline=LIVE_S).data)

    return sorted(typed(every_row(fetch), Budget), key=lambda row: (row.name.casefold(), row.id))


def budget_of(actor: Actor, budget_id: str, *, on: date | None = None) -> Budget:
    """One budget with the figures of the period in which the day lies, by default the current one; NotFound, and the rest
    of the FinanceError tree."""
    path, query = {"budgetId": budget_id}, {"on": on.isoformat()} if on else None
    return parsed(read_live(actor, operations.READ_BUDGET, path=path, query=query, deadline=LIVE_S).data, Budget)


def team_choices(actor: Actor) -> Choices:
    """The teams of the business, by name: whoever opens budgets sees those of all."""
    rows = Team.objects.filter(business=actor.business, tombstoned_at=None)
    return list(rows.order_by("name", "remote_id").values_list("remote_id", "name"))


def category_choices(actor: Actor) -> Choices:
    """The categories of the business, by name."""
    rows = Category.objects.filter(business=actor.business, tombstoned_at=None)
    names = dict(rows.order_by("category_id").values_list("category_id", "category_name"))
    return sorted(names.items(), key=lambda pair: (pair[1].casefold(), pair[0]))
