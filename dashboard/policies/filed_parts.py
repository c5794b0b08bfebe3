"""The parts of a split expense, as limits of a category count them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypedDict


@dataclass(frozen=True, slots=True)
class FiledPart:
    """A part of a split expense, in minor units, under a subcategory and category of its own."""

    subcategory_id: str
    category_id: str
    amount_minor: int


class PartPayload(TypedDict):
    """A part of a split expense as the service gives it with the expense, as far as it is counted."""

    subcategory_id: str
    amount_minor: int


def filed_parts(parts: Iterable[PartPayload] | None, categories: Mapping[str, str]) -> tuple[FiledPart, ...]:
    """The parts as the service gives them with an expense; `categories` are those of
    subcategories."""
    return tuple(
        FiledPart(part["subcategory_id"], categories.get(part["subcategory_id"], ""), part["amount_minor"])
        for part in parts or ()
    )
