"""What expenses add up to, by category and by team: the sums of what GET /expenses lists for the caller (B.15)."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal, TypedDict

from django.db.models import Count, QuerySet, Sum
from ninja import Schema
from pydantic import Field

from service import inputs
from service.auth import Caller
from service.expenses import selectors
from service.expenses.models import Expense, ExpenseStatus
from service.money import to_number

# What was given back, or will not be the business's, is no spending.
NOT_SPENT = (ExpenseStatus.REJECTED, ExpenseStatus.REFUNDED)
UNFILED, NO_TEAM = "Without a category", "Without a team"

CATEGORY = ("subcategory__category_id", "subcategory__category__name")
# Of what is split each part counts under its own.
PART_OF = {name: f"parts__{name}" for name in CATEGORY}
TEAM = ("team_id", "team__name")


class ReportQuery(Schema):
    """Which expenses are added up: days of the business's time zone, one currency, one wallet, one state."""

    from_: inputs.Day | None = Field(None, alias="from", description="First day, inclusive.")
    to: inputs.Day | None = Field(None, description="Last day, inclusive.")
    currency: str | None = Field(None, pattern="^[A-Z]{3}$")
    accountref: inputs.Line | None = Field(None, max_length=40, pattern=r"^[^\x00]*$", description="One wallet.")
    status: Literal["PENDING", "APPROVED", "REJECTED", "DETAILS_REQUESTED", "REFUNDED"] | None = Field(
        None, description="One state; what was rejected or refunded is left out without it."
    )


class CategoryLine(Schema):
    """Expenses of one category in one currency; `share` is of all in that currency, 0 to 1."""

    group: str
    category_id: str | None
    count: int
    amount: Decimal
    amount_minor: int
    currency: str
    share: Decimal


class TeamCategoryLine(CategoryLine):
    """The same for one team: `group` is the team, `category` what it spent on."""

    team_id: str | None
    category: str


class CategoryReport(Schema):
    """What was spent, by category and currency."""

    docs: list[CategoryLine]
    total: int


class TeamCategoryReport(Schema):
    """What was spent, by team, category and currency."""

    docs: list[TeamCategoryLine]
    total: int


class FiguresShape(TypedDict):
    """What expenses of one currency come to; `share` is of all in that currency, 0 to 1."""

    count: int
    amount: Decimal
    amount_minor: int
    currency: str
    share: Decimal


class CategoryLineShape(FiguresShape):
    """The figures of a category."""

    group: str
    category_id: str | None


class TeamCategoryLineShape(CategoryLineShape):
    """The figures of a category in a team: `group` is the team."""

    team_id: str | None
    category: str


def by_category(caller: Caller, query: ReportQuery) -> list[CategoryLineShape]:
    """A line per category and currency, the dearest first."""
    return [
        {"group": row[CATEGORY[1]] or UNFILED, "category_id": row[CATEGORY[0]], **figures}
        for row, figures in _sums(caller, query, CATEGORY)
    ]


def by_team_and_category(caller: Caller, query: ReportQuery) -> list[TeamCategoryLineShape]:
    """A line per team, category and currency, the dearest first."""
    return [
        {
            "group": row[TEAM[1]] or NO_TEAM,
            "team_id": row[TEAM[0]],
            "category": row[CATEGORY[1]] or UNFILED,
            "category_id": row[CATEGORY[0]],
            **figures,
        }
        for row, figures in _sums(caller, query, (*TEAM, *CATEGORY))
    ]


def _sums(caller: Caller, query: ReportQuery, groups: Sequence[str]) -> list[tuple[dict[str, Any], FiguresShape]]:
    """The groups with their figures, in two statements: of what is whole, and of the parts of what is split."""
    expenses = selectors.filter_expenses(
        caller, first=query.from_, last=query.to, org_wallet_ref=query.accountref, status=query.status
    )
    if query.status is None:
        expenses = expenses.exclude(status__in=NOT_SPENT)
    if query.currency:
        expenses = expenses.filter(currency=query.currency)
    expenses = expenses.order_by()
    whole = expenses.filter(part_count=0).values("currency", *groups)
    rows = list(whole.annotate(count=Count("id"), minor=Sum("amount_minor")))
    _add_parts(rows, expenses.filter(part_count__gt=0), groups)
    totals: Counter[str] = Counter()
    for row in rows:
        totals[row["currency"]] += row["minor"]
    rows.sort(key=lambda row: (row["currency"], -row["minor"], *(row[name] or "" for name in groups)))
    return [(row, _figures(row, totals[row["currency"]])) for row in rows]


def _add_parts(rows: list[dict[str, Any]], split: QuerySet[Expense], groups: Sequence[str]) -> None:
    """Adds what parts come to, to their groups or as groups of their own; an expense counts once in each."""
    places = {tuple(row[name] for name in ("currency", *groups)): row for row in rows}
    names = ["currency", *(PART_OF.get(name, name) for name in groups)]
    sums = split.values(*names).annotate(count=Count("id", distinct=True), minor=Sum("parts__amount_minor"))
    for sum_ in sums:
        key = tuple(sum_[name] for name in names)
        if (row := places.get(key)) is None:
            row = dict(zip(("currency", *groups), key, strict=True)) | {"count": 0, "minor": 0}
            rows.append(row)
        row["count"] += sum_["count"]
        row["minor"] += sum_["minor"]


def _figures(row: dict[str, Any], total: int) -> FiguresShape:
    share = (Decimal(row["minor"]) / total).quantize(Decimal("0.0001")) if total else Decimal(0)
    return {
        "count": row["count"],
        "amount": to_number(row["minor"], row["currency"]),
        "amount_minor": row["minor"],
        "currency": row["currency"],
        "share": share,
    }
