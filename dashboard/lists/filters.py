"""The kinds of filters: how each reads its value from an address without trust, and what it asks of the rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.inputs import DAY, Choices, is_plain, plain

ANY = "ALL"
LONGEST = 100


class NotUnderstoodError(ValueError):
    """A value that no filter takes, with the sentence for whoever typed it."""


@dataclass(frozen=True)
class Filter:
    """A filter: its name in the address, its label, and the field it looks at."""

    name: str
    title: str
    field: str
    # What it is set to where an address does not say; ANY lifts it.
    usual: str = ""
    # That an index beginning with the field holds all that the list is filtered, sorted and summed by: what the filter leaves is put
    # into another order from there, without reading a row.
    covered: bool = False
    widget: ClassVar[str] = "text"

    def is_collected(self, actor: Actor, order: str) -> bool:
        """Whether what it leaves is collected before it is put into the order of a field, instead of walking that order to find it."""
        return self.covered and self.field != order

    def read(self, text: str) -> str:
        """The value, as it stands in an address; NotUnderstoodError with a sentence for one that is none."""
        if len(text) > LONGEST or not is_plain(text):
            raise NotUnderstoodError(f"At most {LONGEST} letters and digits.")
        return plain(text)

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The rows that it lets through."""
        return rows if self.usual and value == ANY else rows.filter(**{self.field: value})

    def choices(self, actor: Actor) -> Choices:
        """What can be chosen, as (value, label); empty for a filter that is typed."""
        return ()

    def choices_beside(self, actor: Actor, value: str) -> Choices:
        """What can be chosen where this value is set, or none ("")."""
        return self.choices(actor)

    def control(self, choices: Choices) -> str:
        """The name of its control, with these choices: text, choice, day, code or flag."""
        return self.widget

    def summary(self, value: str, actor: Actor) -> str:
        """What it lets through, as it is read: "State: Waiting"; "" where that is everything."""
        if self.usual and value == ANY:
            return ""
        return f"{self.title}: {dict(self.choices_beside(actor, value)).get(value, value)}"


@dataclass(frozen=True)
class ChoiceFilter(Filter):
    """One of a few values that the declaration names."""

    of: Choices = ()
    widget: ClassVar[str] = "choice"

    def read(self, text: str) -> str:
        """The value; NotUnderstoodError for one that is not among the choices."""
        if text not in dict(self.of):
            raise NotUnderstoodError(f"“{text[:20]}” is not a valid {self.title.lower()}.")
        return text

    def choices(self, actor: Actor) -> Choices:
        """The values with their labels."""
        return self.of


@dataclass(frozen=True)
class Pick(Filter):
    """One of the business's own rows, such as its teams; `among` gives those that the actor may choose from."""

    among: Callable[[Actor], Choices] = lambda _: ()
    widget: ClassVar[str] = "choice"

    def choices(self, actor: Actor) -> Choices:
        """The values that the actor may choose from."""
        return self.among(actor)


@dataclass(frozen=True)
class PickByName(Pick):
    """One of the business's own rows where they may be too many to be listed: `among` gives none then, and the name is
    typed. `named` gives those that a value names, as (id, name): an id, or words of the name."""

    named: Callable[[Actor, str], Choices] = lambda *_: ()

    def choices_beside(self, actor: Actor, value: str) -> Choices:
        """All of them; where they are too many, the one whose id is set, so that it reads as its name."""
        if choices := self.choices(actor):
            return choices
        return tuple(row for row in self.named(actor, value) if row[0] == value) if value else ()

    def control(self, choices: Choices) -> str:
        """A list where there is one, else a line to type a name into."""
        return self.widget if choices else "text"

    def is_collected(self, actor: Actor, order: str) -> bool:
        """Not the rows of one that is chosen from the list: those have an order of their own."""
        return super().is_collected(actor, order) and not self.choices(actor)

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The rows of the one that is chosen, or of all that the typed words name."""
        if self.choices(actor):
            return super().apply(rows, value, actor)
        return rows.filter(**{f"{self.field}__in": [row[0] for row in self.named(actor, value)]})


@dataclass(frozen=True)
class DayFilter(Filter):
    """A day of the business's calendar: from its first moment, or with `until` to its last."""

    until: bool = False
    widget: ClassVar[str] = "day"

    def read(self, text: str) -> str:
        """The day as YYYY-MM-DD; NotUnderstoodError for anything else."""
        try:
            valid = DAY.fullmatch(text) and date.fromisoformat(text)
        except ValueError:
            valid = None
        if not valid:
            raise NotUnderstoodError("Enter the date as 2026-11-20.")
        return text

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """Rows from that day on, or up to its end."""
        zone = ZoneInfo(actor.business.time_zone)
        first = date.fromisoformat(value)
        if not self.until:
            return rows.filter(**{f"{self.field}__gte": datetime.combine(first, time(), zone)})
        if first == date.max:
            return rows
        return rows.filter(**{f"{self.field}__lt": datetime.combine(first + timedelta(days=1), time(), zone)})


@dataclass(frozen=True)
class CurrencyFilter(Filter):
    """A filter of one currency, by its code of three letters."""

    widget: ClassVar[str] = "code"

    def read(self, text: str) -> str:
        """The code in capitals; NotUnderstoodError for anything but three letters."""
        if not re.fullmatch(r"[A-Za-z]{3}", text):
            raise NotUnderstoodError("A currency is three letters, such as KES.")
        return text.upper()


@dataclass(frozen=True)
class Holds(Filter):
    """Words that a text must hold somewhere; for short tables, since no index helps."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """Rows whose text holds the words."""
        return rows.filter(**{f"{self.field}__icontains": value})


@dataclass(frozen=True)
class FlagFilter(Filter):
    """A checkbox: only rows of which the field is true, such as one's own."""

    widget: ClassVar[str] = "flag"

    def read(self, text: str) -> str:
        """ "1"; anything else is not understood."""
        if text != "1":
            raise NotUnderstoodError("Tick it, or leave it out.")
        return text

    def summary(self, value: str, actor: Actor) -> str:
        """The filter's title, as the summary of a query says it."""
        return self.title

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The rows whose field is true, where the filter is set."""
        return rows.filter(**{self.field: True})
