"""What every source of a new payout answers: candidates to choose from, what was typed beside one, and rows of the table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from django.db.models import QuerySet

from dashboard.inputs import is_plain
from dashboard.mirror.models import Mirrored
from dashboard.payee_accounts import PayeeKey
from dashboard.search import matching

MAX_SOURCE_ROWS = 200
# A search does not take a tick away: so many are ticked at most, each of which the page shows.
MAX_PICKED = 500
SOURCE_READ_S = 3.0
ENDED = ("COMPLETED", "PARTIALLY_COMPLETED", "FAILED")


@dataclass(frozen=True, slots=True)
class PayableAccount:
    """Where somebody can be paid without typing it: the `word` by which it is chosen, the account whole, and `origin`, where it is
    known from."""

    word: str
    channel: str
    account: str
    bank: str = ""
    reference: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something to be paid: its id, whom or what, where to by the channel's code and the last characters of the account, the
    amount that is proposed, and why it is held, "" where it is not. `vendor_id` is of whose account a second person has to confirm;
    `accounts` are those that can be chosen."""

    id: str
    name: str
    detail: str = ""
    channel: str = ""
    account: str = ""
    amount: str = ""
    held: str = ""
    vendor_id: str = ""
    accounts: tuple[PayableAccount, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchedCandidates:
    """What a page of candidates shows: `matches` of the search, at most MAX_SOURCE_ROWS; whether there are more; and of the ids that
    are ticked `ticked`, those that are not among these matches."""

    matches: list[Candidate]
    has_more: bool
    ticked: list[Candidate]


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed beside a chosen candidate; `channel` may be the word of a PayableAccount."""

    amount: str = ""
    channel: str = ""
    account: str = ""
    bank: str = ""
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class CellProblem:
    """What has to be entered beside a chosen candidate before there is a table: its id, the field (one of Typed's), a sentence."""

    candidate_id: str
    field: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """Rows of the table by our column names, and a sentence for everything that was chosen and is left out. `vendors` are the ids
    of the vendors that the rows pay, by account; an account that two of them have is nobody's. `held_vendors` are the ids of those
    left out since their account waits for a second person; `problems` instead of a table."""

    rows: list[dict[str, str]]
    left_out: list[str]
    vendors: dict[PayeeKey, str] = field(default_factory=dict)
    held_vendors: list[str] = field(default_factory=list)
    problems: list[CellProblem] = field(default_factory=list)


ChosenPayees = Mapping[str, Typed]


Payable = TypeVar("Payable", bound=Mirrored)


def find_candidates(
    rows: QuerySet[Payable], term: str, ids: Collection[str], present: Callable[[Sequence[Payable]], list[Candidate]]
) -> MatchedCandidates:
    """The first of `rows` that match the words of a search, as their list is searched, and whichever have these ids and are not among
    them; each told as a candidate by `present`, which is asked once."""
    first = list(_matches(rows, term)[: MAX_SOURCE_ROWS + 1])
    visible = first[:MAX_SOURCE_ROWS]
    others = set(ids) - {row.remote_id for row in visible}
    ticked = list(rows.filter(remote_id__in=others)) if others else []
    candidates = present([*visible, *ticked])
    return MatchedCandidates(candidates[: len(visible)], len(first) > len(visible), candidates[len(visible) :])


def _matches(rows: QuerySet[Payable], term: str) -> QuerySet[Payable]:
    if not term:
        return rows
    terms = matching(term, "search") if is_plain(term) else None
    return rows.filter(terms) if terms is not None else rows.none()
