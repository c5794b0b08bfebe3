"""How budgets are chosen_rows: committed beside spent, what is left, what it comes to by the end of the period, and who is over."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NotRequired, TypedDict
from urllib.parse import urlencode

from django.utils import timezone

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.roles import FINANCE
from dashboard.money import text
from dashboard.pages.budgets.forms import BUDGET_PERIODS, BudgetPeriodForm, ChangeForm, FilterForm, budget_initial
from dashboard.schemas.budgets import Budget
from dashboard.times import local
from dashboard.web.submission import new_key

WHOLE = 100
# From this part of its amount on, a budget is near it.
NEAR = 80
STANDINGS = {
    "OVER": ("Over budget", "bad"),
    "FORECAST": ("Forecast over budget", "warn"),
    "NEAR": ("Near its amount", "warn"),
    "FINE": ("Within budget", "ok"),
    "ENDED": ("Not in use", ""),
}


@dataclass(frozen=True, slots=True)
class BudgetRow:
    """A budget as it is printed; the bars are parts of its amount in percent, which together are at most 100.

    Spent are expenses, the fees on them and bills that were paid; `expenses_query` asks the list of expenses for just these,
    "" where a budget has none. `is_past`: its period has ended.
    """

    budget: Budget
    team: str
    category: str
    period: str
    days: str
    amount: str
    committed: str
    spent: str
    expenses: str
    expense_fees: str
    bills: str
    expenses_query: str
    left: str
    is_over: bool
    is_past: bool
    forecast: str
    used: int
    bar: int
    standing: str
    state: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Total:
    """What the budgets chosen_rows come to in a currency and period."""

    title: str
    amount: str
    committed: str
    spent: str
    left: str
    forecast: str


class BudgetsContext(TypedDict):
    """What budgets/budgets.html reads; `problem` says why the service did not answer."""

    form: FilterForm
    rows: list[BudgetRow]
    totals: list[Total]
    over: int
    may_change: bool
    problem: str


class BudgetContext(TypedDict):
    """What budgets/budget.html reads; a form where the actor may change it."""

    row: BudgetRow
    period_form: BudgetPeriodForm
    sees_all: bool
    key: str
    form: NotRequired[ChangeForm]


def forecast_minor(budget: Budget, today: date) -> int:
    """What is committed and spent by the end of the period: what was spent a day so far goes on to its last day, and what is
    committed comes on top. Rounded half up."""
    known = budget.committed_minor + budget.spent_minor
    first, last = budget.period_start, budget.period_end
    if first is None or last is None or not first <= today <= last:
        return known
    elapsed, whole = (today - first).days + 1, (last - first).days + 1
    return budget.committed_minor + (2 * budget.spent_minor * whole + elapsed) // (2 * elapsed)


def standing_of(budget: Budget, today: date) -> str:
    """How a budget stands: a name of STANDINGS."""
    if not budget.active:
        return "ENDED"
    used = budget.committed_minor + budget.spent_minor
    if used > budget.amount_minor:
        return "OVER"
    if forecast_minor(budget, today) > budget.amount_minor:
        return "FORECAST"
    return "NEAR" if used * WHOLE >= budget.amount_minor * NEAR else "FINE"


def budget_row(actor: Actor, budget: Budget, teams: dict[str, str]) -> BudgetRow:
    """A budget as it is printed; `teams` are names by id."""
    today, locale = local(timezone.now(), actor.business).date(), actor.business.locale

    def written(minor: int) -> str:
        return text(minor, budget.currency, locale)

    used = budget.committed_minor + budget.spent_minor
    percent = used * WHOLE // budget.amount_minor if budget.amount_minor else 0
    standing = standing_of(budget, today)
    return BudgetRow(
        budget=budget,
        team=teams.get(budget.team_id, "One team") if budget.team_id else "All teams",
        category=budget.category_name or ("One category" if budget.category_id else "All categories"),
        period=dict(BUDGET_PERIODS).get(budget.period, budget.period.capitalize()),
        days=_days(budget),
        amount=written(budget.amount_minor),
        committed=written(budget.committed_minor),
        spent=written(budget.spent_minor),
        expenses=written(budget.expenses_minor),
        expense_fees=written(budget.expense_fees_minor),
        bills=written(budget.spent_minor - budget.expenses_minor - budget.expense_fees_minor),
        expenses_query=_expenses_query(budget),
        left=written(abs(budget.available_minor)),
        is_over=budget.available_minor < 0,
        is_past=budget.period_end is not None and budget.period_end < today,
        forecast=written(forecast_minor(budget, today)),
        used=percent,
        bar=min(WHOLE, percent),
        standing=standing,
        state=STANDINGS[standing],
    )


def budgets_context(
    actor: Actor, form: FilterForm, budgets: Sequence[Budget], teams: dict[str, str], problem: str
) -> BudgetsContext:
    """The budgets that the form lets through, those that are over first."""
    rows = [budget_row(actor, budget, teams) for budget in budgets]
    chosen_rows = [row for row in rows if _is_chosen(row, form)] if form.is_valid() else []
    order = list(STANDINGS)
    return {
        "form": form,
        "rows": sorted(chosen_rows, key=lambda row: order.index(row.standing)),
        "totals": _totals(actor, chosen_rows),
        "over": sum(row.standing == "OVER" for row in rows),
        "may_change": bool(can_open(actor, operations_payables.CREATE_BUDGET)),
        "problem": problem,
    }


def budget_context(actor: Actor, budget: Budget, teams: dict[str, str], period_form: BudgetPeriodForm) -> BudgetContext:
    """One budget with the figures of the period that was chosen, with the form where the actor may change it."""
    context: BudgetContext = {
        "row": budget_row(actor, budget, teams),
        "period_form": period_form,
        "sees_all": actor.role in FINANCE,
        "key": new_key(),
    }
    if can_open(actor, operations_payables.UPDATE_BUDGET):
        context["form"] = ChangeForm(initial=budget_initial(budget), locale=actor.business.locale)
    return context


def _is_chosen(row: BudgetRow, form: FilterForm) -> bool:
    chosen = {
        "team": row.budget.team_id,
        "category": row.budget.category_id,
        "period": row.budget.period,
        "standing": row.standing,
    }
    return all(form.chosen(name) in ("", value) for name, value in chosen.items())


def _totals(actor: Actor, rows: Sequence[BudgetRow]) -> list[Total]:
    totals, today, locale = [], local(timezone.now(), actor.business).date(), actor.business.locale
    for currency, period in sorted({(row.budget.currency, row.budget.period) for row in rows}):
        group = [row.budget for row in rows if (row.budget.currency, row.budget.period) == (currency, period)]

        def total(name: str, currency: str = currency, group: list[Budget] = group) -> str:
            return text(sum(getattr(budget, f"{name}_minor") for budget in group), currency, locale)

        title = f"{currency}, {dict(BUDGET_PERIODS).get(period, period.capitalize()).lower()}"
        forecast = text(sum(forecast_minor(budget, today) for budget in group), currency, locale)
        totals.append(Total(title, total("amount"), total("committed"), total("spent"), total("available"), forecast))
    return totals


def _expenses_query(budget: Budget) -> str:
    """The query of the list of expenses for those that the budget counts; "" for one of neither a team nor a category, which
    counts none."""
    if not (budget.team_id or budget.category_id) or budget.period_start is None or budget.period_end is None:
        return ""
    values = {
        "team": budget.team_id,
        "category": budget.category_id,
        "currency": budget.currency,
        "since": budget.period_start.isoformat(),
        "until": budget.period_end.isoformat(),
        "counted": "1",
    }
    return urlencode({name: value for name, value in values.items() if value})


def _days(budget: Budget) -> str:
    first, last = budget.period_start, budget.period_end
    return f"{first.day} {first:%b} to {last.day} {last:%b %Y}" if first and last else ""
