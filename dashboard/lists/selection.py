"""The selection in a list: what stands in each row's box, and the bar with the actions for whatever is ticked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote
from zlib import crc32

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from dashboard.access.actor import Actor
from dashboard.lists.actions import Action, offered_actions
from dashboard.lists.columns import List
from dashboard.lists.query import Query

# Quoted ids hold no colon.
BETWEEN = ":"


@dataclass(frozen=True)
class Selection:
    """What the page needs so that rows can be ticked: where the form goes, the bar with the actions, and whether ticks are kept while
    one looks at other pages (dashboard/lists/stored_ticks.py)."""

    address: str
    bar: SafeString
    stores_ticks: bool


def stores_ticks(of: List) -> bool:
    """Whether a list keeps its ticks: one of which something can be done to several rows, by its own actions or by the inbox's."""
    return bool(of.actions) or of.has_box is not None


def tick_of(quoted_id: str, seen: Iterable[object]) -> str:
    """The value of a row's box: which row, and what was seen of it."""
    return f"{quoted_id}{BETWEEN}{seen_digest(seen)}"


def ticked_row_id(box: str) -> str:
    """The id of the row whose box that is; one that the inbox takes names the kind before it, "card-order/<id>"."""
    return unquote(box.partition(BETWEEN)[0].rpartition("/")[2])


def seen_digest(seen: Iterable[object]) -> str:
    """What was seen of a row, short: no proof and no secret, it only tells whether the row looks different now."""
    return f"{crc32('~'.join(map(str, seen)).encode()):x}"


def read_selection(boxes: Iterable[str]) -> dict[str, str]:
    """Which rows were ticked, each with the digest of what was seen of it ("" where there is none)."""
    parts = (box.partition(BETWEEN) for box in boxes)
    return {unquote(remote_id): digest for remote_id, _, digest in parts if "\x00" not in unquote(remote_id)}


def selection_of(actor: Actor, query: Query) -> Selection | None:
    """The selection in a list as it was asked for; None where this person can do nothing to several of its rows."""
    of = query.of
    if not of.actions:
        return None
    actions = offered_actions(actor, of.actions, query.chosen.get("status", ""))
    return _selection(of, actions, actor.business.slug) if actions else None


@lru_cache(maxsize=512)
def _selection(of: List, actions: tuple[Action, ...], slug: str) -> Selection:
    bar: str = render_to_string("lists/actions.html", {"actions": actions, "of": of})
    return Selection(reverse("list_plan", args=[slug, of.name]), mark_safe(bar), stores_ticks(of))  # noqa: S308 - escaped by our template
