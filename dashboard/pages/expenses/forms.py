"""What comes in from the expenses pages: the filters of the address, new notes, another category."""

import base64
import binascii
import re
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Self
from urllib.parse import urlencode

from django import forms
from django.contrib.postgres.search import SearchQuery
from django.db.models import Q
from django.http import QueryDict

STATUSES = ("", "PENDING", "APPROVED", "REJECTED", "DETAILS_REQUESTED", "REFUNDED")
SORTS = ("-date", "date", "-amount", "amount")
COLUMNS = ("who", "team", "category", "date", "state", "risk", "receipt")
DEFAULT_COLUMNS = ("who", "team", "category", "date", "state")
NAMES = ("status", "team", "currency", "since", "until", "q", "sort", "cols")
LONGEST_SEARCH = 100


@dataclass(frozen=True)
class Cursor:
    """Where a page ended: the value it is sorted by, and the row number of its last row."""

    value: datetime | int
    id: int

    def __str__(self) -> str:
        value = self.value.isoformat() if isinstance(self.value, datetime) else str(self.value)
        return base64.urlsafe_b64encode(f"{value}~{self.id}".encode()).decode().rstrip("=")

    @classmethod
    def read(cls, text: str, sort: str) -> Self:
        """The cursor of an address; ValueError for anything that is none of this sort."""
        try:
            value, row = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().split("~")
        except (binascii.Error, UnicodeDecodeError) as error:
            raise ValueError("not a cursor") from error
        if sort.endswith("amount"):
            return cls(int(value), int(row))
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            raise ValueError("not a cursor")
        return cls(moment, int(row))


@dataclass(frozen=True)
class Filters:
    """The filters of an address, read without trust; `problems` says per name what could not be understood."""

    status: str = ""
    team: str = ""
    currency: str = ""
    since: str = ""
    until: str = ""
    q: str = ""
    sort: str = "-date"
    cols: str = ""
    cursor: Cursor | None = None
    problems: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, given: QueryDict) -> Self:
        """From the address's query."""
        values: dict[str, Any] = {name: given.get(name, "").strip() for name in NAMES}
        values["sort"] = values["sort"] or "-date"
        values["cols"] = ",".join(name for name in COLUMNS if name in given.getlist("col")) or values["cols"]
        problems: dict[str, str] = {}

        def wrong(name: str, sentence: str, instead: str = "") -> None:
            problems[name], values[name] = sentence, instead

        if values["status"] not in STATUSES:
            wrong("status", "There is no such state.")
        if values["sort"] not in SORTS:
            wrong("sort", "Sort by date or amount.", "-date")
        if values["currency"] and not re.fullmatch(r"[A-Z]{3}", values["currency"]):
            wrong("currency", "A currency is three capital letters, such as KES.")
        for name in ("since", "until"):
            if values[name] and not _is_day(values[name]):
                wrong(name, "Write the day as 2026-11-20.")
        if len(values["q"]) > LONGEST_SEARCH or any("\x00" in value for value in values.values()):
            wrong("q", f"Search with at most {LONGEST_SEARCH} letters and digits.")
        found = cls(problems=problems, **values)
        if after := given.get("after"):
            try:
                return replace(found, cursor=Cursor.read(after, found.sort))
            except ValueError:
                problems["after"] = "The page of this address is no longer known; this is the first one."
        return found

    @property
    def columns(self) -> tuple[str, ...]:
        """The chosen columns, in the table's order."""
        chosen = self.cols.split(",")
        return tuple(name for name in COLUMNS if name in chosen) or DEFAULT_COLUMNS

    @property
    def terms(self) -> Q | None:
        """What the search looks for: every word as a beginning of a word, or an amount as it is written."""
        words = re.findall(r"\w+", self.q)
        if not words:
            return None
        found = Q(search=SearchQuery(" & ".join(f"{word}:*" for word in words), search_type="raw", config="simple"))
        if number := re.fullmatch(r"(\d{1,3}(?:,?\d{3})*|\d{1,12})(?:\.(\d{2}))?", self.q):
            found |= Q(amount_minor=int(number[1].replace(",", "")) * 100 + int(number[2] or 0))
        return found

    def query(self, **changes: str) -> str:
        """The query of an address like this one with these changes; empty filters are left out."""
        values = {name: getattr(self, name) for name in NAMES} | changes
        values["sort"] = "" if values["sort"] == "-date" else values["sort"]
        return urlencode({name: value for name, value in values.items() if value})


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


class NotesForm(forms.Form):
    """What the expense was for."""

    notes = forms.CharField(max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 3}))


class CategoryForm(forms.Form):
    """Where the expense belongs: one of the business's subcategories."""

    subcategory_id = forms.ChoiceField(label="Category")

    def __init__(self, *args: object, choices: list[tuple[str, str]], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        field_ = self.fields["subcategory_id"]
        assert isinstance(field_, forms.ChoiceField)
        field_.choices = choices
        field_.error_messages["invalid_choice"] = "Choose one of the categories."
