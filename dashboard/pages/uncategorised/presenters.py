"""How the queue is shown: its rows with what is likely, and an item with its suggestions to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NotRequired, TypedDict
from urllib.parse import quote, urlencode

from django.urls import reverse
from django.utils.safestring import SafeString

from dashboard import times
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.categorisation.suggestions import Suggestion, suggestions_for
from dashboard.lists.pages import NO_ROWS, NO_TICKS, RenderedPage, rendered_page
from dashboard.lists.query import Query
from dashboard.lists.selection import Selection, selection_of, tick_of
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Expense, Transaction
from dashboard.pages.uncategorised.forms import ChosenCategoryForm
from dashboard.pages.uncategorised.selectors import EXPENSE_QUEUE, QUEUES, Queue, beside, list_of
from dashboard.replica import PRIMARY
from dashboard.web.freshness import Freshness, freshness_of
from dashboard.web.jinja2 import markup
from dashboard.web.submission import new_key

TITLES = {"expense": "Expenses", "transaction": "Other transactions"}


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the queue: `tick` is the value of its box, `is_ticked` whether that is ticked, `likely` why its likeliest category is that, "" without one."""

    key: str
    href: str
    tick: str
    title: str
    about: str
    day: str
    receipt: str
    likely: str
    amount: str
    is_ticked: bool


@dataclass(frozen=True, slots=True)
class QueueItem:
    """An item as the pane shows it: `category` is what it is filed under by now, `filed` its id, `page` its own page's address."""

    key: str
    title: str
    about: str
    day: str
    receipt: str
    amount: str
    category: str
    page: str
    action: str
    filed: str


class QueueContext(TypedDict):
    """What uncategorised/queue.html reads of the list; `ticked_rows` were ticked before and are not on the page, `resume_address` is where one goes
    on once the ticks are kept."""

    tabs: list[tuple[str, str, bool]]
    kind: str
    list_address: str
    query: str
    search: str
    rows: SafeString
    ticked_rows: SafeString
    sheet: RenderedPage
    resume_address: str
    count: int
    next: str
    selection: Selection | None
    problems: list[str]
    fresh: Freshness


class PaneContext(TypedDict):
    """What uncategorised/pane.html reads; `last` is the item that was categorised just now, with its address."""

    kind: str
    item: QueueItem
    before: str
    after: str
    suggestions: list[Suggestion]
    category_names: list[str]
    form: ChosenCategoryForm
    key: str
    chosen: str
    last: NotRequired[tuple[str, str]]


def queue_context(
    actor: Actor, queue: Queue, query: Query, *, alias: str = PRIMARY, ticks: Mapping[str, str] = NO_TICKS
) -> QueueContext:
    """The rows of the page with what is likely for each: as many queries for fifty as for one. The rows are read from the
    database `alias`; `ticks` are the boxes that were ticked before, by the row's id."""
    slug, selection = actor.business.slug, selection_of(actor, query)
    rows = rendered_page(actor, query, ticked=selection is not None, alias=alias, ticks=ticks)
    items = [*rows.ticked_lines, *rows.lines]
    likely = suggestions_for(actor, items, dict(categories_of(actor)) if items else {})
    seen = list_of(queue).seen

    def line(item: Expense | Transaction, tick: str) -> Line:
        return _line(actor, queue, item, likely[item.remote_id], tick, _sought(query.q), item.remote_id in ticks)

    # What was seen of a row is what was seen when it was ticked.
    before = [line(item, ticks[item.remote_id]) for item in rows.ticked_lines]
    lines = [
        line(item, tick_of(quote(item.remote_id, safe=""), [getattr(item, name) for name in seen]))
        for item in rows.lines
    ]
    return {
        "tabs": [(reverse(place.address, args=[slug]), TITLES[place.kind], place is queue) for place in QUEUES],
        "kind": queue.kind,
        "list_address": reverse(queue.address, args=[slug]),
        "query": query.query(),
        "search": query.q,
        "rows": markup("uncategorised/rows.html", rows=lines),
        "ticked_rows": markup("uncategorised/rows.html", rows=before) if before else NO_ROWS,
        "sheet": rows,
        "resume_address": reverse(queue.address, args=[slug]) + _sought(query.q),
        "count": len(lines),
        "next": rows.next,
        "selection": selection if items else None,
        "problems": list(query.problems.values()),
        "fresh": freshness_of(actor.business, alias=alias),
    }


