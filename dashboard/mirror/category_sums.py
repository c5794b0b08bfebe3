"""What expenses come to under each category: of what is split, each part under its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet, Sum

from dashboard.mirror.category_labels import category_labels_of
from dashboard.mirror.models import Expense

# The states in which an expense is spent, wherever it is said to be: what was rejected or refunded is not, as the service's
# own reports have it. The sentence to it is figure "spent" of templates/treasury/counted.html.
SPENT = ("PENDING", "APPROVED", "DETAILS_REQUESTED")


@dataclass(frozen=True, slots=True)
class CategorySum:
    """What expenses come to under a category ("" for none), in minor units, beside the values of the columns asked for.
    `again` of the `count` expenses stand in a category of another sum already, which a whole must not count twice."""

    values: tuple[str, ...]
    category: str
    count: int
    minor: int
    again: int = 0


def sums_by_category(rows: QuerySet[Expense], *columns: str) -> Iterator[CategorySum]:
    """The sums by the columns and by category; the same group more than once where some of its expenses are split."""
    whole: Any = rows.order_by().filter(part_count=0).values_list(*columns, "category_name")
    for *values, category, count, minor in whole.annotate(Count("pk"), Sum("amount_minor")):
        yield CategorySum(tuple(values), category, count, minor)
    split: Any = rows.order_by().filter(part_count__gt=0).values_list(*columns, "business_id", "payload__parts")
    labels: dict[int, dict[str, str]] = {}
    for *values, business_id, parts in split:
        sums: dict[str, int] = {}
        known = labels.get(business_id)
        if known is None:
            known = labels[business_id] = category_labels_of(business_id)
        for part in _parts(parts):
            named = " · ".join(filter(None, (str(part.get("category_name") or ""), str(part.get("name") or ""))))
            # As the category is called now: the part says how it was called when it was read.
            name = known.get(str(part.get("subcategory_id") or ""), named)
            sums[name] = sums.get(name, 0) + int(part.get("amount_minor") or 0)
        for place, (category, minor) in enumerate(sums.items()):
            yield CategorySum(tuple(values), category, 1, minor, min(place, 1))


def _parts(parts: object) -> Sequence[dict[str, Any]]:
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
