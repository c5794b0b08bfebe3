"""Cards: as cards or as a table, one of them with all that is known, and one's own."""

from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_GET

from dashboard import operations, operations_extra, operations_pages
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import Verdict, can, can_open
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.lists.query import Query
from dashboard.lists.view import context_of, list_page, totals_part
from dashboard.mirror.models import Card
from dashboard.mirror.scopes import visible_cards, visible_declines, visible_wallets
from dashboard.pages.cards.gallery import GALLERY
from dashboard.pages.cards.presenters import ControlsPresenter, rise_of, standing
from dashboard.pages.cards.selectors import example_query, look_at
from dashboard.pages.cards.state_forms import BlockForm, RetireForm
from dashboard.pages.cards.table import CARDS, TABLE_LOOK
from dashboard.schemas.cards import ALLOCATION, BUSINESS_WALLET
from dashboard.times import day_and_time
from dashboard.web.card_text import (
    ENDED,
    REASONS,
    blocker_of,
    who_unblocks,
    why_declined,
)
from dashboard.web.card_tiles import tile
from dashboard.web.respond import page, wants_fragment
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import new_key

TABLE, TILES, ITEM = "cards/list.html", "cards/gallery.html", "cards/item.html"
DECLINES_SHOWN = 10


@require_GET
@needs(operations.READ_CARD)
def cards(request: ActorRequest, business: str) -> HttpResponseBase:
    """The cards that one may see, laid out as the address asks; whoever decides nothing for others begins with their own."""
    if not request.GET and not can_open(request.actor, operations_pages.INBOX):
        return redirect("cards_mine", business)
    query = Query.read(CARDS, request.GET)
    if query.chosen.get("as") == TABLE_LOOK:
        return list_page(request, CARDS, template=TABLE, shown=_may(request.actor))
    if wants_fragment(request):
        context = context_of(request.actor, Query.read(GALLERY, request.GET))
        return page(request, TILES, context, fragments=("rows", "totals"), status=400 if query.refused else 200)
    return list_page(request, GALLERY, template=TILES, shown=_may(request.actor))


@polls
@require_GET
@needs(operations.READ_CARD)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many there are, and what was spent with them this month."""
    table = Query.read(CARDS, request.GET).chosen.get("as") == TABLE_LOOK
    of, template = (CARDS, TABLE) if table else (GALLERY, TILES)
    return totals_part(request, of, template=template, shown=_may(request.actor))


def _may(actor: Actor) -> dict[str, Any]:
    return {"here": "cards", "may_make": bool(can_open(actor, operations.CREATE_CARD))}


def visible(request: ActorRequest, remote_id: str) -> Card:
    """One card, if it is theirs to see; else 404."""
    found: Card = get_object_or_404(visible_cards(request.actor), remote_id=remote_id)
    return found


@require_GET
@needs(operations.READ_CARD)
def card(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One card: what it can spend now, what was bought and declined, its controls, and what may be done with it."""
    return show_card(request, visible(request, remote_id))


def show_card(request: ActorRequest, found: Card, status: int = 200, **more: Any) -> HttpResponse:
    """The page of a card; `more` is what a form that was refused brings back."""
    actor, now = request.actor, look_at(request.actor, found)
    controls = standing(found.payload.get("controls") or {})
    context: dict[str, Any] = {
        "card": found,
        "tile": tile(actor, found),
        "now": now,
        "controls": ControlsPresenter(actor.business, found.currency).texts(controls).values(),
        "raised": day_and_time(rise_of(controls, timezone.now()), actor.business),
        "facts": _facts(actor, found),
        "reason": REASONS.get(found.reason, found.reason),
        "declines": declines_of(actor, found),
        "key": new_key(),
        "block_fields": more.get("block_form") or BlockForm(),
        "retire_fields": more.get("retire_form") or RetireForm(card=found),
        **_blocked(actor, found),
        "may": _doable(actor, found),
    }
    return page(request, ITEM, context | more, status=status)


def _facts(actor: Actor, found: Card) -> list[tuple[str, str]]:
    month, year = found.payload.get("expiry_month"), found.payload.get("expiry_year")
    facts = [
        ("Holder", found.employee_name),
        ("Team", found.team_name),
        ("Funding source", _funded(actor, found)),
        ("Expires", f"{int(month):02d}/{year}" if month and year else ""),
        ("Created", day_and_time(found.created_at, actor.business)),
    ]
    return [(label, value) for label, value in facts if value]


def _funded(actor: Actor, found: Card) -> str:
    if found.funding == ALLOCATION:
        return f"{found.employee_name}'s allocation in {found.currency}"
    named = visible_wallets(actor).filter(org_wallet_ref=found.org_wallet_ref).values_list("name", flat=True).first()
    wallet = named or f"wallet {found.org_wallet_ref}"
    return f"Business wallet: {wallet}" if found.funding == BUSINESS_WALLET else wallet


def _blocked(actor: Actor, found: Card) -> dict[str, str]:
    if found.status != "BLOCKED":
        return {}
    return {"blocker": blocker_of(actor, found), "who_unblocks": who_unblocks(found)}


def declines_of(actor: Actor, found: Card) -> list[dict[str, Any]]:
    """The last uses of a card that were declined, each with what happened and what can be done."""
    rows = visible_declines(actor).filter(card_id=found.remote_id).order_by("-at", "-id")[:DECLINES_SHOWN]
    return [
        {
            "decline": one,
            "why": why_declined(actor, one),
            "when": day_and_time(one.at, actor.business),
            "example": example_query(one.amount_minor, one.currency, one.merchant, one.mcc, one.country, one.channel),
        }
        for one in rows
    ]


# What can be done to a card in which states, by the name that the template asks for.
DOABLE: dict[str, tuple[Operation, frozenset[str]]] = {
    "block": (operations.BLOCK_CARD, frozenset({"ACTIVE"})),
    "unblock": (operations.UNBLOCK_CARD, frozenset({"BLOCKED"})),
    "activate": (operations_extra.ACTIVATE_CARD, frozenset({"INACTIVE"})),
    "retire": (operations.RETIRE_CARD, frozenset({"ORDERED", "INACTIVE", "ACTIVE", "BLOCKED"})),
}


def _doable(actor: Actor, found: Card) -> dict[str, Verdict]:
    shown = {
        name: can(actor, operation, found) for name, (operation, states) in DOABLE.items() if found.status in states
    }
    if found.status not in ENDED:
        shown["change"] = can(actor, operations.UPDATE_CARD, found)
    if found.kind == "VIRTUAL" and found.status in {"ACTIVE", "BLOCKED"}:
        shown["reissue"] = reissuable(actor, found)
    return shown


def reissuable(actor: Actor, found: Card) -> Verdict:
    """Whether a new card may take its place: it would not be blocked, so whoever may not unblock may not do this."""
    verdict = can(actor, operations.REISSUE_CARD, found)
    if not verdict or found.status != "BLOCKED":
        return verdict
    return can(actor, operations.UNBLOCK_CARD, found)
