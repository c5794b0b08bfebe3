"""A page of a list: fifty rows by key and never by offset, their markup made by one call of the list's row template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q
from django.utils.safestring import SafeString

from dashboard.access.actor import Actor
from dashboard.lists.columns import CellKind, Column, List, Row
from dashboard.lists.query import ListCursor, Query
from dashboard.lists.selection import tick_of
from dashboard.replica import PRIMARY
from dashboard.web.addresses import quoted_id
from dashboard.web.jinja2 import address_around, markup

PAGE = 50
NO_ROWS = SafeString()


@dataclass(frozen=True)
class RenderedPage:
    """The rows as markup (or as `lines`, where the list's page prints them), how many, and the next page's cursor. `ticked_rows` are those
    that were ticked before and are not among them, and `ticked_count` says how many were ticked before in all."""

    rows: SafeString
    count: int
    next: str
    lines: tuple[Any, ...] = ()
    ticked_rows: SafeString = NO_ROWS
    ticked_count: int = 0


# How a column is printed: its kind, whether it gives way where there is no room, whether its text leads to the item.
CellFormat = tuple[CellKind, bool, bool]
# A row of templates_jinja/lists/rows.html: the value of its box ("" without one), its name, the address of its item (""
# where items have no page of their own), and of each column the format, and the tone and the text.
PrintedRow = tuple[str, str, str, list[tuple[CellFormat, tuple[str, str]]]]
NO_TICKS: Mapping[str, str] = {}


def rendered_page(
    actor: Actor, query: Query, *, ticked: bool = False, alias: str = PRIMARY, ticks: Mapping[str, str] = NO_TICKS
) -> RenderedPage:
    """One page, in one query of the database `alias`; `ticked` where its rows have a box each. Of `ticks`, the boxes that were ticked before,
    by the row's id, those that the page does not show are read by a second one."""
    name, falling = query.sorted_by
    matches = query.of.with_computed(query.ordered(actor), actor, query.columns).using(alias)
    if query.cursor:
        matches = matches.filter(_beyond(name, query.cursor, falling=falling))
    if query.of.line or query.of.row:
        return _prepared(actor, query.of, list(matches[: PAGE + 1]), name, ticked=ticked)
    columns = query.columns
    rows = list(matches.values(*query.of.fields(columns, name))[: PAGE + 1])
    more = ""
    if len(rows) > PAGE:
        last = rows[PAGE - 1]
        more = str(ListCursor(last[name], last["pk"]))
    lines = _lines_of(actor, query.of, columns, rows[:PAGE], ticked=ticked)
    ids = [str(row[query.of.item_id]) for row in rows[:PAGE]] if ticks else []
    checked = {line[0] for line, remote_id in zip(lines, ids, strict=False) if remote_id in ticks}
    rendered = RenderedPage(markup(query.of.template, rows=lines, ticked=ticked, checked=checked), len(lines), more)
    return _with_ticked(actor, query, rendered, ticks, set(ids), alias) if ticks and ticked else rendered


def _with_ticked(
    actor: Actor, query: Query, rendered: RenderedPage, ticks: Mapping[str, str], ids_here: set[str], alias: str
) -> RenderedPage:
    """The page with those that were ticked before and that it does not show; of what is no longer there nothing is."""
    of, (name, falling) = query.of, query.sorted_by
    others = of.rows(actor).filter(**{f"{of.item_id}__in": [key for key in ticks if key not in ids_here]})
    order = (f"-{name}", "-pk") if falling else (name, "pk")
    matches = of.with_computed(others.order_by(*order), actor, query.columns).using(alias)
    rows = list(matches.values(*of.fields(query.columns, name)))
    # What was seen of a row is what was seen when it was ticked.
    lines = [
        (ticks[str(row[of.item_id])], *line[1:])
        for row, line in zip(rows, _lines_of(actor, of, query.columns, rows, ticked=True), strict=True)
    ]
    printed = markup(of.template, rows=lines, ticked=True, checked={line[0] for line in lines}) if lines else NO_ROWS
    return replace(rendered, ticked_rows=printed, ticked_count=len(lines) + len(ids_here & ticks.keys()))


def _lines_of(
    actor: Actor, of: List, columns: tuple[Column, ...], rows: Sequence[Row], *, ticked: bool
) -> list[PrintedRow]:
    """The rows as templates_jinja/lists/rows.html prints them."""
    before, after = address_around(of.item_address, actor.business.slug) if of.item_address else ("", "")
    # The first cell leads to the item.
    formats = [(column.kind, column.less, bool(of.item_address and column is columns[0])) for column in columns]
    lines = []
    for row in rows:
        cells = [column.cell(row, actor) for column in columns]
        quoted = quoted_id(str(row[of.item_id]))
        tick = tick_of(quoted, [row[name] for name in of.seen]) if ticked else ""
        lines.append((tick, cells[0][1], f"{before}{quoted}{after}", list(zip(formats, cells, strict=True))))
    return lines


def _prepared(actor: Actor, of: List, rows: list[Any], name: str, *, ticked: bool) -> RenderedPage:
    more = str(ListCursor(getattr(rows[PAGE - 1], name), rows[PAGE - 1].pk)) if len(rows) > PAGE else ""
    if of.line is not None:
        return RenderedPage(SafeString(), len(rows[:PAGE]), more, tuple(of.line(actor, row) for row in rows[:PAGE]))
    assert of.row is not None
    lines = [of.row(actor, row, _box(of, row) if ticked else "") for row in rows[:PAGE]]
    return RenderedPage(markup(of.template, rows=lines), len(lines), more)


def _box(of: List, row: Any) -> str:
    return tick_of(quoted_id(str(getattr(row, of.item_id))), [getattr(row, name) for name in of.seen])


def _beyond(name: str, cursor: ListCursor, *, falling: bool) -> Q:
    past = "lt" if falling else "gt"
    same = Q(**{name: cursor.value, f"pk__{past}": cursor.id})
    return Q(**{f"{name}__{past}e": cursor.value}) & (Q(**{f"{name}__{past}": cursor.value}) | same)
