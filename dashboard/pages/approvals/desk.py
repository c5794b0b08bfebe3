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
from dashboard.decisions.filters import Filters
from dashboard.decisions.items import item_of
from dashboard.decisions.models import OPEN, Decision, State
from dashboard.decisions.registry import DECIDED, visible
from dashboard.decisions.selectors import CHANGE, PAYMENT, confirms, decides, votes
from dashboard.delegation.presenters import with_delegators
from dashboard.mirror.scopes import visible_teams
from dashboard.pages.approvals.order import Mirrored, Thing, cursor_of, source_of
from dashboard.pages.approvals.presenters.changes import change_item
from dashboard.pages.approvals.table import Row, key_of, neighbour, sheet
from dashboard.proposals.models import Proposal
from dashboard.proposals.selectors import visible_proposals, waiting_on
from dashboard.times import milliseconds
from dashboard.web.jinja2 import markup
from dashboard.web.respond import page, wants_fragment
from dashboard.web.submission import new_key

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
# Whoever can be the second admin chooses these, too.
CHANGES = ("access", "Access changes")
# A request for votes is a payment in the inbox; whatever else is called what decisions call it.
KIND_OF = {PAYMENT: "approval"}
KEYED = {kind: key for key, kind in KIND_OF.items()}
SHOWN = {"mine": "Waiting for me", "others": "Waiting for others", "decided": "Decided"}


def filters_of(request: ActorRequest) -> Filters:
    """The filters of the address, or of the list a decision was taken from (`list`)."""
    given = request.GET
    if request.method == "POST":
        given = QueryDict(request.POST.get("list", "")[:1000])
    return Filters.read(given, "mine" if given.get("show") in SHOWN else _first_tab(request.actor))


def _first_tab(actor: Actor) -> str:
    # A super admin decides on changes of access alone: that tab comes first where one waits.
    if decides(actor) or votes(actor):
        return "mine"
    return "mine" if confirms(actor) and waiting_on(actor).exists() else "others"


def thing_of(actor: Actor, kind: str, remote_id: str) -> Mirrored:
    """The thing as the actor sees it; Http404 where it is not theirs to see. `kind` is as decisions name it."""
    found: Mirrored = get_object_or_404(visible(actor, kind), remote_id=remote_id)
    return found


def change_of(actor: Actor, proposal_id: int) -> Proposal:
    """The proposed change of access as the actor sees it; Http404 where it is not theirs to see."""
    found: Proposal = get_object_or_404(visible_proposals(actor), pk=proposal_id)
    return found


def named(thing: Thing) -> str:
    """The thing's key in the inbox."""
    if isinstance(thing, Proposal):
        return key_of(CHANGE, "", str(thing.pk))
    return key_of(source_of(thing), getattr(thing, "kind", ""), thing.remote_id)


def thing_by(actor: Actor, key: str) -> Thing:
    """The thing of a key of the inbox."""
    kind, _, remote_id = key.partition("/")
    if kind == CHANGE:
        return change_of(actor, int(remote_id))
    return thing_of(actor, KIND_OF.get(kind, kind.replace("-", "_")), remote_id)


def show_desk(request: ActorRequest, thing: Thing | None = None, status: int = 200, **pane: Any) -> HttpResponse:
    """The desk with this thing on the right: the whole page, or for a swap the pane alone."""
    filters = filters_of(request)
    context = {"filters": filters, "query": filters.query(), "picks": picks_of(confirms(request.actor))} | pane
    if thing is not None:
        context |= pane_of(request.actor, filters, thing, pane.get("key", ""))
    if thing is None or not wants_fragment(request):
        context |= _list(request.actor, filters)
    fragments = ("pane",) if thing is not None else ("list",)
    return page(request, TEMPLATE, context, fragments=fragments, status=status if not filters.problems else 400)


def pane_of(
    actor: Actor, filters: Filters, thing: Thing, key: str = "", beside: tuple[str, str] | None = None
) -> dict[str, Any]:
    """What the pane needs: the item, a key for its form, and what stands before and after it (`beside` where known)."""
    cursor = cursor_of(thing, filters)
    before, after = beside or (neighbour(actor, filters, cursor, forward=forward) for forward in (False, True))
    item = change_item(actor, thing) if isinstance(thing, Proposal) else item_of(actor, thing)
    return {"item": item, "key": key or new_key(), "before": before, "after": after}


def _list(actor: Actor, filters: Filters) -> dict[str, Any]:
    now = timezone.now()
    skip, toasts = open_decisions(actor, now)
    found = sheet(actor, filters, now, skip if filters.show == "mine" else frozenset())
    where = {"list_address": reverse("approvals", args=[actor.business.slug]), "query": filters.query()}
    return {
        "rows": ""
        if filters.problems
        else markup("approvals/rows.html", rows=with_delegators(actor, found.rows), **where),
        "next": found.next,
        "shows": SHOWN.items(),
        "title": SHOWN[filters.show],
        "toasts": toasts,
        "pickers": pickers(where["query"], filters.team, confirms(actor)),
        "rendered_at": now.isoformat(),
        "list_address": where["list_address"],
    }


@lru_cache(maxsize=512)
def pickers(query: str, team: str, confirming: bool) -> SafeString:
    """The drop-down filters of an address, as long as the teams are not known: the same for all who choose the same."""
    context = {
        "filters": Filters.read(QueryDict(query)),
        "picks": picks_of(confirming),
        "teams": [(team, "chosen")] if team else None,
    }
    return mark_safe(render_to_string("approvals/pickers.html", context))  # noqa: S308 - our own template


def picks_of(confirming: bool) -> dict[str, tuple[tuple[str, str], ...]]:
    """What the filters choose from."""
    return PICKS | {"kind": (*PICKS["kind"], CHANGES)} if confirming else PICKS


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
                due = milliseconds(due_at)
                toasts.append({"id": pk, "told": told, "open": True, "seconds": seconds, "due": due})
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
