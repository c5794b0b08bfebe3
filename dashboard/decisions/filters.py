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
EXPENSE_SOURCE, PAYMENT_SOURCE, REQUEST_SOURCE, CHANGE_SOURCE = SOURCES = (
    "expense",
    "payment",
    "request",
    "access-change",
)
SORTS = ("", "urgency", "newest", "age", "due", "value", "risk", "requester", "merchant")
# In these orders the rows stand in groups.
GROUPED = frozenset({"requester", "merchant"})
# Of what waits for oneself: the lane of what looks clean (clean.py).
LANES = ("", "clean")
RISKS = ("", "medium", "high")
LONGEST_SEARCH = 100
LONGEST_GROUP = 600
SEARCH = f"Search with at most {LONGEST_SEARCH} letters and digits."
NAMES = ("show", "lane", "kind", "team", "risk", "currency", "q", "sort")
# A value that rows stand in the order of.
Place = datetime | int | str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the list in one order: `by` is what its rows stand in the order of, as decisions/inbox.py calls it."""

    by: str
    descending: bool

    def read(self, text: str) -> Place:
        """The value of a cursor of this section; ValueError for what is none."""
        if self.by == "group_key":
            return text
        return datetime.fromisoformat(text) if self.by in {"moment", "cut_off"} else int(text)


NEWEST = Section("moment", descending=True)
# The sections of each order: rows that have no value in one stand in the next. How urgency is weighed: urgency.py.
ORDERS = {
    "urgency": (Section("cut_off", False), Section("stake", True), Section("decide_by", False)),
    "newest": (NEWEST,),
    "age": (Section("moment", False),),
    "due": (Section("cut_off", False), NEWEST),
    "value": (Section("amount_minor", True), NEWEST),
    "risk": (Section("risk", True), NEWEST),
    "requester": (Section("group_key", False), NEWEST),
    "merchant": (Section("group_key", False), NEWEST),
}


@dataclass(frozen=True)
class InboxCursor:
    """Where a page ended: the section, the value that it is in the order of, the source and the number of its last row."""

    section: int
    value: Place
    source: str
    id: int

    def __str__(self) -> str:
        value = self.value.isoformat() if isinstance(self.value, datetime) else self.value
        raw = f"{self.section}~{value}~{self.source}~{self.id}"
        return base64.urlsafe_b64encode(raw.encode()).decode().rstrip("=")

    @classmethod
    def read(cls, text: str, order: str) -> Self:
        """The cursor of an address; ValueError for anything that is none, or of a list in another order."""
        try:
            raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
        except (binascii.Error, UnicodeDecodeError) as error:
            raise ValueError("not a cursor") from error
        section, _, rest = raw.partition("~")
        # A value may hold anything.
        value, source, row = rest.rsplit("~", 2)
        sections = dict(enumerate(ORDERS[order]))
        if int(section) not in sections:
            raise ValueError("not a cursor")
        cursor = cls(int(section), sections[int(section)].read(value), source, int(row))
        if source not in SOURCES or not 0 <= cursor.id < 2**63 or not _in_range(cursor.value):
            raise ValueError("not a cursor")
        return cursor


def _in_range(value: Place) -> bool:
    if isinstance(value, str):
        return "\0" not in value and len(value) < LONGEST_GROUP
    return abs(value) < 2**63 if isinstance(value, int) else value.tzinfo is not None


@dataclass(frozen=True)
class Filters:
    """The filters of an address, read without trust; `problems` says per name what could not be understood."""

    show: str = "mine"
    lane: str = ""
    kind: str = ""
    team: str = ""
    risk: str = ""
    currency: str = ""
    q: str = ""
    sort: str = ""
    cursor: InboxCursor | None = None
    problems: dict[str, str] = field(default_factory=dict, compare=False)

    @classmethod
    def read(cls, given: QueryDict, show: str = "mine") -> Self:
        """From the address's query; `show` is the tab where none is named."""
        values = {name: given.get(name, "").strip() for name in NAMES}
        values["show"] = values["show"] or show
        problems = {}
        for name, allowed in (("show", TABS), ("lane", LANES), ("kind", KINDS), ("risk", RISKS), ("sort", SORTS)):
            if values[name] not in allowed:
                problems[name] = f"“{values[name][:20]}” is not a valid choice."
                values[name] = show if name == "show" else ""
        if values["sort"] != _sort_of(values):
            problems["sort"], values["sort"] = f"Only what waits for you can be sorted by {values['sort']}.", ""
        if values["lane"] and values["show"] != "mine":
            problems["lane"], values["lane"] = "Only what waits for you is looked through for what looks clean.", ""
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
                cursor = InboxCursor.read(after, _order_of(values["show"], values["sort"]))
            except ValueError:
                problems["after"] = "This page of the list is no longer available; this is the first page."
        return cls(**values, cursor=cursor, problems=problems)

    @property
    def order(self) -> str:
        """The order of the rows, a key of ORDERS: what waits for oneself stands by its urgency, all else newest first."""
        return _order_of(self.show, self.sort)

    @property
    def grouped(self) -> bool:
        """Whether the rows stand in groups with a head."""
        return self.order in GROUPED

    @property
    def terms(self) -> Q | None:
        """The condition of the search: every word as the beginning of a word, or an amount; None without a search."""
        return matching(self.q, "search", ("currency", "amount_minor"))

    def query(self, **changes: str) -> str:
        """The query of an address like this one with these changes; empty filters are left out."""
        values = {name: getattr(self, name) for name in NAMES} | changes
        values["sort"] = _sort_of(values)
        values["lane"] = values["lane"] if values["show"] == "mine" else ""
        return urlencode({name: value for name, value in values.items() if value})

    @property
    def narrowed(self) -> bool:
        """Whether any filter or search leaves rows of the tab out."""
        return bool(self.lane or self.kind or self.team or self.risk or self.currency or self.q)

    def first_page(self) -> Self:
        """The same filters without a cursor: the first page."""
        return replace(self, cursor=None)


def _sort_of(values: Mapping[str, str]) -> str:
    # On the other tabs stand the reader's own expenses: their order would say what others know of their risk.
    return "" if values["sort"] in {"risk", "urgency"} and values["show"] != "mine" else values["sort"]


def _order_of(show: str, sort: str) -> str:
    return sort or ("urgency" if show == "mine" else "newest")
