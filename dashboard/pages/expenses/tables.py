"""The list of expenses: what it shows, how it is sorted and filtered, and what stands in its file."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable

from dashboard import operations, times
from dashboard.access.actor import Actor
from dashboard.categorisation.uncategorised import counted_expenses
from dashboard.commands.expenses import add_tag, categorise, remove_tag
from dashboard.decisions.desk_items import ANSWERED, EXPENSE_STATES, level_of
from dashboard.lists.actions import Action, Question
from dashboard.lists.columns import Column, List, Row
from dashboard.lists.expressions import exported_amount, exported_day, exported_field, label, yes_or
from dashboard.lists.filters import ChoiceFilter, CurrencyFilter, DayFilter, FlagFilter, Pick
from dashboard.lists.registry import register
from dashboard.lists.tagging import TagsOf, category_undo, tag_actions, tags_exported, tags_text
from dashboard.mirror.choices import categories_of, category_groups_of, teams_of
from dashboard.mirror.late import expenses_booked_in, late_transactions, months_of
from dashboard.mirror.models import Expense
from dashboard.mirror.models.expenses import UNCATEGORISED_EXPENSE
from dashboard.mirror.scopes import visible_categories, visible_expenses

# Nobody has decided on it yet: it waits, or its spender was asked for details.
UNDECIDED = ("PENDING", "DETAILS_REQUESTED")
# What counts for nothing any more: no receipt of it is missing.
OVER = ("REJECTED", "REFUNDED", "DELETED")
MISSING = (("decision", "Not decided"), ("receipt", "Required receipt missing"))
STATES = tuple((code, text) for code, (text, _) in EXPENSE_STATES.items())


@dataclass(frozen=True)
class Missing(ChoiceFilter):
    """What an expense still lacks: somebody's decision, or a receipt that is required."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The expenses that wait for a decision, or those without the receipt that they must have."""
        if value == "decision":
            return rows.filter(status__in=UNDECIDED)
        return rows.exclude(status__in=OVER).filter(has_receipt=False, payload__receipt_required=True)


@dataclass(frozen=True)
class InCategory(Pick):
    """A category: the expenses that are filed under any of its subcategories, or with a part of theirs."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The expenses that are filed under the category that was chosen."""
        # As values, not as a query: of these the planner knows how many rows there are.
        filed = list(visible_categories(actor).filter(category_id=value).values_list("remote_id", flat=True))
        parts = Q(pk__in=[])
        for subcategory_id in filed:
            parts |= Q(payload__parts__contains=[{"subcategory_id": subcategory_id}])
        return rows.filter(Q(subcategory_id__in=filed) | Q(part_count__gt=0) & parts)


@dataclass(frozen=True)
class Counted(FlagFilter):
    """Only expenses that count for something, as a budget counts them."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The rows that were not rejected, refunded or deleted."""
        return counted_expenses(rows)


@dataclass(frozen=True)
class ToFile(FlagFilter):
    """Only expenses that count for something and have no category."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The rows without a category."""
        return counted_expenses(rows).filter(UNCATEGORISED_EXPENSE)


@dataclass(frozen=True)
class BookedIn(Pick):
    """Only expenses of a month of the books: posted in it, or not posted yet and spent in it."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The rows that the period counts."""
        return rows.filter(expenses_booked_in(actor, value))


@dataclass(frozen=True)
class LateIn(Pick):
    """Only expenses that were posted in a month though they were spent before it: what arrived after its period."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The rows whose transaction arrived late in that month."""
        # As values, not as a query: they are few, and the planner knows how many.
        late = late_transactions(actor, value).exclude(expense_id="").values_list("expense_id", flat=True)
        return rows.filter(remote_id__in=list(late))


def _unfit(row: Expense) -> tuple[str, str] | None:
    return ("split", "It is split: change the parts of its transaction instead.") if row.part_count else None


def _state(row: Row, _: Actor) -> tuple[str, str]:
    if row["status"] == "PENDING" and row["payload__reviewed_at"]:
        return ANSWERED[1], ANSWERED[0]
    text, tone = EXPENSE_STATES.get(row["status"], (row["status"].capitalize(), ""))
    return tone, text


