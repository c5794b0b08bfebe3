"""What an address asks of a list: filters, search, sort, columns and the place to go on from, read without trust."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Self
from urllib.parse import urlencode

from django.db.models import BigIntegerField, CharField, Q, QuerySet, Value
from django.http import QueryDict

from dashboard.access.actor import Actor
from dashboard.inputs import is_plain, plain
from dashboard.lists.columns import Column, List
from dashboard.lists.filters import LONGEST, NotUnderstoodError
from dashboard.lists.first_rows import are_most, first_rows, ordering, sums_among_few
from dashboard.search import matching

LONGEST_QUERY = 1500
NO_MONEY = (Value(None, CharField()), Value(None, BigIntegerField()))


@dataclass(frozen=True)
class ListCursor:
    """Where a page ended: the value it is sorted by, and the row number of its last row."""

    value: date | int | str
    id: int

    def __str__(self) -> str:
        value = self.value.isoformat() if isinstance(self.value, date) else str(self.value)
        return base64.urlsafe_b64encode(f"{self.id}~{value}".encode()).decode().rstrip("=")

    @classmethod
    def read(cls, text: str, kind: type) -> Self:
        """The cursor of an address for a sort of that kind (datetime, date, int or str); ValueError for anything else."""
        try:
            row, value = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().split("~", 1)
        except (binascii.Error, UnicodeDecodeError) as error:
            raise ValueError("not a cursor") from error
        if not re.fullmatch(r"[0-9]{1,18}", row) or "\x00" in value:
            raise ValueError("not a cursor")
        if kind is str:
            return cls(value, int(row))
        if kind is int:
            if not re.fullmatch(r"-?[0-9]{1,18}", value):
                raise ValueError("not a cursor")
            return cls(int(value), int(row))
        if kind is date:
            return cls(date.fromisoformat(value), int(row))
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            raise ValueError("not a cursor")
        return cls(moment, int(row))


@dataclass(frozen=True)
class Query:
    """A list as somebody wants to see it; `problems` says per name what could not be understood."""

    of: List
    values: tuple[tuple[str, str], ...] = ()
    q: str = ""
    sort: str = ""
    cols: str = ""
    cursor: ListCursor | None = None
    problems: dict[str, str] = field(default_factory=dict, compare=False)
    # What was typed where something could not be understood, so that it stands there still.
    typed: dict[str, str] = field(default_factory=dict, compare=False)

    @classmethod
    def read(cls, of: List, given: QueryDict) -> Self:
        """The query of an address; what cannot be read is told in `problems`."""
        problems: dict[str, str] = {}
        typed: dict[str, str] = {}
        values = []
        for filter_ in of.filters:
            if text := given.get(filter_.name, "").strip() or filter_.usual:
                try:
                    values.append((filter_.name, filter_.read(text)))
                except NotUnderstoodError as error:
                    problems[filter_.name], typed[filter_.name] = str(error), text[:LONGEST]
        q = given.get("q", "").strip() if of.search else ""
        if len(q) > LONGEST or not is_plain(q):
            typed["q"] = q[:LONGEST]
            problems["q"], q = f"Search with at most {LONGEST} letters and digits.", ""
        q = plain(q)
        sort = given.get("sort", "").strip() or of.sort
        if sort.lstrip("-") not in of.sorts or sort.startswith("--"):
            problems["sort"], sort = f"Sort by {' or '.join(of.sorts)}.", of.sort
        choosable = [column.name for column in of.choosable]
        chosen = given.getlist("col") or given.get("cols", "").split(",")
        cols = ",".join(name for name in choosable if name in chosen)
        if cols == of.usual_columns:
            cols = ""
        query = cls(of, tuple(values), q, sort, cols, None, problems, typed)
        if after := given.get("after"):
            try:
                return replace(query, cursor=ListCursor.read(after, of.sorted_as(sort)))
            except ValueError:
                problems["after"] = "This page of the list is no longer available; this is the first page."
        return query

    @classmethod
    def parse(cls, of: List, text: str) -> Self:
        """From the text of a stored query."""
        return cls.read(of, QueryDict(text[:LONGEST_QUERY]))

    @property
    def refused(self) -> bool:
        """Whether the address asks for something that is not there (a page that is gone does not count)."""
        return bool(set(self.problems) - {"after"})

    @property
    def chosen(self) -> dict[str, str]:
        """The filters that are set: name to value."""
        return dict(self.values)

    @property
    def narrowed(self) -> bool:
        """Whether anything is filtered or searched that usually is not."""
        usual = {filter_.name: filter_.usual for filter_ in self.of.filters}
        return bool(self.q) or any(value != usual[name] for name, value in self.values)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns to show, in the list's order."""
        names = (
            self.cols.split(",") if self.cols else [column.name for column in self.of.choosable if column.by_default]
        )
        return tuple(column for column in self.of.columns if column.always or column.name in names)

    def query(self, **changes: str) -> str:
        """The query of an address like this one with these changes; what is usual is left out."""
        values = {**self.chosen, "q": self.q, "sort": self.sort, "cols": self.cols} | changes
        usual = {"sort": self.of.sort} | {filter_.name: filter_.usual for filter_ in self.of.filters}
        return urlencode({name: value for name, value in values.items() if value and value != usual.get(name)})

    def rows(self, actor: Actor) -> QuerySet[Any]:
        """The rows that the actor sees and the filters let through: the same for screen, totals and export."""
        terms = self.terms(actor)
        return self.filtered(actor) if terms is None else self.filtered(actor).filter(terms)

    def filtered(self, actor: Actor) -> QuerySet[Any]:
        """The rows that the actor sees and the filters let through, whatever is searched."""
        matches = self.of.rows(actor)
        by_name = {filter_.name: filter_ for filter_ in self.of.filters}
        for name, value in self.values:
            matches = by_name[name].apply(matches, value, actor)
        return matches

    def terms(self, actor: Actor) -> Q | None:
        """What the words that are searched for let through, nothing where they are no words; None where nothing is searched for."""
        if not self.q:
            return None
        return matching(self.q, self.of.search, self.of.money, actor.business.locale) or Q(pk__in=())

    def summary(self, actor: Actor) -> str:
        """What it asks for, as it is read: "State: Waiting · Search: fuel"; "everything" where it asks for nothing."""
        by_name = {filter_.name: filter_ for filter_ in self.of.filters}
        parts = [by_name[name].summary(value, actor) for name, value in self.values]
        parts.append(f"Search: {self.q}" if self.q else "")
        return " · ".join(part for part in parts if part) or "everything"

    def file(self, actor: Actor) -> tuple[list[str], QuerySet[Any, Any]]:
        """The headings of the list's file, and the rows as tuples in the order of the screen."""
        columns = self.of.in_file()
        matches = self.of.with_computed(self.ordered(actor), actor)
        rows = matches.values_list(*(column.in_file(actor) for column in columns))
        return [column.file_title or column.title for column in columns], rows

    def sums(self, actor: Actor) -> QuerySet[Any, Any]:
        """Each row as (currency, minor units); (None, None) for rows that are no money."""
        rows = self.rows(actor).order_by()
        return rows.values_list(*(self.of.summed or self.of.money or NO_MONEY))

    def sums_among_few(self, actor: Actor, most: int, alias: str) -> tuple[str, Sequence[Any]] | None:
        """What `sums` gives of `most` rows as a statement with its parameters, where something is searched among few rows; else None."""
        if (terms := self.terms(actor)) is None:
            return None
        return sums_among_few(self.filtered(actor), terms, self.of.summed or self.of.money or NO_MONEY, most, alias)

    def are_most(self, actor: Actor, most: int, alias: str) -> bool:
        """Whether something is searched that nearly all rows have, of more than `most`."""
        terms = self.terms(actor)
        return terms is not None and are_most(self.filtered(actor), terms, most, alias)

    def ordered(self, actor: Actor) -> QuerySet[Any]:
        """The rows in the order of the screen, filtered."""
        return self.rows(actor).order_by(*ordering(self.sorted_by))

    def first(self, actor: Actor, count: int, alias: str) -> QuerySet[Any]:
        """The rows in the order of the screen, filtered, of which the first `count` are read, from where the cursor stands."""
        (name, falling), rows = self.sorted_by, self.filtered(actor)
        if narrowed := self.of.sorted_column(self.sort).narrowed:
            rows = narrowed(rows, self.chosen, actor)
        if self.cursor:
            rows = rows.filter(_beyond(name, self.cursor, falling=falling))
        by_name = {filter_.name: filter_ for filter_ in self.of.filters}
        is_covered = any(by_name[chosen].is_collected(actor, name) for chosen, _ in self.values)
        return first_rows(rows, self.terms(actor), (name, falling), count, alias, is_covered=is_covered)

    @property
    def sorted_by(self) -> tuple[str, bool]:
        """The field that the rows are sorted by, and whether it falls."""
        return self.of.sorts[self.sort.lstrip("-")], self.sort.startswith("-")


def _beyond(name: str, cursor: ListCursor, *, falling: bool) -> Q:
    past = "lt" if falling else "gt"
    same = Q(**{name: cursor.value, f"pk__{past}": cursor.id})
    return Q(**{f"{name}__{past}e": cursor.value}) & (Q(**{f"{name}__{past}": cursor.value}) | same)
