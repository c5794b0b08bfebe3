"""How expenses are shown beside their list: one of them, reports as bars with their table, exports of receipts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from django.template.defaultfilters import filesizeformat

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.models import Business
from dashboard.decisions.desk_items import DeskItem, desk_item_of
from dashboard.lists.columns import List
from dashboard.lists.models import ReceiptsJob
from dashboard.lists.query import Query
from dashboard.lists.view import Field
from dashboard.mirror.choices import categories_of
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Expense
from dashboard.money import number
from dashboard.pages.expenses import tables
from dashboard.pages.expenses.forms import AddReceiptsForm, NotesForm, QuestionAnswerForm
from dashboard.pages.expenses.selectors import Cells, is_of_spent, sums_by_currency
from dashboard.times import day_and_time
from dashboard.web.charts import Chart, parts_chart
from dashboard.web.forms import CategoryChoiceForm
from dashboard.web.freshness import Freshness, freshness_of
from dashboard.web.submission import new_key

TONES = {"COMPLETED": "ok", "FAILED": "bad", "QUEUED": "info", "RUNNING": "info"}


@dataclass(frozen=True, slots=True)
class Question:
    """What a reviewer asked the spender: the text, when, and whether the spender has answered since."""

    text: str
    when: str
    answered: bool


def question_of(actor: Actor, expense: Expense) -> Question | None:
    """The last question on an expense that is not decided yet; None where nobody asked."""
    answered = expense.is_answered
    if expense.status != "DETAILS_REQUESTED" and not answered:
        return None
    text = str(expense.payload.get("review_reason") or "")
    return Question(text, day_and_time(moment(expense.payload.get("reviewed_at")), actor.business), answered)


class ItemContext(TypedDict):
    """What expenses/item.html reads; `question` is None where nobody asked, and there is a form where the actor may send
    it."""

    item: DeskItem
    expense: Expense
    key: str
    upload_key: str
    question: Question | None
    is_own: bool
    answer_form: NotRequired[QuestionAnswerForm]
    notes_form: NotRequired[NotesForm]
    upload_form: NotRequired[AddReceiptsForm]
    category_form: NotRequired[CategoryChoiceForm]


def expense_context(actor: Actor, expense: Expense) -> ItemContext:
    """An expense, and what the actor may send about it."""
    question, is_own = question_of(actor, expense), bool(actor.employee_id) and actor.employee_id == expense.employee_id
    context: ItemContext = {
        "item": desk_item_of(actor, expense), "expense": expense, "key": new_key(), "upload_key": new_key(),
        "question": question, "is_own": is_own,
    }  # fmt: skip
    if can(actor, operations.NOTE_EXPENSE, expense):
        initial = {"notes": expense.notes}
        if question and is_own:
            context["answer_form"] = QuestionAnswerForm(initial=initial)
        else:
            context["notes_form"] = NotesForm(initial=initial)
    if can(actor, operations.UPLOAD_TRANSACTION_DOCUMENT, expense):
        context["upload_form"] = AddReceiptsForm()
    if can(actor, operations.CATEGORISE_EXPENSE, expense):
        choices, initial = categories_of(actor), {"subcategory_id": expense.subcategory_id}
        context["category_form"] = CategoryChoiceForm(choices=choices, initial=initial)
    return context


@dataclass(frozen=True, slots=True)
class ReceiptsRow:
    """An export of receipts as the page prints it; `size` is "" until it is known."""

    job: ReceiptsJob
    title: str
    when: str
    size: str
    tone: str


class ReceiptsContext(TypedDict):
    """What the rows of expenses/receipts.html read; `open` says whether any export is still on its way."""

    lines: list[ReceiptsRow]
    open: bool


def receipts_context(jobs: Sequence[ReceiptsJob], business: Business) -> ReceiptsContext:
    """The exports of receipts in the order of their jobs."""
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


def export_file_name(receipts_job: ReceiptsJob, ending: str) -> str:
    """The name under which an export is saved: its days and the ending."""
    return f"receipts-{receipts_job.asked.get('from')}-{receipts_job.asked.get('to')}.{ending}"


# The same by a name alone.
Sums = dict[str, tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class Group:
    """A line of a report: `share` in percent of the currency's sum, which is the length of its bar too."""

    name: str
    count: int
    amount: str
    share: int


@dataclass(frozen=True, slots=True)
class Report:
    """What was spent in one currency, or what its expenses of one state come to (`measure`, a word for the number): by
    category, and for each team by category; the charts of both where there are two."""

    currency: str
    measure: str
    count: int
    total: str
    categories: list[Group]
    teams: list[tuple[Group, list[Group]]]
    by_category: Chart | None
    by_team: Chart | None


class ReportsContext(TypedDict):
    """What expenses/reports.html reads: the list's own filters, and a report of each currency."""

    filters: Query
    query: str
    is_of_spent: bool
    reports: list[Report]
    fields: list[Field]
    of: List
    fresh: Freshness


def reports_context(actor: Actor, query: Query) -> ReportsContext:
    """The reports of what the list's filters leave; none where a filter says nothing that can be looked for."""
    filters = tables.EXPENSES.filters
    return {
        "filters": query,
        "query": query.query(),
        "is_of_spent": is_of_spent(query),
        "reports": [] if query.refused else reports_of(actor, query),
        "fields": [Field(option, query.chosen.get(option.name, ""), option.choices(actor)) for option in filters],
        "of": tables.EXPENSES,
        "fresh": freshness_of(actor.business),
    }


def reports_of(actor: Actor, query: Query) -> list[Report]:
    """The report of each currency, by its code, of what the list's filters leave; sums are of the amounts as spent."""
    measure = "Spent" if is_of_spent(query) else "Amount"
    return [_report(actor, currency, measure, cells) for currency, cells in sums_by_currency(actor, query).items()]


def _report(actor: Actor, currency: str, measure: str, cells: Cells) -> Report:
    locale, whole = actor.business.locale, sum(minor for _, minor, _ in cells.values())

    def groups(sums: Sums, *, by_category: bool = True) -> list[Group]:
        return [
            Group(
                name, count if by_category else count - again, number(minor, currency, locale), _percent(minor, whole)
            )
            for name, (count, minor, again) in _by_size(sums)
        ]

    def chart(place: int) -> Chart | None:
        sums = [(name, minor) for name, (_, minor, _) in _by_size(_added(cells, place))]
        return parts_chart(measure, sums, currency, locale)

    teams = groups(_added(cells, 0), by_category=False)
    inside = {
        team.name: groups({cell[1]: value for cell, value in cells.items() if cell[0] == team.name}) for team in teams
    }
    return Report(
        currency,
        measure,
        sum(count - again for count, _, again in cells.values()),
        number(whole, currency, locale),
        groups(_added(cells, 1)),
        [(team, inside[team.name]) for team in teams],
        chart(1),
        chart(0),
    )


def _by_size(sums: Sums) -> list[tuple[str, tuple[int, int, int]]]:
    return sorted(sums.items(), key=lambda group: (-group[1][1], group[0]))


def _added(cells: Cells, place: int) -> Sums:
    by: Sums = {}
    for cell, (count, minor, again) in cells.items():
        so_far = by.get(cell[place], (0, 0, 0))
        by[cell[place]] = (so_far[0] + count, so_far[1] + minor, so_far[2] + again)
    return by


def _percent(part: int, whole: int) -> int:
    return (200 * part + whole) // (2 * whole) if whole > 0 and part > 0 else 0
