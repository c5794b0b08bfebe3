"""Cards: as cards or as a table, and one of them with all that is known."""

from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from dashboard import operations, operations_pages
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.lists.query import Query
from dashboard.lists.stored_ticks import stored_ticks
from dashboard.lists.view import context_of, list_page, totals_part
from dashboard.mirror.models import Card
from dashboard.pages.cards.forms.state import BlockForm, RetireForm
from dashboard.pages.cards.presenters.card import card_context
from dashboard.pages.cards.selectors.live import card_for, read_activity
from dashboard.pages.cards.tables.cards import CARDS, GALLERY, TABLE_LOOK
from dashboard.web.last_write import read_own
from dashboard.web.respond import is_fragment_request, page
from dashboard.web.signin.sessions import polls

TABLE, TILES, ITEM = "cards/list.html", "cards/gallery.html", "cards/item.html"


@require_GET
@needs(operations.READ_CARD)
def cards(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the cards, laid out by the query; whoever decides nothing for others is sent to their own first."""
    if not request.GET and not can_open(request.actor, operations_pages.INBOX):
        return redirect("cards_mine", business)
    query = Query.read(CARDS, request.GET)
    if query.chosen.get("as") == TABLE_LOOK:
        return list_page(request, CARDS, template=TABLE, area_context=_may(request.actor))
    if is_fragment_request(request):
        tiles, ticks = Query.read(GALLERY, request.GET), stored_ticks(request, GALLERY)
        context = read_own(request, lambda alias: context_of(request.actor, tiles, alias=alias, ticks=ticks))
        return page(request, TILES, context, fragments=("rows", "totals"), status=400 if query.refused else 200)
    return list_page(request, GALLERY, template=TILES, area_context=_may(request.actor))


@polls
@require_GET
@needs(operations.READ_CARD)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """The fragment with how many there are and what was spent with them this month, per currency."""
    is_table = Query.read(CARDS, request.GET).chosen.get("as") == TABLE_LOOK
    of, template = (CARDS, TABLE) if is_table else (GALLERY, TILES)
    return totals_part(request, of, template=template, area_context=_may(request.actor))


def _may(actor: Actor) -> dict[str, Any]:
    return {"here": "cards", "may_make": bool(can_open(actor, operations.CREATE_CARD))}


@require_GET
@needs(operations.READ_CARD)
def card(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One card: what it can spend now, what was bought and declined, its controls, and what may be done with it."""
    return render_card(request, card_for(request.actor, remote_id))


def render_card(request: ActorRequest, row: Card, status: int = 200, **more: Any) -> HttpResponse:
    """The page of a card; `more` is what a form that was refused brings back, by the names of cards/item.html."""
    context = card_context(request.actor, row, read_activity(request.actor, row))
    fields = {
        "block_fields": more.get("block_form") or BlockForm(),
        "retire_fields": more.get("retire_form") or RetireForm(card=row),
    }
    return page(request, ITEM, {**context, **fields, **more}, status=status)
