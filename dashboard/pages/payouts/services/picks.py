"""Who is ticked on a source of a new payout, and what is typed beside them: kept while one searches for others.

A page posts its ticks with its search, and the address of the next one names where they are kept: a reload and Back show them as
they were, two tabs have ticks of their own, and all of it works without JavaScript.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from django.http import QueryDict

from dashboard import cache
from dashboard.access.actor import Actor
from dashboard.access.secrets import SecretUnreadable, seal, unseal
from dashboard.inputs import is_plain
from dashboard.pages.payouts.selectors.candidates import MAX_PICKED, MAX_SOURCE_ROWS, Typed

PICKED = "pick"
FIELDS = ("amount", "channel", "account", "bank", "purpose")
# As many as a page can show: those that were ticked before, and those that matched.
MAX_ROWS = MAX_PICKED + MAX_SOURCE_ROWS
MAX_TYPED = 200
# A morning's work; nobody needs it the next day.
LASTS_S = 6 * 3600
NONE_PICKED = "Choose at least one row."
TOO_MANY = "At most {most} can be chosen at a time. Clear {over} of the {count} that are selected."


@dataclass(frozen=True, slots=True)
class Picks:
    """The ids that are ticked, in their order, and what is typed by id, ticked or not."""

    ids: tuple[str, ...] = ()
    typed: dict[str, Typed] = field(default_factory=dict)

    @property
    def problem(self) -> str:
        """The sentence that says why there is no table of these, "" where there is."""
        if not self.ids:
            return NONE_PICKED
        over = len(self.ids) - MAX_PICKED
        return TOO_MANY.format(most=MAX_PICKED, over=over, count=len(self.ids)) if over > 0 else ""

    def chosen(self) -> dict[str, Typed]:
        """What is typed beside each that is ticked."""
        return {row_id: self.typed.get(row_id, Typed()) for row_id in self.ids}


def posted_picks(post: QueryDict, before: Picks) -> Picks:
    """What a page of candidates has posted. It shows everything that is ticked, so that of ticks nothing else counts; what was typed
    `before` beside others stays."""
    typed: dict[str, dict[str, str]] = {}
    for name, text in post.items():
        field_name, _, row_id = name.partition("-")
        is_cell = field_name in FIELDS and (row_id in typed or len(typed) < MAX_ROWS)
        if is_cell and isinstance(text, str) and is_plain(row_id):
            typed.setdefault(row_id, {})[field_name] = text.strip()[:MAX_TYPED]
    ids = _sound(post.getlist(PICKED))
    here = {row_id: Typed(**cells) for row_id, cells in typed.items()}
    worth = {row_id: cells for row_id, cells in here.items() if row_id in ids or _is_typed(cells)}
    return Picks(ids, dict(list((worth | _elsewhere(before, here)).items())[:MAX_ROWS]))


def _is_typed(cells: Typed) -> bool:
    # A channel is chosen in every row: by itself it says nothing.
    return bool(cells.amount or cells.account or cells.bank or cells.purpose)


def _elsewhere(before: Picks, here: dict[str, Typed]) -> dict[str, Typed]:
    return {row_id: cells for row_id, cells in before.typed.items() if row_id not in here}


def _sound(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(row_id for row_id in ids if row_id and is_plain(row_id)))[:MAX_ROWS]


def store_picks(actor: Actor, source: str, picks: Picks) -> str:
    """Keeps them for their person; answers the word by which `load_picks` finds them, "" where they cannot be kept. Accounts are among
    what is typed: they are kept sealed."""
    word = uuid.uuid4().hex
    text = json.dumps({"ids": picks.ids, "typed": {row_id: asdict(cells) for row_id, cells in picks.typed.items()}})
    cache.store(_name_of(actor, source, word), seal(text), LASTS_S)
    return word if load_picks(actor, source, word) is not None else ""


def load_picks(actor: Actor, source: str, word: str) -> Picks | None:
    """The ticks that this person's page of the source kept under a word; None where nothing is kept under it."""
    if not word.isalnum() or not word.isascii():
        return None
    sealed = cache.load(_name_of(actor, source, word[:64]))
    try:
        stored = json.loads(unseal(sealed)) if sealed else None
    except SecretUnreadable:
        return None
    if stored is None:
        return None
    return Picks(tuple(stored["ids"]), {row_id: Typed(**cells) for row_id, cells in stored["typed"].items()})


def _name_of(actor: Actor, source: str, word: str) -> str:
    return f"payout-picks:{actor.business.pk}:{actor.member_id}:{source}:{word}"
