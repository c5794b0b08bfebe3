"""How the chart of accounts is shown: a tree, one category, what uses it, and what a pasted table would change."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from typing import NotRequired, TypedDict
from urllib.parse import urlencode

from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.lists.states import state_in
from dashboard.pages.categories.forms import (
    CategoryForm,
    PastedRow,
    SubcategoryForm,
    by_name,
    category_initial,
    is_known,
)
from dashboard.pages.categories.selectors import (
    codes_to_show,
    exports_by_remote_id,
    matching_categories,
    rules_under,
    users_of,
    uses_of,
)
from dashboard.schemas.categories import (
    Category,
    CategoryUse,
    CategoryUser,
    Subcategory,
)
from dashboard.times import day
from dashboard.web.submission import new_key

# Rows of the tree on a page: thousands take seconds to print, and nobody reads them.
ROWS_ON_PAGE = 500
STATES = {"ACTIVE": ("Active", "ok"), "ARCHIVED": ("Archived", "")}


@dataclass(frozen=True, slots=True)
class SubcategoryRow:
    """A subcategory as it is printed; `mapped` is what the accountant calls it, "" where nobody has said it."""

    subcategory: Subcategory
    state: tuple[str, str]
    mapped: str


@dataclass(frozen=True, slots=True)
class Node:
    """A category of the tree with the subcategories that are shown of it."""

    category: Category
    state: tuple[str, str]
    subcategories: list[SubcategoryRow]


class ChartContext(TypedDict):
    """What categories/categories.html reads: a page of the tree, of `pages`, and the queries of the pages beside it, "" for none;
    `may_map` says whether the accountant's codes are shown, `problem` why the service did not answer."""

    nodes: list[Node]
    number: int
    pages: int
    previous: str
    following: str
    count: int
    subcategories: int
    sought: str
    may_change: bool
    may_map: bool
    problem: str


