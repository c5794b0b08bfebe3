"""The list of transactions: money in and out of the wallets, the newest first."""

from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, OuterRef, QuerySet, Subquery
from django.db.models.expressions import Combinable

from dashboard import operations, times
from dashboard.access.actor import Actor
from dashboard.categorisation.uncategorised import counted_transactions
from dashboard.commands.transactions import add_transaction_tag, recategorise_transaction, remove_transaction_tag
from dashboard.lists.actions import Action, Question
from dashboard.lists.columns import Column, List
from dashboard.lists.expressions import exported_amount, exported_day, exported_field, label
from dashboard.lists.filters import ChoiceFilter, CurrencyFilter, DayFilter, FlagFilter, Pick
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.lists.tagging import TagsOf, category_undo, tag_actions, tags_exported, tags_text
from dashboard.mirror.choices import categories_of
from dashboard.mirror.late import booked_in, late_transactions, months_of
from dashboard.mirror.mappers.mapper import nested
from dashboard.mirror.models import Transaction
from dashboard.mirror.models.transactions import UNCATEGORISED_TRANSACTION
from dashboard.mirror.scopes import visible_expenses, visible_transactions

TYPES = {"EXPENSE": "Expense", "TOPUP": "Top-up", "IFT": "Transfer", "REFUND": "Refund"}
FILED = frozenset({"EXPENSE", "TOPUP"})
STATES = {
    "PENDING": ("Waiting", "info"),
    "APPROVED": ("Approved", "ok"),
    "POSTED": ("Posted", "ok"),
    "REJECTED": ("Rejected", "bad"),
    "REVERSED": ("Reversed", "warn"),
}


@dataclass(frozen=True)
class Uncategorised(FlagFilter):
    """Only transactions that can have a category, count for something, and have none."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The rows without a category."""
        return rows.filter(type__in=FILED, category_name="").exclude(status__in=("REJECTED", "REVERSED"))


@dataclass(frozen=True)
class ToFile(FlagFilter):
    """Only those without a category that no expense stands behind: they are categorised by themselves."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The rows without a category of their own."""
        return counted_transactions(rows).filter(UNCATEGORISED_TRANSACTION)


@dataclass(frozen=True)
class BookedIn(Pick):
    """Only those of a month of the books: posted in it, or not posted yet and of its own days."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The rows that the period counts."""
        return rows.filter(booked_in(actor, value))


@dataclass(frozen=True)
class LateIn(Pick):
    """Only those that were posted in a month though their own day lies before it."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The rows that arrived late in that month, by their keys: they are few, and the planner takes them for many."""
        return rows.filter(pk__in=list(late_transactions(actor, value).values_list("pk", flat=True)))


def type_of(code: str) -> str:
    """The name of a transaction's type on the screen; of an unknown one its code, capitalised."""
    return TYPES.get(code) or code.capitalize()


def _unfit(row: Transaction) -> tuple[str, str] | None:
    if row.type in FILED:
        return ("split", "It is split: change its parts instead.") if row.payload.get("parts") else None
    name = type_of(row.type).lower()
    return f"of a kind without a category ({name})", f"{type_of(row.type)} transactions have no category."


def _no_expense(row: Transaction) -> tuple[str, str] | None:
    return None if row.expense_id else ("without an expense", "Only what an expense stands behind has tags.")


def _subcategory(row: Transaction) -> str:
    return nested(row.payload, "subcategory", "_id", "id")


def _tags(actor: Actor) -> Combinable:
    """The tags of the expense behind a transaction."""
    expense = visible_expenses(actor).filter(remote_id=OuterRef("expense_id")).order_by()
    return Subquery(expense.annotate(names=TagsOf("payload")).values("names")[:1], output_field=CharField())


TRANSACTIONS = register(
    List(
        name="transactions",
        title="Transactions",
        noun=("transaction", "transactions"),
        icon="arrow-left-right",
        opens=operations.LIST_TRANSACTIONS,
        rows=visible_transactions,
        address="transactions",
        item_address="transactions_item",
        sort="-date",
        money=("currency", "amount_minor"),
        search="search",
        search_hint="Counterparty or reference",
        empty="Transactions appear here as soon as money moves on a wallet.",
        filters=(
            ChoiceFilter("type", "Kind", "type", of=tuple(TYPES.items())),
            ChoiceFilter("status", "Status", "status", of=tuple(words(STATES).items())),
            ChoiceFilter("direction", "Direction", "direction", of=(("IN", "Money in"), ("OUT", "Money out"))),
            Uncategorised("uncategorised", "Without category", "category_name"),
            ToFile("to_file", "Without category or expense", "category_name"),
            BookedIn("period", "Accounting period", "occurred_at", among=months_of),
            LateIn("late", "Late arrivals of", "occurred_at", among=months_of),
            DayFilter("since", "Start date", "occurred_at"),
            DayFilter("until", "End date", "occurred_at", until=True),
            CurrencyFilter("currency", "Currency", "currency"),
        ),
        columns=(
            Column(
                "counterparty", "Counterparty", "counterparty", needs=("type",), exported=exported_field("counterparty"),
                render=lambda row, _: str(row["counterparty"] or type_of(row["type"])), always=True,
            ),
            Column(
                "type", "Kind", "type", render=lambda row, _: type_of(row["type"]),
                exported=label("type", TYPES), less=True,
            ),
            Column("category", "Category", "category_name", exported=exported_field("category_name"), less=True, by_default=False),
            Column(
                "tags", "Tags", "tags", render=tags_text, exported=tags_exported("tags"), computed=_tags, less=True,
                by_default=False,
            ),
            Column("reference", "Reference", "ref", exported=exported_field("ref"), less=True),
            Column(
                "date", "Date", "occurred_at", "figure", exported=exported_day("occurred_at"), sort="occurred_at",
                render=lambda row, actor: times.day(row["occurred_at"], actor.business),
            ),
            Column("state", "Status", "status", "state", states=STATES, exported=label("status", words(STATES))),
            Column("fees", "Fees", "fees_text", "figure", less=True, by_default=False),
            Column(
                "amount", "Amount", "amount_text", "amount", exported=exported_amount("amount_minor", "currency"),
                sort="amount_minor", sorted_as=int, always=True,
            ),
        ),
        file_only=(
            Column("id", "Id", "remote_id"),
            Column("wallet", "Wallet", "org_wallet_ref"),
            Column("currency", "Currency", "currency"),
            Column("description", "Description", "description", exported=exported_field("description")),
        ),
        seen=("status", "amount_text", "counterparty", "category_name"),
        actions=(
            Action(
                "file", "Categorise", "categorised", operations.TAG_TRANSACTION, "transaction", unfit=_unfit,
                confirm="Their expenses are categorised with them.",
                question=Question("Category", "Choose a category.", recategorise_transaction, choices=categories_of),
                undo=category_undo(_subcategory, recategorise_transaction),
            ),
            *tag_actions("transaction", add_transaction_tag, remove_transaction_tag, _no_expense),
        ),
    )
)  # fmt: skip
