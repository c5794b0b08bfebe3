"""What is read for the chart of accounts: all categories with their subcategories, live, and one of them."""

from collections.abc import Collection, Iterable, Sequence

from dashboard import operations, operations_accounting, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.categorisation.models import CategoryRule
from dashboard.categorisation.rules import visible_rules
from dashboard.client.page import Page, every_row, parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.journal_exports.models import JournalExport, MappedType, Mapping
from dashboard.proposals.targets import read_move
from dashboard.schemas.categories import Category, CategoryMovePlan, CategoryUse, CategoryUser, Subcategory

LIVE_S = 4.0


def chart_of(actor: Actor) -> list[Category]:
    """All categories by group and name, each with its subcategories by name. Raises the FinanceError tree."""

    def fetch(number: int, size: int) -> Page:
        query = {"page": number, "limit": size}
        return read_page(read_live(actor, operations.LIST_CATEGORIES, query=query, deadline=LIVE_S).data)

    rows = typed(every_row(fetch), Category)
    return sorted(rows, key=lambda row: (row.group.casefold(), row.name.casefold(), row.id))


def codes_to_show(actor: Actor, subcategory_ids: Collection[str]) -> dict[str, str] | None:
    """What the accountant calls these subcategories, by their ids, of those that are mapped; None for whoever may not map them."""
    return (
        mapped_codes(actor, subcategory_ids) if can_open(actor, operations_accounting.CREATE_JOURNAL_EXPORT) else None
    )


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


def move_plan(actor: Actor, category: Category, subcategory_ids: Sequence[str]) -> CategoryMovePlan:
    """What moving subcategories into a category would do, as the service says it now. Raises the FinanceError tree."""
    return read_move(actor, category.id, subcategory_ids, LIVE_S)


def uses_of(actor: Actor, category: Category, subcategory: Subcategory | None) -> list[CategoryUse]:
    """What names a subcategory, or a category with its subcategories, counted by kind. Raises the FinanceError tree."""
    query = {"subcategory_id": subcategory.id} if subcategory else {}
    answer = read_live(
        actor, operations_extra.LIST_CATEGORY_USES, path={"categoryId": category.id}, query=query, deadline=LIVE_S
    )
    return typed(read_page(answer.data).rows, CategoryUse)


def users_of(
    actor: Actor, category: Category, subcategory: Subcategory | None, kind: str, cursor: str
) -> tuple[list[CategoryUser], str]:
    """The records of a kind that name it, fifty behind the cursor ("" from the newest), and the cursor of those that follow
    ("" at the end). Raises the FinanceError tree."""
    query: dict[str, str | int] = {"limit": 50}
    if subcategory:
        query["subcategory_id"] = subcategory.id
    if cursor:
        query["cursor"] = cursor
    path = {"categoryId": category.id, "kind": kind}
    data = read_live(actor, operations_extra.LIST_CATEGORY_USERS, path=path, query=query, deadline=LIVE_S).data
    return typed(read_page(data).rows, CategoryUser), str(data.get("next_cursor") or "")


def rules_under(actor: Actor, subcategory_ids: Collection[str]) -> list[CategoryRule]:
    """The rules that file under one of these subcategories, in their order."""
    return list(visible_rules(actor).filter(subcategory_id__in=subcategory_ids))


def mapped_codes(actor: Actor, subcategory_ids: Collection[str]) -> dict[str, str]:
    """What the accountant calls these subcategories, by their ids; those that nobody has mapped are left out."""
    rows = Mapping.objects.filter(business=actor.business, source=MappedType.CATEGORY, source_id__in=subcategory_ids)
    return dict(rows.values_list("source_id", "code"))


def exports_by_remote_id(actor: Actor, remote_ids: Collection[str]) -> dict[str, str]:
    """The ids of exports here by those that the service gave them."""
    rows = JournalExport.objects.filter(business=actor.business, remote_id__in=remote_ids)
    return {remote_id: str(pk) for remote_id, pk in rows.values_list("remote_id", "pk")}
