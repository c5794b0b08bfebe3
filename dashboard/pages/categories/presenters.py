"""How the chart of accounts is shown: a tree, one category, and what a pasted table would add."""

import hashlib
import json
from dataclasses import astuple, dataclass
from typing import NotRequired, TypedDict

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
from dashboard.pages.categories.selectors import matching_categories
from dashboard.schemas.categories import Category, Subcategory
from dashboard.web.submission import new_key

STATES = {"ACTIVE": ("Active", "ok"), "ARCHIVED": ("Archived", "")}


@dataclass(frozen=True, slots=True)
class Node:
    """A category of the tree with the subcategories that are shown of it."""

    category: Category
    state: tuple[str, str]
    subcategories: list[tuple[Subcategory, tuple[str, str]]]


class ChartContext(TypedDict):
    """What categories/categories.html reads: `problem` says why the service did not answer."""

    nodes: list[Node]
    count: int
    subcategories: int
    sought: str
    may_change: bool
    problem: str


class CategoryContext(TypedDict):
    """What categories/category.html reads; there are forms where the actor may change it."""

    category: Category
    state: tuple[str, str]
    rows: list[tuple[Subcategory, tuple[str, str]]]
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


def chart_context(actor: Actor, categories: list[Category], sought: str, problem: str = "") -> ChartContext:
    """The tree, of which the search leaves a part."""
    return {
        "nodes": [
            Node(category, state_in(STATES, category.status), _with_states(rows))
            for category, rows in matching_categories(categories, sought)
        ],
        "count": len(categories),
        "subcategories": sum(len(category.subcategories) for category in categories),
        "sought": sought,
        "may_change": bool(can_open(actor, operations.CREATE_CATEGORY)),
        "problem": problem,
    }


def category_context(actor: Actor, category: Category, rows: list[Subcategory]) -> CategoryContext:
    """One category with its subcategories, in the order given."""
    context: CategoryContext = {
        "category": category,
        "state": state_in(STATES, category.status),
        "rows": _with_states(rows),
        "key": new_key(),
    }
    if can_open(actor, operations.UPDATE_CATEGORY):
        context["form"] = CategoryForm(initial=category_initial(category), exists=True)
        context["new_form"] = SubcategoryForm(prefix="new")
    return context


def _with_states(rows: list[Subcategory]) -> list[tuple[Subcategory, tuple[str, str]]]:
    return [(row, state_in(STATES, row.status)) for row in rows]


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
