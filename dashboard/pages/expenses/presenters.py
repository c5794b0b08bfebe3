"""How expenses are shown beside their list: one of them, reports as bars with their table, exports of receipts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.template.defaultfilters import filesizeformat

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.models import Business
from dashboard.decisions.items import item_of
from dashboard.lists.models import ReceiptsJob
from dashboard.lists.query import Query
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Expense
from dashboard.money import number
from dashboard.pages.expenses.forms import CategoryForm, NotesForm
from dashboard.pages.expenses.selectors import Cells, sums_by_currency
from dashboard.times import day_and_time
from dashboard.web.submission import new_key

TONES = {"COMPLETED": "ok", "FAILED": "bad", "QUEUED": "info", "RUNNING": "info"}


def item_context(actor: Actor, expense: Expense) -> dict[str, Any]:
    """What expenses/item.html needs: item, key, expense; notes_form and category_form where the actor may send them."""
    context: dict[str, Any] = {"item": item_of(actor, expense), "key": new_key(), "expense": expense}
    if can(actor, operations.NOTE_EXPENSE, expense):
        context["notes_form"] = NotesForm(initial={"notes": expense.notes})
    if can(actor, operations.CATEGORISE_EXPENSE, expense):
        choices, initial = categories_of(actor), {"subcategory_id": expense.subcategory_id}
        context["category_form"] = CategoryForm(choices=choices, initial=initial)
    return context


@dataclass(frozen=True, slots=True)
class ReceiptsRow:
    """An export of receipts as the page prints it; `size` is "" until it is known."""

    job: ReceiptsJob
    title: str
    when: str
    size: str
    tone: str


def receipts_context(jobs: Sequence[ReceiptsJob], business: Business) -> dict[str, Any]:
    """What the rows of expenses/receipts.html need: lines, and open, whether any is still on its way."""
    lines = [
        ReceiptsRow(
            job=job,
            title=f"{job.asked.get('from')} to {job.asked.get('to')}",
            when=day_and_time(job.created_at, business),
            size=filesizeformat(job.size) if job.size else "",
            tone=TONES.get(job.status, ""),
        )
        for job in jobs
    ]
    return {"lines": lines, "open": any(job.open for job in jobs)}


def export_file_name(job: ReceiptsJob, ending: str) -> str:
    """The name under which an export is saved: its days and the ending."""
    return f"receipts-{job.asked.get('from')}-{job.asked.get('to')}.{ending}"


@dataclass(frozen=True, slots=True)
class Group:
    """A line of a report: `share` in percent of the currency's sum, which is the length of its bar too."""

    name: str
    count: int
    amount: str
    share: int


@dataclass(frozen=True, slots=True)
class Report:
    """What was spent in one currency: by category, and for each team by category."""

    currency: str
    count: int
    total: str
    categories: list[Group]
    teams: list[tuple[Group, list[Group]]]


def reports_of(actor: Actor, query: Query) -> list[Report]:
    """The report of each currency, by its code, of what the list's filters leave; sums are of the amounts as spent."""
    return [_report(actor, currency, cells) for currency, cells in sums_by_currency(actor, query).items()]


def _report(actor: Actor, currency: str, cells: Cells) -> Report:
    locale, whole = actor.business.locale, sum(minor for _, minor in cells.values())

    def groups(sums: dict[str, tuple[int, int]]) -> list[Group]:
        ordered = sorted(sums.items(), key=lambda group: (-group[1][1], group[0]))
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


def _added(cells: Cells, place: int) -> dict[str, tuple[int, int]]:
    by: dict[str, tuple[int, int]] = {}
    for cell, (count, minor) in cells.items():
        so_far = by.get(cell[place], (0, 0))
        by[cell[place]] = (so_far[0] + count, so_far[1] + minor)
    return by


def _percent(part: int, whole: int) -> int:
    return (200 * part + whole) // (2 * whole) if whole > 0 and part > 0 else 0
