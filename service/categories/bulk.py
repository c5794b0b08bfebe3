"""Many categories and subcategories in one call: grouped under their parents, made once by name."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from service import errors
from service.auth import Caller
from service.businesses.models import Business
from service.categories import schemas, serializers
from service.categories.models import Category, CategoryStatus, Subcategory
from service.categories.schemas import NewCategories, NewSubcategory
from service.categories.selectors import categories
from service.events import audit, outbox
from service.events.models import Event
from service.text import code_from

# How many fields a refusal names: a chart that is wrong throughout is read again as a whole.
MAX_ERRORS = 20


@dataclass(frozen=True, slots=True)
class Created:
    """The categories that were named, and how many of each were made."""

    rows: list[Category]
    categories: int
    subcategories: int


def create_many(caller: Caller, new: NewCategories) -> Created:
    """Makes what is not there yet, in a fixed number of statements; names count without regard to case.

    All or nothing: 422 for a subcategory whose parent is neither named nor there, and at each name that makes no tree of
    two levels (`tree_errors`); 409 invalid_state for one under an archived parent, 409 duplicate for a code that is given
    and taken.
    """
    with transaction.atomic():
        # One at a time per business: two calls at once would both make what neither finds.
        Business.objects.select_for_update(of=("self",), no_key=True).get(pk=caller.business.id)
        existing = list(categories(caller).order_by("id"))
        if wrong := tree_errors(new, existing):
            raise errors.many_validation_failed(wrong)
        plan = _Plan(caller, existing)
        # What is given a code comes first: a code that is made of a name gives way to it.
        for place, category in sorted(enumerate(new.categories), key=lambda pair: pair[1].code is None):
            plan.add(category, f"categories.{place}")
        for place, child in sorted(enumerate(new.subcategories), key=lambda pair: pair[1].code is None):
            plan.add_child(child.category, child, f"subcategories.{place}")
        try:
            with transaction.atomic():
                Category.objects.bulk_create(plan.new_categories)
                Subcategory.objects.bulk_create(plan.new_subcategories)
        except IntegrityError:
            raise errors.duplicate("A code that was given is taken.") from None
        rows = list(categories(caller).filter(id__in=plan.named).order_by("name", "id"))
        _record_changes(caller, rows, plan)
    return Created(rows, len(plan.new_categories), len(plan.new_subcategories))


def tree_errors(new: NewCategories, existing: Iterable[Category]) -> list[errors.FieldError]:
    """What makes no tree of two levels, at its field: a name under itself, directly or by way of other names of the call
    or of the chart, and a subcategory under a new category whose name is that of a subcategory; at most the first 20. Names
    without regard to case; what is in the chart already is left as it is."""
    there: dict[str, set[str]] = {}
    for row in existing:
        # Of several with one name the oldest counts, as where they are added to.
        there.setdefault(row.name.casefold(), {child.name.casefold() for child in row.subcategories.all()})
    added = list(_named_pairs(new))
    above: dict[str, set[str]] = {}
    for parent, children in there.items():
        for child in children:
            above.setdefault(child, set()).add(parent)
    for parent, child, _ in added:
        above.setdefault(child.casefold(), set()).add(parent.casefold())
    wrong: list[errors.FieldError] = []
    ancestors: dict[str, set[str]] = {}
    for parent, child, field in added:
        if len(wrong) == MAX_ERRORS:
            break
        upper, lower = parent.casefold(), child.casefold()
        if lower in there.get(upper, ()):
            continue
        if lower == upper:
            message = f"{child} cannot stand under itself."
        elif lower in (ancestors.get(upper) or ancestors.setdefault(upper, _ancestors(upper, above))):
            message = f"{child} would stand under itself: {parent} is below it."
        elif upper not in there and above.get(upper):
            message = f"{parent} is a subcategory itself: the chart has two levels."
        else:
            continue
        wrong.append({"field": field, "code": "invalid_tree", "message": message})
    return wrong


def _named_pairs(new: NewCategories) -> Iterator[tuple[str, str, str]]:
    """Category, subcategory and the field that names them, for every subcategory of a call."""
    for place, category in enumerate(new.categories):
        for number, child in enumerate(category.subcategories):
            yield category.name, child.name, f"categories.{place}.subcategories.{number}.name"
    for place, child in enumerate(new.subcategories):
        yield child.category, child.name, f"subcategories.{place}.category"


def _ancestors(name: str, above: Mapping[str, set[str]]) -> set[str]:
    """Every name that stands above one, by way of any other."""
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        for parent in above.get(waiting.pop(), ()):
            if parent not in reached:
                reached.add(parent)
                waiting.append(parent)
    return reached


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

    def add(self, new: schemas.ManyCategory, field: str) -> None:
        """A category with its own subcategories; `field` names it in the body."""
        row = self._by_name.get(new.name.casefold())
        if row is None:
            if new.code in self._by_code:
                raise _duplicate_code(new.code, f"by {self._by_code[new.code].name}", field)
            code = new.code or _free(code_from(new.name), self._by_code.keys())
            row = Category(business=self.business, name=new.name, code=code, group=new.group, type=new.type)
            self.new_categories.append(row)
            self._know(row)
        self.named[row.id] = None
        for place, child in sorted(enumerate(new.subcategories), key=lambda pair: pair[1].code is None):
            self._add_under(row, child, f"{field}.subcategories.{place}")

    def add_child(self, parent: str, new: NewSubcategory, field: str) -> None:
        """A subcategory under the category of that name, or of that code; `field` names it in the body."""
        row = self._by_name.get(parent.casefold()) or self._by_code.get(parent)
        if row is None:
            raise errors.validation_failed(f"{field}.category", f"There is no category {parent}.", "unknown")
        self.named[row.id] = None
        self._add_under(row, new, field)

    def _add_under(self, row: Category, new: NewSubcategory, field: str) -> None:
        if new.name.casefold() in self._children[row.id]:
            return
        if row.status != CategoryStatus.ACTIVE:
            raise errors.invalid_state(f"The category {row.name} is archived: nothing more is categorised under it.")
        if new.code in self._child_codes[row.id]:
            raise _duplicate_code(new.code, f"in {row.name}", field)
        code = new.code or _free(code_from(new.name), self._child_codes[row.id])
        self._children[row.id].add(new.name.casefold())
        self._child_codes[row.id].add(code)
        self.new_subcategories.append(Subcategory(business=self.business, category=row, name=new.name, code=code))


def _duplicate_code(code: str | None, where: str, field: str) -> errors.ServiceError:
    message = f"The code {code} is taken {where}."
    return errors.conflict("duplicate", message, [{"field": f"{field}.code", "code": "duplicate", "message": message}])


def _free(code: str, used: Iterable[str]) -> str:
    """The code, or with a number behind it where it is taken."""
    known, candidate, number = set(used), code, 1
    while candidate in known:
        number += 1
        candidate = f"{code[: 39 - len(str(number))]}_{number}"
    return candidate


def _record_changes(caller: Caller, rows: Iterable[Category], bulk_plan: _Plan) -> None:
    """Events for the categories that were made or got subcategories, and one line in the audit."""
    fresh = {row.id for row in bulk_plan.new_categories}
    changed = fresh | {child.category_id for child in bulk_plan.new_subcategories}
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
        counts = {"categories": len(bulk_plan.new_categories), "subcategories": len(bulk_plan.new_subcategories)}
        audit.record_audit(caller, "category.create_many", "category", "", after=counts)
