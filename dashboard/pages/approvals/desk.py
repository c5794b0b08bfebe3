"""The desk: the list on the left, the item on the right, and where one goes after a decision."""

from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db import connection
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.scopes import visible_teams
from dashboard.decisions.models import OPEN, Decision, State
from dashboard.decisions.requests import DECIDED
from dashboard.decisions.things import visible
from dashboard.delegation.shown import marked
from dashboard.pages.approvals.forms import Filters, new_key
from dashboard.pages.approvals.order import Thing, cursor_of
from dashboard.pages.approvals.sources import PAYMENT, decides, votes
from dashboard.pages.approvals.table import Row, neighbour, sheet
from dashboard.web.item_of import item_of
from dashboard.web.respond import page, wants_fragment
from dashboard.web.stencil import filled

TEMPLATE = "approvals/inbox.html"
MOST_OPEN = 500
SAID = {"mine": "wait for you", "others": "wait for others", "decided": "decided"}
PICKS = {
    "kind": (
        ("", "Any kind"),
        ("expense", "Expenses"),
        ("payment", "Payments"),
        ("bill", "Bill payments"),
        ("card", "Cards"),
        ("fund", "Funds"),
        ("policy", "Policy exceptions"),
        ("transaction", "Transactions by hand"),
    ),
    "risk": (("", "Any risk"), ("medium", "Medium or more"), ("high", "High or more")),
}
# A request for votes is a payment in the inbox; whatever else is called what decisions call it.
KIND_OF = {PAYMENT: "approval"}
KEYED = {kind: key for key, kind in KIND_OF.items()}
SHOWN = {"mine": "Waiting for me", "others": "Waiting for others", "decided": "Decided"}


def filters_of(request: ActorRequest) -> Filters:
    """The filters of the address, or of the list a decision was taken from (`list`)."""
    default = "mine" if decides(request.actor) or votes(request.actor) else "others"
    given = request.GET
    if request.method == "POST":
        given = QueryDict(request.POST.get("list", "")[:1000])
    return Filters.read(given, default)


def thing_of(actor: Actor, kind: str, remote_id: str) -> Thing:
    """The thing as the actor sees it; Http404 where it is not theirs to see. `kind` is as decisions name it."""
    found: Thing = get_object_or_404(visible(actor, kind), remote_id=remote_id)
    return found


def thing_by(actor: Actor, key: str) -> Thing:
    """The thing of a key of the inbox."""
    kind, _, remote_id = key.partition("/")
    return thing_of(actor, KIND_OF.get(kind, kind.replace("-", "_")), remote_id)


def show_desk(request: ActorRequest, thing: Thing | None = None, status: int = 200, **pane: Any) -> HttpResponse:
    """The desk with this thing on the right: the whole page, or for a swap the pane alone."""
    filters = filters_of(request)
    context = {"filters": filters, "query": filters.query(), "picks": PICKS} | pane
    if thing is not None:
        context |= pane_of(request.actor, filters, thing, pane.get("key", ""))
    if thing is None or not wants_fragment(request):
        context |= _list(request.actor, filters)
    fragments = ("pane",) if thing is not None else ("list",)
    return page(request, TEMPLATE, context, fragments=fragments, status=status if not filters.problems else 400)


def pane_of(actor: Actor, filters: Filters, thing: Thing, key: str = "") -> dict[str, Any]:
    """What the pane needs: the item, a key for its form, and what stands before and after it."""
    cursor = cursor_of(thing, filters)
    before, after = (neighbour(actor, filters, cursor, forward=forward) for forward in (False, True))
    return {"item": item_of(actor, thing), "key": key or new_key(), "before": before, "after": after}


def _list(actor: Actor, filters: Filters) -> dict[str, Any]:
    now = timezone.now()
    skip, toasts = open_decisions(actor, now)
    found = sheet(actor, filters, now, skip if filters.show == "mine" else frozenset())
    where = {"list_address": reverse("approvals", args=[actor.business.slug]), "query": filters.query()}
    return {
        "rows": "" if filters.problems else filled(f"{TEMPLATE}#row", Row._fields, marked(actor, found.rows), **where),
        "next": found.next,
        "shows": SHOWN.items(),
        "title": SHOWN[filters.show],
        "toasts": toasts,
        "pickers": pickers(where["query"], filters.team),
        "rendered_at": now.isoformat(),
        "list_address": where["list_address"],
    }


@lru_cache(maxsize=512)
def pickers(query: str, team: str) -> SafeString:
    """The drop-down filters of an address, as long as the teams are not known: the same for everyone."""
    context = {"filters": Filters.read(QueryDict(query)), "picks": PICKS, "teams": [(team, "chosen")] if team else []}
    return mark_safe(render_to_string("approvals/pickers.html", context))  # noqa: S308 - our own template


def teams_of(actor: Actor) -> list[tuple[str, str]]:
    """The teams to choose from, by name: (id, name)."""
    return list(visible_teams(actor).order_by("name").values_list("remote_id", "name")[:200])


def open_decisions(actor: Actor, now: datetime) -> tuple[frozenset[str], list[dict[str, Any]]]:
    """Keys of items whose decision is on its way, and the toasts of those that this person can still undo."""
    skip, toasts = set(), []
    with connection.cursor() as cursor:
        cursor.execute(*_open_statement(actor.business.pk))
        for pk, membership, operation, kind, thing, title, state, due_at, bulk in cursor.fetchall():
            mine = membership == actor.membership_id
            if kind != "approval" or mine:
                skip.add(f"{KEYED.get(kind) or kind.replace('_', '-')}/{thing}")
            if mine and state == State.WAITING and due_at > now and bulk is None:
                told = DECIDED[operation].sentence(title)
                seconds = max(1, int((due_at - now).total_seconds()))
                toasts.append({"id": pk, "told": told, "open": True, "seconds": seconds})
    return frozenset(skip), toasts


@lru_cache(maxsize=1024)
def _open_statement(business_id: int) -> tuple[str, tuple[Any, ...]]:
    # Votes and other decisions each have an index of what is open: two looks of a page each, never through the history.
    columns = ("id", "membership_id", "operation", "object_type", "object_id", "title", "state", "due_at", "bulk_id")
    found = Decision.objects.filter(business_id=business_id, state__in=OPEN).values_list(*columns)
    votes, others = (found.filter(is_vote=vote)[:MOST_OPEN] for vote in (True, False))
    sql, params = votes.union(others, all=True).query.sql_with_params()
    return sql, tuple(params)


def address_of(actor: Actor, key: str | Row | None, query: str) -> str:
    """The address of an item in the list it was opened from, or of the list where there is none."""
    if isinstance(key, Row):
        key = key.key
    base = reverse("approvals", args=[actor.business.slug])
    address = f"{base}{key}/" if key else base
    return f"{address}?{query}" if query else address
