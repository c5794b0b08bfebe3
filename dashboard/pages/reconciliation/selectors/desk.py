"""What a person asks a desk for: its filter, the page of each of its lists, and what is ticked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest

from dashboard.inputs import DAY, LARGEST_MINOR, page_number, whole_number
from dashboard.mirror.models import Wallet

LIVE_S = 8.0
CURSOR = re.compile(r"[A-Za-z0-9_-]{1,400}")
REMOTE_ID = re.compile(r"[0-9a-f]{24}")
# How many rows of a side are matched at once.
MOST_OF_A_SIDE = 100
# Where the session has what is ticked, by wallet.
SELECTED = "reconciliation_selected"


@dataclass(frozen=True, slots=True)
class DeskFilter:
    """Which rows of a desk are shown: of a text, an amount in minor units in or out, and days; and by how much the sums of what
    is suggested may differ."""

    text: str = ""
    amount_minor: int | None = None
    first: date | None = None
    last: date | None = None
    tolerance_minor: int = 0

    def query(self) -> dict[str, str | int]:
        """As the service's lists are asked for it."""
        conditions: dict[str, str | int | None] = {
            "search": self.text or None, "amount_minor": self.amount_minor,
            "from": self.first.isoformat() if self.first else None, "to": self.last.isoformat() if self.last else None,
        }  # fmt: skip
        return {name: value for name, value in conditions.items() if value is not None}


@dataclass(frozen=True, slots=True)
class DeskPages:
    """Which page of each list of a desk is shown; entries go on below `before_seq`, 0 for the newest, the others behind a cursor,
    "" where only the number of the page is known. Suggestions are those of the window of days that begins with `window`, "" for the
    oldest."""

    lines: int = 1
    before_seq: int = 0
    suggested: int = 1
    matched: int = 1
    statements: int = 1
    lines_after: str = ""
    matched_after: str = ""
    suggested_after: str = ""
    statements_after: str = ""
    window: str = ""


FIRST_PAGES = DeskPages()


def desk_pages(sent: Mapping[str, str]) -> DeskPages:
    """The pages that an address asks for; the first of each for what is none."""
    numbers = {name: page_number(sent, name=name) for name in ("lines", "suggested", "matched", "statements")}
    return DeskPages(
        **numbers,
        lines_after=_cursor(sent.get("lines_after", "")),
        matched_after=_cursor(sent.get("matched_after", "")),
        suggested_after=_cursor(sent.get("suggested_after", "")),
        statements_after=_cursor(sent.get("statements_after", "")),
        before_seq=whole_number(sent.get("before", ""), LARGEST_MINOR) or 0,
        window=_day(sent.get("window", "")),
    )


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat() if DAY.fullmatch(text) else ""
    except ValueError:
        return ""


def _cursor(text: str) -> str:
    return text if CURSOR.fullmatch(text) else ""


@dataclass(frozen=True, slots=True)
class MatchSelection:
    """What is ticked of a wallet's desk, over all its pages: bank lines by their ids and entries by their seq as text, each with
    its amount in minor units."""

    lines: dict[str, int]
    entries: dict[str, int]


NOTHING_SELECTED = MatchSelection({}, {})


def match_selection(request: HttpRequest, wallet: Wallet) -> MatchSelection:
    """What the person of this session has ticked of the wallet's desk."""
    stored = request.session.get(SELECTED, {}).get(wallet.remote_id, {})
    return MatchSelection(dict(stored.get("lines", {})), dict(stored.get("entries", {})))


def page_place(number: int, cursor: str) -> dict[str, str | int]:
    """Where a page of a list begins: behind the cursor, by key; by its number alone where there is none."""
    return {"cursor": cursor} if cursor else {"page": number}
