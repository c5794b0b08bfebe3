"""What of all that waits is asked for: the tab, the filters and the place in the list, read from an address without trust."""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self
from urllib.parse import urlencode

from django.db.models import Q
from django.http import QueryDict

from dashboard.inputs import InputError, plain
from dashboard.search import matching

TABS = ("mine", "others", "decided")
KINDS = ("", "expense", "payment", "bill", "card", "fund", "policy", "transaction", "access")
EXPENSE, PAYMENT, REQUEST, CHANGE = SOURCES = ("expense", "payment", "request", "access-change")
SORTS = ("", "age", "due", "value", "risk")
# In these orders the rows stand by a number, the largest first.
BY_NUMBER = frozenset({"value", "risk"})
RISKS = ("", "medium", "high")
LONGEST_SEARCH = 100
SEARCH = f"Search with at most {LONGEST_SEARCH} letters and digits."
NAMES = ("show", "kind", "team", "risk", "currency", "q", "sort")


@dataclass(frozen=True)
class Cursor:
    """Where a page ended: the section, the value that it is in the order of, the source and the number of its last row."""

    section: int
    value: datetime | int
    source: str
    id: int

    def __str__(self) -> str:
        value = self.value if isinstance(self.value, int) else self.value.isoformat()
        raw = f"{self.section}~{value}~{self.source}~{self.id}"
        return base64.urlsafe_b64encode(raw.encode()).decode().rstrip("=")

    @classmethod
    def read(cls, text: str, sort: str) -> Self:
        """The cursor of an address; ValueError for anything that is none, or of a list in another order."""
        try:
            raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
            section, value, source, row = raw.split("~")
        except (binascii.Error, UnicodeDecodeError) as error:
            raise ValueError("not a cursor") from error
        counted = sort in BY_NUMBER and section == "0"
        cursor = cls(int(section), int(value) if counted else datetime.fromisoformat(value), source, int(row))
        in_list = cursor.section in (0, 1) and source in SOURCES and 0 <= cursor.id < 2**63
        in_range = abs(cursor.value) < 2**63 if isinstance(cursor.value, int) else cursor.value.tzinfo is not None
        if not in_list or not in_range:
            raise ValueError("not a cursor")
        return cursor


@dataclass(frozen=True)
class Filters:
    """The filters of an address, read without trust; `problems` says per name what could not be understood."""

    show: str = "mine"
    kind: str = ""
    team: str = ""
    risk: str = ""
    currency: str = ""
    q: str = ""
    sort: str = ""
    cursor: Cursor | None = None
    problems: dict[str, str] = field(default_factory=dict, compare=False)

    @classmethod
    def read(cls, given: QueryDict, show: str = "mine") -> Self:
        """From the address's query; `show` is the tab where none is named."""
        values = {name: given.get(name, "").strip() for name in NAMES}
        values["show"] = values["show"] or show
        problems = {}
        for name, allowed in (("show", TABS), ("kind", KINDS), ("risk", RISKS), ("sort", SORTS)):
            if values[name] not in allowed:
                problems[name] = f"“{values[name][:20]}” is not a valid choice."
                values[name] = show if name == "show" else ""
        if values["sort"] != _sort_of(values):
            problems["sort"], values["sort"] = "Only what waits for you can be sorted by risk.", ""
        if values["currency"] and not re.fullmatch(r"[A-Z]{3}", values["currency"]):
            problems["currency"] = "A currency is three capital letters, such as KES."
            values["currency"] = ""
        try:
            values["q"], values["team"] = plain(values["q"]), plain(values["team"])
        except InputError:
            problems["q"], values["q"], values["team"] = SEARCH, "", ""
        if len(values["q"]) > LONGEST_SEARCH:
            problems["q"], values["q"] = SEARCH, ""
        cursor = None
        if after := given.get("after"):
            try:
                cursor = Cursor.read(after, values["sort"])
            except ValueError:
                problems["after"] = "This page of the list is no longer available; this is the first page."
        return cls(**values, cursor=cursor, problems=problems)

    @property
    def terms(self) -> Q | None:
        """The condition of the search: every word as the beginning of a word, or an amount; None without a search."""
        return matching(self.q, "search", ("currency", "amount_minor"))

    def query(self, **changes: str) -> str:
        """The query of an address like this one with these changes; empty filters are left out."""
        values = {name: getattr(self, name) for name in NAMES} | changes
        values["sort"] = _sort_of(values)
        return urlencode({name: value for name, value in values.items() if value})

    @property
    def narrowed(self) -> bool:
        """Whether any filter or search leaves rows of the tab out."""
        return bool(self.kind or self.team or self.risk or self.currency or self.q)

    def first_page(self) -> Self:
        """The same filters without a cursor: the first page."""
        return replace(self, cursor=None)


def _sort_of(values: Mapping[str, str]) -> str:
    # On the other tabs stand the reader's own expenses: their order would say what others know of their risk.
    return "" if values["sort"] == "risk" and values["show"] != "mine" else values["sort"]