def _line(
    actor: Actor, queue: Queue, item: Expense | Transaction, suggestions: list[Suggestion], tick: str, sought: str,
    is_ticked: bool,
) -> Line:  # fmt: skip
    reasons = [suggestion.reason for suggestion in suggestions if suggestion.basis == suggestions[0].basis]
    return Line(
        item.remote_id, reverse(queue.item_address, args=[actor.business.slug, item.remote_id]) + sought, tick, _title(item),
        _about(item), times.day(getattr(item, queue.moment), actor.business), _receipt(item), "; ".join(reasons),
        item.amount_text, is_ticked,
    )  # fmt: skip


def _sought(search: str) -> str:
    """What an address ends with, so that the list stays searched."""
    return f"?{urlencode({'q': search})}" if search else ""


def _title(item: Expense | Transaction) -> str:
    return (item.merchant if isinstance(item, Expense) else item.counterparty) or item.remote_id


def _about(item: Expense | Transaction) -> str:
    parts = [item.employee_name, item.team_name] if isinstance(item, Expense) else [item.ref, item.description]
    return " · ".join(part for part in parts if part)


def _receipt(item: Expense | Transaction) -> str:
    attached = item.has_receipt if isinstance(item, Expense) else bool(item.payload.get("documents"))
    return "Receipt attached" if attached else "No receipt"


def queue_pane(
    actor: Actor, queue: Queue, query: Query, item: Expense | Transaction, form: ChosenCategoryForm | None = None, key: str = "",
    last: str = "",
) -> PaneContext:  # fmt: skip
    """An item with its suggestions; `last` is the id of what was categorised before it."""
    choices, slug = categories_of(actor), actor.business.slug
    before, after = beside(queue, query, actor, item)
    page = "expenses_item" if queue is EXPENSE_QUEUE else "transactions_item"
    given = form or ChosenCategoryForm(choices=choices)
    context: PaneContext = {
        "kind": queue.kind,
        "item": QueueItem(
            item.remote_id, _title(item), _about(item), times.day(getattr(item, queue.moment), actor.business),
            _receipt(item), item.amount_text, item.category_name, reverse(page, args=[slug, item.remote_id]),
            reverse(queue.form_address, args=[slug, item.remote_id]) if can(actor, queue.operation, item) else "",
            item.subcategory_id,
        ),
        "before": reverse(queue.item_address, args=[slug, before]) + _sought(query.q) if before else "",
        "after": reverse(queue.item_address, args=[slug, after]) + _sought(query.q) if after else "",
        "suggestions": suggestions_for(actor, [item], dict(choices))[item.remote_id],
        "category_names": [label for _, label in choices],
        "form": given,
        "key": key or new_key(),
        "chosen": given.suggested,
    }  # fmt: skip
    if last and (done := queue.visible(actor).filter(remote_id=last).first()) and done.category_name:
        address = reverse(queue.item_address, args=[slug, done.remote_id])
        context["last"] = (f"{_title(done)} is now categorised under {done.category_name}.", address)
    return context


def next_address(actor: Actor, queue: Queue, query: Query, item: Expense | Transaction) -> str:
    """Where one goes on after an item that was filed: what stands after it in the queue as it is searched, else before it,
    else the queue."""
    before, after = beside(queue, query, actor, item)
    slug, following = actor.business.slug, after or before
    address = reverse(queue.item_address, args=[slug, following]) if following else reverse(queue.address, args=[slug])
    return f"{address}?{urlencode({'last': item.remote_id} | ({'q': query.q} if query.q else {}))}"
