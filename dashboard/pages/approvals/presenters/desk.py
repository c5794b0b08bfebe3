"""The desk on the screen: its tabs and filters, the list on the left, the item on the right, the toasts of what waits."""

from collections.abc import ItemsView
from datetime import datetime
from functools import lru_cache
from typing import TypedDict

from django.http import QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.decisions.clean import RULE
from dashboard.decisions.cursors import InboxRow, cursor_of
from dashboard.decisions.desk_items import DeskItem, desk_item_of
from dashboard.decisions.filters import Filters
from dashboard.decisions.inbox import neighbour
from dashboard.decisions.preconditions import blocks_of, may_override
from dashboard.decisions.presenters import ToastContext
from dashboard.decisions.registry import DECIDED
from dashboard.decisions.selectors import confirms, decides
from dashboard.delegation.presenters import with_delegators
from dashboard.mirror.models import Expense
from dashboard.pages.approvals.presenters.access_changes import AccessChangeItem, access_change_item
from dashboard.pages.approvals.presenters.documents import with_notes
from dashboard.pages.approvals.presenters.duplicates import Comparison, comparisons_of
from dashboard.pages.approvals.presenters.red_flags import without_dismissed
from dashboard.pages.approvals.selectors.desk import OpenDecision, open_decisions
from dashboard.pages.approvals.tables.inbox import inbox_page
from dashboard.proposals.models import Proposal
from dashboard.times import milliseconds, seconds_left
from dashboard.web.jinja2 import markup
from dashboard.web.submission import new_key

TEMPLATE = "approvals/inbox.html"
SORTED_BY = (
    ("urgency", "Urgency"),
    ("newest", "Newest first"),
    ("age", "Oldest first"),
    ("due", "Cut-off"),
    ("risk", "Risk"),
    ("value", "Amount"),
    ("requester", "Grouped by requester"),
    ("merchant", "Grouped by merchant"),
)
# Only what waits for oneself stands in these orders.
OF_MINE = frozenset({"urgency", "risk", "due"})
TABS = {"mine": "Waiting for me", "others": "Waiting for others", "decided": "Decided"}
# How the totals of a tab say what its items do.
TAB_VERBS = {"mine": "wait for you", "others": "wait for others", "decided": "decided"}
PICKS = {
    "kind": (
        ("", "Any kind"),
        ("expense", "Expenses"),
        ("payment", "Payments"),
        ("bill", "Bill payments"),
        ("card", "Cards"),
        ("fund", "Funds"),
        ("policy", "Policy exceptions"),
        ("transaction", "Manual transactions"),
    ),
    "risk": (("", "Any risk"), ("medium", "Medium or more"), ("high", "High or more")),
}
# Whoever can be the second admin chooses these, too.
CHANGES = ("access", "Access changes")


def desk_address(actor: Actor, key: str, query: str) -> str:
    """The address of the item with this key in the list it was opened from, or of the list where the key is ""."""
    base = reverse("approvals", args=[actor.business.slug])
    address = f"{base}{key}/" if key else base
    return f"{address}?{query}" if query else address


class DeskContext(TypedDict):
    """What every part of the desk reads; `picks` is what the filters choose from, `clean_rule` says what looks clean to
    those who have that lane."""

    filters: Filters
    query: str
    picks: dict[str, tuple[tuple[str, str], ...]]
    has_clean_lane: bool
    clean_rule: str


class PaneContext(TypedDict):
    """What the pane reads: the item, the key of its form, the keys of the items beside it, what a policy says against
    approving it, with whether the actor may override that, what of it they may correct ("category", "tags"; {} where nothing
    is), and `comparisons` with the payments that its risk names."""

    item: DeskItem | AccessChangeItem
    key: str
    before: str
    after: str
    blocks: list[str]
    may_override: Verdict
    corrections: dict[str, bool]
    comparisons: list[Comparison]


class ListContext(TypedDict):
    """What the list reads; `rows` and the `head` of their columns are rendered, `next` is where the next page begins, `first`
    is the key of the first row, "" without rows; `shows` are the tabs.
    """

    rows: str
    next: str
    first: str
    shows: ItemsView[str, str]
    title: str
    toasts: list[ToastContext]
    pickers: SafeString
    head: SafeString
    rendered_at: str
    list_address: str


