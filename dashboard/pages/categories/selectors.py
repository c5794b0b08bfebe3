"""What is read for the chart of accounts: all categories with their subcategories, live, and one of them."""

from collections.abc import Iterable

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import Page, every_row, parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.schemas.categories import Category, Subcategory

LIVE_S = 4.0


def chart_of(actor: Actor) -> list[Category]:
    """All categories by group and name, each with its subcategories by name. Raises the FinanceError tree."""

    def fetch(number: int, size: int) -> Page:
        query = {"page": number, "limit": size}
        return read_page(read_live(actor, operations.LIST_CATEGORIES, query=query, deadline=LIVE_S).data)

    rows = typed(every_row(fetch), Category)
    return sorted(rows, key=lambda row: (row.group.casefold(), row.name.casefold(), row.id))


def matching_categories(categories: Iterable[Category], sought: str) -> list[tuple[Category, list[Subcategory]]]:
    """The categories in which the words stand, in name or code, each with its subcategories in which they stand; all of
    both for no words."""
    words = sought.casefold().split()

    def holds(*texts: str) -> bool:
        text = " ".join(texts).casefold()
        return all(word in text for word in words)

    matches = []
    for category in categories:
        rows = sorted(category.subcategories, key=lambda row: (row.name.casefold(), row.id))
        children = [row for row in rows if holds(category.name, category.code, row.name, row.code)]
        if children or holds(category.name, category.code):
            matches.append((category, children))
    return matches


def category_of(actor: Actor, category_id: str) -> Category:
    """One category with its subcategories; NotFound, and the rest of the FinanceError tree."""
    answer = read_live(actor, operations.READ_CATEGORY, path={"id": category_id}, deadline=LIVE_S)
    return typed([answer.data], Category)[0]


def subcategories_of(actor: Actor, category: Category) -> list[Subcategory]:
    """All subcategories of a category, by name. Raises the FinanceError tree."""

    def fetch(number: int, size: int) -> Page:
        query = {"page": number, "limit": size}
        path = {"categoryId": category.id}
        return read_page(
            read_live(actor, operations.LIST_SUBCATEGORIES, path=path, query=query, deadline=LIVE_S).data
        )  # fmt: skip

    rows = typed(every_row(fetch), Subcategory)
    return sorted(rows, key=lambda row: (row.name.casefold(), row.id))


def subcategory_of(actor: Actor, category: Category, subcategory_id: str) -> Subcategory:
    """One of a category's subcategories; NotFound where it has none of that id."""
    path = {"categoryId": category.id, "subcategoryId": subcategory_id}
    return parsed(read_live(actor, operations.READ_SUBCATEGORY, path=path, deadline=LIVE_S).data, Subcategory)
