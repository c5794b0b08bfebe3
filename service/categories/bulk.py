"""Many categories and subcategories in one call: grouped under their parents, made once by name."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from service import errors
from service.auth import Caller
from service.businesses.models import Business
from service.categories import schemas, serializers
from service.categories.models import Category, Status, Subcategory
from service.categories.schemas import NewCategories, NewSubcategory
from service.categories.selectors import categories
from service.events import audit, outbox
from service.events.models import Event
from service.text import code_from


@dataclass(frozen=True, slots=True)
class Created:
    """The categories that were named, and how many of each were made."""

    rows: list[Category]
    categories: int
    subcategories: int


def create_many(caller: Caller, new: NewCategories) -> Created:
    """Makes what is not there yet, in a fixed number of statements; names count without regard to case.

    All or nothing: 422 for a subcategory whose parent is neither named nor there, 409 invalid_state for one under an
    archived parent, 409 duplicate for a code that is given and taken.
    """
    with transaction.atomic():
        # One at a time per business: two calls at once would both make what neither finds.
        Business.objects.select_for_update(of=("self",), no_key=True).get(pk=caller.business.id)
        plan = _Plan(caller, list(categories(caller).order_by("id")))
        for category in new.categories:
            plan.add(category)
        for place, child in enumerate(new.subcategories):
            plan.add_child(child.category, child, f"subcategories.{place}.category")
        try:
            with transaction.atomic():
                Category.objects.bulk_create(plan.new_categories)
                Subcategory.objects.bulk_create(plan.new_subcategories)
        except IntegrityError:
            raise errors.duplicate("A code that was given is taken.") from None
        rows = list(categories(caller).filter(id__in=plan.named).order_by("name", "id"))
        _record_changes(caller, rows, plan)
    return Created(rows, len(plan.new_categories), len(plan.new_subcategories))


class _Plan:
    """What is to be made, beside what there is. Of several with one name the oldest counts."""

    def __init__(self, caller: Caller, existing: Iterable[Category]) -> None:
        self.business = caller.business
        self.new_categories: list[Category] = []
        self.new_subcategories: list[Subcategory] = []
        self.named: dict[str, None] = {}
        self._by_name: dict[str, Category] = {}
        self._by_code: dict[str, Category] = {}
        self._children: dict[str, set[str]] = {}
        self._child_codes: dict[str, set[str]] = {}
        for row in existing:
            self._know(row)
            for child in row.subcategories.all():
                self._children[row.id].add(child.name.casefold())
                self._child_codes[row.id].add(child.code)

    def _know(self, row: Category) -> None:
        self._by_name.setdefault(row.name.casefold(), row)
        self._by_code.setdefault(row.code, row)
        self._children.setdefault(row.id, set())
        self._child_codes.setdefault(row.id, set())

    def add(self, new: schemas.ManyCategory) -> None:
        """A category with its own subcategories."""
        row = self._by_name.get(new.name.casefold())
        if row is None:
            code = new.code or _free(code_from(new.name), self._by_code.keys())
            row = Category(business=self.business, name=new.name, code=code, group=new.group, type=new.type)
            self.new_categories.append(row)
            self._know(row)
        self.named[row.id] = None
        for child in new.subcategories:
            self._add_under(row, child)

    def add_child(self, parent: str, new: NewSubcategory, field: str) -> None:
        """A subcategory under the category of that name, or of that code."""
        row = self._by_name.get(parent.casefold()) or self._by_code.get(parent)
        if row is None:
            raise errors.validation_failed(field, f"There is no category {parent}.", "unknown")
        self.named[row.id] = None
        self._add_under(row, new)

    def _add_under(self, row: Category, new: NewSubcategory) -> None:
        if new.name.casefold() in self._children[row.id]:
            return
        if row.status != Status.ACTIVE:
            raise errors.invalid_state(f"The category {row.name} is archived: nothing is filed under it any more.")
        code = new.code or _free(code_from(new.name), self._child_codes[row.id])
        self._children[row.id].add(new.name.casefold())
        self._child_codes[row.id].add(code)
        self.new_subcategories.append(Subcategory(business=self.business, category=row, name=new.name, code=code))


def _free(code: str, used: Iterable[str]) -> str:
    """The code, or with a number behind it where it is taken."""
    known, candidate, number = set(used), code, 1
    while candidate in known:
        number += 1
        candidate = f"{code[: 39 - len(str(number))]}_{number}"
    return candidate


def _record_changes(caller: Caller, rows: Iterable[Category], plan: _Plan) -> None:
    """Events for the categories that were made or got subcategories, and one line in the audit."""
    fresh = {row.id for row in plan.new_categories}
    changed = fresh | {child.category_id for child in plan.new_subcategories}
    Event.objects.bulk_create(
        outbox.build_event(
            caller.business,
            "category.created" if row.id in fresh else "category.updated",
            serializers.category(row),
            actor=caller,
        )
        for row in rows
        if row.id in changed
    )
    if changed:
        counts = {"categories": len(plan.new_categories), "subcategories": len(plan.new_subcategories)}
        audit.note(caller, "category.create_many", "category", "", after=counts)