def desk_context(actor: Actor, filters: Filters) -> DeskContext:
    """The filters of the desk, as they are set and as they can be."""
    return {
        "filters": filters,
        "query": filters.query(),
        "picks": picks_of(confirms(actor), filters.show),
        "has_clean_lane": decides(actor),
        "clean_rule": RULE,
    }


def pane_context(
    actor: Actor, filters: Filters, subject: InboxRow, key: str = "", beside: tuple[str, str] | None = None
) -> PaneContext:
    """The item of a subject between those beside it, which are looked up unless they are given."""
    cursor = cursor_of(subject, filters)
    before, after = beside or (neighbour(actor, filters, cursor, forward=forward) for forward in (False, True))
    item: DeskItem | AccessChangeItem
    blocks: list[str] = []
    comparisons: list[Comparison] = []
    if isinstance(subject, Proposal):
        item = access_change_item(actor, subject)
    else:
        item = without_dismissed(actor.business, desk_item_of(actor, subject))
        comparisons = comparisons_of(actor, subject, item.papers)
        if any(choice.verb == "approve" for choice in item.allowed):
            blocks = blocks_of(actor.business, [subject]).get(subject.remote_id, [])
    return {
        "item": item,
        "key": key or new_key(),
        "before": before,
        "after": after,
        "blocks": blocks,
        "may_override": may_override(actor),
        "corrections": _corrections(actor, subject),
        "comparisons": comparisons,
    }


def _corrections(actor: Actor, subject: InboxRow) -> dict[str, bool]:
    if not isinstance(subject, Expense):
        return {}
    may = {
        "category": bool(can(actor, operations.CATEGORISE_EXPENSE, subject)),
        "tags": bool(can(actor, operations_extra.TAG_EXPENSE, subject)),
    }
    return may if any(may.values()) else {}


def list_context(actor: Actor, filters: Filters) -> ListContext:
    """The first page of the list, and the toasts of what can still be undone."""
    now = timezone.now()
    skip, undoable = open_decisions(actor, now)
    lines = inbox_page(actor, filters, now, skip if filters.show == "mine" else frozenset())
    where = {"list_address": desk_address(actor, "", ""), "query": filters.query()}
    return {
        "rows": ""
        if filters.problems
        else markup(
            "approvals/rows.html",
            rows=with_notes(actor.business, with_delegators(actor, lines.rows)),
            heads=lines.heads,
            is_mine=filters.show == "mine",
            **where,
        ),
        "next": lines.next,
        "first": lines.rows[0].key if lines.rows and not filters.problems else "",
        "shows": TABS.items(),
        "title": TABS[filters.show],
        "toasts": [undo_toast(decision, now) for decision in undoable],
        "pickers": pickers(where["query"], filters.team, confirms(actor)),
        "head": head_of(where["query"]),
        "rendered_at": now.isoformat(),
        "list_address": where["list_address"],
    }


def undo_toast(open_decision: OpenDecision, now: datetime) -> ToastContext:
    """The toast of a decision that can still be undone."""
    sentence = DECIDED[open_decision.operation].sentence(open_decision.title)
    return {
        "id": open_decision.pk,
        "sentence": sentence,
        "open": True,
        # What can be undone was read a moment before: in its last second it is shown as that.
        "seconds": max(1, seconds_left(open_decision.due_at, now)),
        "due": milliseconds(open_decision.due_at),
    }


@lru_cache(maxsize=512)
def pickers(query: str, team: str, confirming: bool) -> SafeString:
    """The drop-down filters of an address, as long as the teams are not known: the same for all who choose the same."""
    filters = Filters.read(QueryDict(query))
    context = {
        "filters": filters,
        "picks": picks_of(confirming, filters.show),
        "teams": [(team, "chosen")] if team else None,
    }
    return render_to_string("approvals/pickers.html", context)


@lru_cache(maxsize=512)
def head_of(query: str) -> SafeString:
    """The heads of the columns, of the list with this query: the same for all who see the same."""
    context = {"filters": Filters.read(QueryDict(query))}
    return render_to_string("approvals/head.html", context)


def picks_of(confirming: bool, show: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """What the filters "kind" and "risk" and the order choose from: (value, label); changes of access for whoever confirms
    them, and on each tab the orders that it has."""
    orders = tuple((order, label) for order, label in SORTED_BY if show == "mine" or order not in OF_MINE)
    kinds = (*PICKS["kind"], CHANGES) if confirming else PICKS["kind"]
    return {**PICKS, "kind": kinds, "sort": orders}
