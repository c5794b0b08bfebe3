"""A page of a list: fifty rows by key and never by offset, their markup made by one call of the list's row template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet
from django.utils.safestring import SafeString

from dashboard.access.actor import Actor
from dashboard.lists.columns import CellKind, Column, List, Row
from dashboard.lists.first_rows import ordering
from dashboard.lists.query import ListCursor, Query
from dashboard.lists.selection import tick_of
from dashboard.replica import PRIMARY
from dashboard.web.addresses import quoted_id
from dashboard.web.jinja2 import address_around, markup

PAGE = 50
NO_ROWS = SafeString()


@dataclass(frozen=True)
class RenderedPage:
    """The rows as markup (or as `lines`, where the list's page prints them), how many, and the next page's cursor. `ticked_rows` (or
    `ticked_lines`) are those that were ticked before and are not among them, `ticked_ids` are the ids of those that are, and `ticked_count`
    says how many were ticked before in all."""

    rows: SafeString
    count: int
    next: str
    lines: tuple[Any, ...] = ()
    ticked_rows: SafeString = NO_ROWS
    ticked_count: int = 0
    ticked_lines: tuple[Any, ...] = ()
    ticked_ids: frozenset[str] = frozenset()


# How a column is printed: its kind, whether it gives way where there is no room, whether its text leads to the item.
CellFormat = tuple[CellKind, bool, bool]
# A row of templates_jinja/lists/rows.html: the value of its box ("" without one), its name, the address of its item (""
# where items have no page of their own), and of each column the format, and the tone and the text.
PrintedRow = tuple[str, str, str, list[tuple[CellFormat, tuple[str, str]]]]
NO_TICKS: Mapping[str, str] = {}


def rendered_page(
    actor: Actor, query: Query, *, ticked: bool = False, alias: str = PRIMARY, ticks: Mapping[str, str] = NO_TICKS
) -> RenderedPage:
    """One page, in one query of the database `alias`, or two where something is searched; `ticked` where its rows have a box each. Of `ticks`, the boxes that were ticked before,
    by the row's id, those that the page does not show are read by another one."""
    name, _ = query.sorted_by
    first = query.first(actor, PAGE + 1, alias).using(alias)
    matches = query.of.with_computed(first, actor, query.columns)
    if query.of.line or query.of.row:
        return _prepared(actor, query, list(matches[: PAGE + 1]), ticks, alias, ticked=ticked)
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
    actor: Actor, query: Query, rendered: RenderedPage, ticks: Mapping[str, str], ids_here: Set[str], alias: str
) -> RenderedPage:
    """The page with those that were ticked before and that it does not show; of what is no longer there nothing is."""
    of, (name, _) = query.of, query.sorted_by
    rows = list(_ticked_elsewhere(actor, query, ticks, ids_here, alias).values(*of.fields(query.columns, name)))
    # What was seen of a row is what was seen when it was ticked.
    lines = [
        (ticks[str(row[of.item_id])], *line[1:])
        for row, line in zip(rows, _lines_of(actor, of, query.columns, rows, ticked=True), strict=True)
    ]
    printed = markup(of.template, rows=lines, ticked=True, checked={line[0] for line in lines}) if lines else NO_ROWS
    return replace(rendered, ticked_rows=printed, ticked_count=len(lines) + len(ids_here & ticks.keys()))


def _ticked_elsewhere(
    actor: Actor, query: Query, ticks: Mapping[str, str], ids_here: Set[str], alias: str
) -> QuerySet[Any]:
    """The rows that were ticked before and that the page does not show, in the order of the screen."""
    of = query.of
    others = of.rows(actor).filter(**{f"{of.item_id}__in": [key for key in ticks if key not in ids_here]})
    ordered = others.order_by(*ordering(query.sorted_by))
    return of.with_computed(ordered, actor, query.columns).using(alias)


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


def _prepared(
    actor: Actor, query: Query, matches: list[Any], ticks: Mapping[str, str], alias: str, *, ticked: bool
) -> RenderedPage:
    """The page of a list whose rows are more than cells, of the rows that match, one more than the page shows where there are more."""
    of, (name, _) = query.of, query.sorted_by
    rows, ticks = matches[:PAGE], ticks if ticked or of.line else NO_TICKS
    more = str(ListCursor(getattr(rows[-1], name), rows[-1].pk)) if len(matches) > PAGE else ""
    ids = {str(getattr(row, of.item_id)) for row in rows}
    others = list(_ticked_elsewhere(actor, query, ticks, ids, alias)) if ticks.keys() - ids else []
    here = frozenset(ids & ticks.keys())
    if (line := of.line) is not None:
        lines, before = (tuple(line(actor, row) for row in some) for some in (rows, others))
        ticked_lines = tuple(filter(of.has_box, before)) if of.has_box else before
        count = len(ticked_lines) + len(here)
        return RenderedPage(NO_ROWS, len(rows), more, lines, NO_ROWS, count, ticked_lines, here)
    assert of.row is not None
    count = len(others) + len(here)
    boxes = [_box(of, row) if ticked else "" for row in rows]
    checked = {box for row, box in zip(rows, boxes, strict=True) if str(getattr(row, of.item_id)) in here}
    printed = markup(
        of.template, rows=[of.row(actor, row, box) for row, box in zip(rows, boxes, strict=True)], checked=checked
    )
    if not others:
        return RenderedPage(printed, len(rows), more, ticked_count=count, ticked_ids=here)
    # What was seen of a row is what was seen when it was ticked.
    boxed = [(row, ticks[str(getattr(row, of.item_id))]) for row in others]
    ticked_rows = markup(of.template, rows=[of.row(actor, *seen) for seen in boxed], checked={box for _, box in boxed})
    return RenderedPage(printed, len(rows), more, (), ticked_rows, count, ticked_ids=here)


def _box(of: List, row: Any) -> str:
    return tick_of(quoted_id(str(getattr(row, of.item_id))), [getattr(row, name) for name in of.seen])