def _risk(row: Row, actor: Actor) -> tuple[str, str]:
    if actor.employee_id and row["employee_id"] == actor.employee_id:
        # Of one's own it is for others to know.
        return "none", "–"
    level = level_of(row["risk"])
    return level, f"{level} {row['risk']}"


def _risk_in_file(actor: Actor) -> Combinable:
    own = When(employee_id=actor.employee_id or "-", then=Value(None))
    return Case(own, default=F("risk"), output_field=IntegerField(null=True))


def _tags(_: Actor) -> Combinable:
    return TagsOf("payload")


EXPENSES = register(
    List(
        name="expenses",
        title="Expenses",
        noun=("expense", "expenses"),
        icon="receipt",
        opens=operations.LIST_EXPENSES,
        rows=visible_expenses,
        address="expenses",
        item_address="expenses_item",
        sort="-date",
        money=("currency", "amount_minor"),
        search="search",
        empty="Expenses appear here as soon as a card of this business is used.",
        filters=(
            ChoiceFilter("status", "Status", "status", of=STATES),
            Missing("missing", "Completeness", "status", of=MISSING),
            Pick("team", "Team", "team_id", among=teams_of),
            InCategory("category", "Category", "subcategory_id", among=category_groups_of),
            Counted("counted", "Counted in budgets", "status"),
            ToFile("to_file", "Without category", "subcategory_id"),
            BookedIn("period", "Accounting period", "transaction_date", among=months_of),
            LateIn("late", "Late arrivals of", "transaction_date", among=months_of),
            DayFilter("since", "Start date", "transaction_date"),
            DayFilter("until", "End date", "transaction_date", until=True),
            CurrencyFilter("currency", "Currency", "currency"),
        ),
        columns=(
            Column("merchant", "Merchant", "merchant", render=lambda row, _: row["merchant"] or "Expense", exported=exported_field("merchant"), always=True),
            Column("who", "Employee", "employee_name", exported=exported_field("employee_name"), file_title="Employee"),
            Column("team", "Team", "team_name", exported=exported_field("team_name"), less=True),
            Column("category", "Category", "category_name", exported=exported_field("category_name"), less=True),
            Column("tags", "Tags", "tags", render=tags_text, exported=tags_exported("tags"), computed=_tags, less=True, by_default=False),
            Column(
                "date", "Date", "transaction_date", "figure", exported=exported_day("transaction_date"), sort="transaction_date",
                render=lambda row, actor: times.day(row["transaction_date"], actor.business),
            ),
            Column("state", "Status", "status", "state", render=_state, exported=label("status", dict(STATES)), needs=("payload__reviewed_at",)),
            Column("risk", "Risk", "risk", "risk", render=_risk, by_default=False, needs=("employee_id",), exported=_risk_in_file),
            Column(
                "receipt", "Receipt", "has_receipt", exported=yes_or("has_receipt", "yes", "none"), by_default=False,
                render=lambda row, _: "yes" if row["has_receipt"] else "none",
            ),
            Column(
                "amount", "Amount", "amount_text", "amount", exported=exported_amount("amount_minor", "currency"),
                sort="amount_minor", sorted_as=int, always=True,
            ),
        ),
        file_only=(
            Column("reference", "Reference", "transaction_ref", exported=exported_field("transaction_ref")),
            Column("currency", "Currency", "currency"),
            Column("notes", "Notes", "notes", exported=exported_field("notes")),
        ),
        seen=("status", "amount_text", "merchant", "category_name"),
        actions=(
            Action(
                "file", "Categorise", "categorised", operations.CATEGORISE_EXPENSE, "expense", unfit=_unfit,
                confirm="Only their category changes; you can change it again at any time.",
                question=Question("Category", "Choose a category.", categorise, choices=categories_of),
                undo=category_undo(lambda row: str(row.subcategory_id), categorise),
            ),
            *tag_actions("expense", add_tag, remove_tag),
        ),
    )
)  # fmt: skip
