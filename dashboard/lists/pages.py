"""A page of a list: fifty rows by key and never by offset, their markup joined from one stencil per set of columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from django.db.models import Q
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from dashboard.access.actor import Actor
from dashboard.lists.columns import PARTS, Column, List
from dashboard.lists.query import Cursor, Query
from dashboard.lists.selection import tick_of
from dashboard.web.stencil import CLOSE, OPEN, item_address, pattern, printed

PAGE = 50


@dataclass(frozen=True)
class Page:
    """The rows as markup (or as `lines`, where the list prepares its own), how many, and the next page's cursor."""

    rows: SafeString
    count: int
    next: str
    lines: tuple[Any, ...] = ()


def page_of(actor: Actor, query: Query, *, ticked: bool = False) -> Page:
    """One page, in one query; `ticked` where its rows have a box each."""
    name, falling = query.sorted_by
    found = query.ordered(actor)
    if query.cursor:
        found = found.filter(_beyond(name, query.cursor, falling=falling))
    if query.of.line or query.of.drawn:
        return _prepared(actor, query, list(found[: PAGE + 1]), name, ticked=ticked)
    rows = list(found.values(*query.of.fields())[: PAGE + 1])
    more = ""
    if len(rows) > PAGE:
        last = rows[PAGE - 1]
        more = str(Cursor(last[name], last["pk"]))
    columns = query.columns
    stencil = _row_pattern(query.of, columns, actor.business.slug, ticked)
    fill, item_id, seen = stencil.format, query.of.item_id, query.of.seen
    lines = []
    for row in rows[:PAGE]:
        quoted = quote(str(row[item_id]), safe="")
        tick = tick_of(quoted, [row[name] for name in seen]) if ticked else ""
        lines.append(fill(quoted, tick, *[printed(text) for one in columns for text in one.cell(row, actor)]))
    return Page(mark_safe("".join(lines)), len(lines), more)  # noqa: S308 - every text is escaped here


def _prepared(actor: Actor, query: Query, rows: list[Any], name: str, *, ticked: bool) -> Page:
    of, shown = query.of, rows[:PAGE]
    more = str(Cursor(getattr(rows[PAGE - 1], name), rows[PAGE - 1].pk)) if len(rows) > PAGE else ""
    if of.line is not None:
        return Page(SafeString(), len(shown), more, tuple(of.line(actor, row) for row in shown))
    assert of.drawn is not None
    drawn = ((of.drawn(actor, row, _box(of, row) if ticked else ""),) for row in shown)
    return Page(format_html_join("", "{}", drawn), len(shown), more)


def _box(of: List, row: Any) -> str:
    return tick_of(quote(str(getattr(row, of.item_id)), safe=""), [getattr(row, name) for name in of.seen])


def _beyond(name: str, cursor: Cursor, *, falling: bool) -> Q:
    past = "lt" if falling else "gt"
    same = Q(**{name: cursor.value, f"pk__{past}": cursor.id})
    return Q(**{f"{name}__{past}e": cursor.value}) & (Q(**{f"{name}__{past}": cursor.value}) | same)


@lru_cache(maxsize=512)
def _row_pattern(of: List, columns: tuple[Column, ...], slug: str, ticked: bool) -> str:
    # 0 is the row's id, 1 the value of its box.
    place, cells = 2, []
    for column in columns:
        marks = [f"{OPEN}{place + at}{CLOSE}" for at in range(PARTS[column.look])]
        place += len(marks)
        cells.append(_Cell(column, marks[0], marks[-1]))
    # The first cell leads to the item, where items have a page of their own.
    address = item_address(of.item, slug, f"{OPEN}0{CLOSE}") if of.item else ""
    context = {"cells": cells, "address": address, "tick": f"{OPEN}1{CLOSE}" if ticked else ""}
    return pattern(render_to_string("lists/row.html", context))


@dataclass(frozen=True)
class _Cell:
    column: Column
    tone: str
    text: str
