"""A row's markup taken from its template once, then filled fifty times at the price of joining strings.

A template's variable costs ten times what escaping and joining a string costs; the row stays a partial in its
template all the same, where whoever changes it will look.
"""

import html
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import count
from typing import Any, Protocol

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from dashboard.bidi import isolated

# Letters of Unicode's private use: no template holds them, no escaping changes them.
OPEN, CLOSE = "\ue000", "\ue001"
# What a row and a cell begin and end with: blanks beside these are never shown, and fifty rows hold a thousand of them,
# each of which a browser would keep as a node of its own.
EDGE = re.compile(r"\s*(</?t[rdh]\b[^>]*>)\s*")


@lru_cache(maxsize=64)
def _stencil(partial: str, names: tuple[str, ...], fixed: tuple[tuple[str, str], ...]) -> str:
    marks = {name: f"{OPEN}{at}{CLOSE}" for at, name in enumerate(names)}
    return pattern(render_to_string(partial, marks | dict(fixed)))


def pattern(markup: str) -> str:
    """Markup with OPEN n CLOSE in the place of its texts, as a pattern for `str.format`, without blanks nobody sees."""
    tight = EDGE.sub(r"\1", markup).replace("{", "{{").replace("}", "}}")
    return tight.replace(OPEN, "{").replace(CLOSE, "}")


def printed(text: str) -> str:
    """A text as it is put into a row: escaped, and isolated where it could turn the row around (dashboard/bidi.py)."""
    return html.escape(isolated(text))


def filled(partial: str, names: Sequence[str], rows: Iterable[Sequence[str]], **fixed: str) -> SafeString:
    """The partial once per row, its `names` replaced by the row's strings, escaped; `fixed` is the same in every row.

    The partial may only print the names (no filter, no condition on them): it is rendered once, with marks.
    """
    stencil = _stencil(partial, tuple(names), tuple(sorted(fixed.items())))
    fill = stencil.format
    return mark_safe("".join(fill(*map(printed, row)) for row in rows))  # noqa: S308 - every string is escaped here


def item_address(urlname: str, slug: str, *marks: str) -> str:
    """The address of an item of a business, with marks where its ids go."""
    # Marks themselves are no id, and lead nowhere; no slug has a capital letter.
    stand_ins = [f"X{number}X" for number in range(len(marks))]
    address = reverse(urlname, args=[slug, *stand_ins])
    for stand_in, mark in zip(stand_ins, marks, strict=True):
        address = address.replace(stand_in, mark)
    return address


class Shape(Hashable, Protocol):
    """All that a template decides on in a row: rows of one shape differ in their texts alone."""

    def context(self, mark: Callable[[], str]) -> dict[str, Any]:
        """The template's context, with a mark in the place of each text, taken in the order of the texts."""


def drawn(template: str, shape: Shape, texts: Iterable[str]) -> SafeString:
    """A row of that shape, each mark replaced by its text, escaped. The template may only print what is marked."""
    return format_html(_drawn(template, shape), *map(isolated, texts))


@lru_cache(maxsize=512)
def _drawn(template: str, shape: Shape) -> str:
    places = count()
    return pattern(render_to_string(template, shape.context(lambda: f"{OPEN}{next(places)}{CLOSE}")))