class CategoryContext(TypedDict):
    """What categories/category.html reads; there are forms where the actor may change it, and the accountant's codes where they may
    map them."""

    category: Category
    state: tuple[str, str]
    rows: list[SubcategoryRow]
    may_map: bool
    key: str
    form: NotRequired[CategoryForm]
    new_form: NotRequired[SubcategoryForm]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a pasted table would add, and which of its rows are there already; `digest` names the table that was seen."""

    categories: list[str]
    subcategories: list[tuple[str, str]]
    known: list[PastedRow]
    digest: str


def chart_context(
    actor: Actor, categories: list[Category], sought: str, number: int = 1, problem: str = ""
) -> ChartContext:
    """A page of the tree, of which the search leaves a part; of its last page for a number beyond that."""
    matching = matching_categories(categories, sought)
    pages = max(1, -(-sum(1 + len(rows) for _, rows in matching) // ROWS_ON_PAGE))
    number = min(number, pages)
    on_page = _part_on(matching, number)
    codes = codes_to_show(actor, [row.id for _, rows in on_page for row in rows])
    query = {"q": sought} if sought else {}
    return {
        "nodes": [
            Node(category, state_in(STATES, category.status), _subcategory_rows(rows, codes))
            for category, rows in on_page
        ],
        "number": number,
        "pages": pages,
        "previous": urlencode({**query, "page": number - 1}) if number > 1 else "",
        "following": urlencode({**query, "page": number + 1}) if number < pages else "",
        "count": len(categories),
        "subcategories": sum(len(category.subcategories) for category in categories),
        "sought": sought,
        "may_change": bool(can_open(actor, operations.CREATE_CATEGORY)),
        "may_map": codes is not None,
        "problem": problem,
    }


def _part_on(
    matching: Iterable[tuple[Category, list[Subcategory]]], number: int
) -> list[tuple[Category, list[Subcategory]]]:
    """What is on a page: each category and each subcategory is a row of it. A category that begins on the page before heads the
    rest of its subcategories once more."""
    begin, end, place, parts = (number - 1) * ROWS_ON_PAGE, number * ROWS_ON_PAGE, 0, []
    for category, rows in matching:
        on_page = rows[max(0, begin - place - 1) : max(0, end - place - 1)]
        if on_page or begin <= place < end:
            parts.append((category, on_page))
        place += 1 + len(rows)
    return parts


def category_context(actor: Actor, category: Category, rows: list[Subcategory]) -> CategoryContext:
    """One category with its subcategories, in the order given."""
    codes = codes_to_show(actor, [row.id for row in rows])
    context: CategoryContext = {
        "category": category,
        "state": state_in(STATES, category.status),
        "rows": _subcategory_rows(rows, codes),
        "may_map": codes is not None,
        "key": new_key(),
    }
    if can_open(actor, operations.UPDATE_CATEGORY):
        context["form"] = CategoryForm(initial=category_initial(category), exists=True)
        context["new_form"] = SubcategoryForm(prefix="new")
    return context


def _subcategory_rows(rows: Iterable[Subcategory], codes: Mapping[str, str] | None) -> list[SubcategoryRow]:
    return [SubcategoryRow(row, state_in(STATES, row.status), (codes or {}).get(row.id, "")) for row in rows]


@dataclass(frozen=True, slots=True)
class UseRow:
    """How many records of a kind name something, in words ("3 expenses"), and the address where exactly these are listed."""

    kind: str
    text: str
    address: str


@dataclass(frozen=True, slots=True)
class UserRow:
    """A record that names something; without an address where it has no page here."""

    title: str
    entered: str
    address: str


class UsesContext(TypedDict):
    """What categories/uses.html reads: what names `named`, and the records of the kind that was chosen."""

    category: Category
    row: Subcategory | None
    named: str
    uses: list[UseRow]
    rules: list[tuple[str, str]]
    may_archive: bool
    kind: str
    kind_text: str
    rows: list[UserRow]
    next_cursor: str
    key: str


# What the service calls a kind of record: its noun, and the address of one here.
USER_KINDS = {
    "approval_workflow": ("approval workflow", "workflows_item"),
    "bill": ("bill", "bills_item"),
    "budget": ("budget", "budgets_item"),
    "expense": ("expense", "expenses_item"),
    "journal_export": ("journal export", "journal-exports_item"),
    "payout": ("payout", "payouts_item"),
    "recurring_bill": ("recurring bill", "bills_schedule"),
    "spend_policy": ("spend policy", "policies_item"),
    "subscription": ("subscription", "subscriptions_item"),
    "transaction": ("transaction", "transactions_item"),
}


def counted(kind: str, count: int) -> str:
    """How many of a kind, in words: "3 expenses", "1 spend policy"."""
    noun = USER_KINDS.get(kind, (kind.replace("_", " "), ""))[0]
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("y") else f"{count:,} {noun}s"


def uses_context(
    actor: Actor, category: Category, row: Subcategory | None, kind: str, cursor: str, key: str
) -> UsesContext:
    """What names a subcategory, or a category with its subcategories; with the records of a kind where one is chosen. Raises
    the FinanceError tree."""
    slug, uses = actor.business.slug, uses_of(actor, category, row)
    users, next_cursor = users_of(actor, category, row, kind, cursor) if kind in USER_KINDS else ([], "")
    subcategory_ids = [row.id] if row else [child.id for child in category.subcategories]
    rules = rules_under(actor, subcategory_ids)
    return {
        "category": category, "row": row, "named": row.name if row else category.name,
        "uses": use_rows(actor, category.id, row.id if row else "", uses),
        "rules": [(f"Rule {rule.position}", reverse("category_rules_item", args=[slug, rule.pk])) for rule in rules],
        "may_archive": (row or category).status == "ACTIVE", "kind": kind if kind in USER_KINDS else "",
        "kind_text": next((counted(use.kind, use.count) for use in uses if use.kind == kind), ""),
        "rows": user_rows(actor, [(kind, user) for user in users]), "next_cursor": next_cursor, "key": key,
    }  # fmt: skip


def use_rows(actor: Actor, category_id: str, subcategory_id: str, uses: Iterable[CategoryUse]) -> list[UseRow]:
    """What names a category, or a subcategory of it, each kind with the address where its records are listed."""
    slug = actor.business.slug
    address = (
        reverse("categories_uses_sub", args=[slug, category_id, subcategory_id])
        if subcategory_id
        else reverse("categories_uses", args=[slug, category_id])
    )
    return [UseRow(use.kind, counted(use.kind, use.count), f"{address}?kind={use.kind}") for use in uses]


def user_rows(actor: Actor, users: Iterable[tuple[str, CategoryUser]]) -> list[UserRow]:
    """Records of a kind each, with the addresses of those that have a page here."""
    rows = list(users)
    exports = exports_by_remote_id(actor, [user.id for kind, user in rows if kind == "journal_export"])

    def address(kind: str, category_user: CategoryUser) -> str:
        item_id = exports.get(category_user.id, "") if kind == "journal_export" else category_user.id
        name = USER_KINDS.get(kind, ("", ""))[1]
        return reverse(name, args=[actor.business.slug, item_id]) if name and item_id else ""

    return [
        UserRow(
            user.title, f"entered {day(user.created_at, actor.business)}" if user.created_at else "", address(kind, user)
        )
        for kind, user in rows
    ]  # fmt: skip


def categories_digest(rows: list[PastedRow]) -> str:
    """What a table says, in 32 characters: one that was changed after it was seen has another."""
    return hashlib.sha256(json.dumps([astuple(row) for row in rows]).encode()).hexdigest()[:32]


def preview_of(categories: list[Category], rows: list[PastedRow]) -> Preview:
    """What of a table is not there yet, by name as the service compares it: without regard to case."""
    there = by_name(categories)
    new_categories = {row.category.casefold(): row.category for row in rows if row.category.casefold() not in there}
    known = [row for row in rows if is_known(row, there)]
    numbers = {row.number for row in known}
    new_rows = [(row.category, row.subcategory) for row in rows if row.subcategory and row.number not in numbers]
    return Preview(list(new_categories.values()), new_rows, known, categories_digest(rows))
