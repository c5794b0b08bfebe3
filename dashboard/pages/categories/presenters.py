"""How the chart of accounts is shown: a tree, one category, and what a pasted table would add."""

import hashlib
import json
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.lists.states import state_in
from dashboard.pages.categories.forms import CategoryForm, CategoryWithSubcategories, SubcategoryForm, initial_of
from dashboard.pages.categories.selectors import matching
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
    """What a pasted table would add, and how much of it is there already; `digest` names the table that was seen."""

    categories: list[str]
    subcategories: list[tuple[str, str]]
    known: int
    digest: str


def chart_context(actor: Actor, categories: list[Category], sought: str, problem: str = "") -> ChartContext:
    """The tree, of which the search leaves a part."""
    return {
        "nodes": [
            Node(category, state_in(STATES, category.status), _with_states(rows))
            for category, rows in matching(categories, sought)
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
        context["form"] = CategoryForm(initial=initial_of(category), exists=True)
        context["new_form"] = SubcategoryForm(prefix="new")
    return context


def _with_states(rows: list[Subcategory]) -> list[tuple[Subcategory, tuple[str, str]]]:
    return [(row, state_in(STATES, row.status)) for row in rows]


def digest_of(wished: list[CategoryWithSubcategories]) -> str:
    """What a table says, in 32 characters: one that was changed after it was seen has another."""
    return hashlib.sha256(json.dumps(wished).encode()).hexdigest()[:32]


def preview_of(categories: list[Category], wished: list[CategoryWithSubcategories]) -> Preview:
    """What of a table is not there yet, by name as the service compares it: without regard to case."""
    there = {row.name.casefold(): {child.name.casefold() for child in row.subcategories} for row in categories}
    new_categories, new_rows, known = [], [], 0
    for category in wished:
        children = there.get(category["name"].casefold())
        if children is None:
            new_categories.append(category["name"])
        elif not category["subcategories"]:
            known += 1
        for row in category["subcategories"]:
            if children is not None and row["name"].casefold() in children:
                known += 1
            else:
                new_rows.append((category["name"], row["name"]))
    return Preview(new_categories, new_rows, known, digest_of(wished))
