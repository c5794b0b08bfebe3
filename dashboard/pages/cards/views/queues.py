"""What is asked for about cards: orders of physical ones, single-use ones. Several are decided on by the inbox's own plan."""

from typing import Any

from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from dashboard import operations, operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.decisions.registry import APPROVAL_KINDS
from dashboard.lists.view import list_page, totals_part
from dashboard.pages.cards.tables import queues
from dashboard.web.signin.sessions import polls

TEMPLATE = "cards/queue.html"
PATHS = {"card_order": "approvals_card_order", "card_request": "approvals_card_request"}


@require_GET
@needs(operations.LIST_CARD_ORDERS)
def orders(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the orders of physical cards; those that wait can be ticked and decided on together."""
    return list_page(request, queues.ORDERS, template=TEMPLATE, area_context=_context(request, "card_order", "orders"))


@polls
@require_GET
@needs(operations.LIST_CARD_ORDERS)
def orders_totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """The fragment with how many the filters leave."""
    return totals_part(
        request, queues.ORDERS, template=TEMPLATE, area_context=_context(request, "card_order", "orders")
    )


@require_GET
@needs(operations_extra.LIST_CARD_REQUESTS)
def requests(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the requests for single-use cards that one may see."""
    return list_page(
        request, queues.REQUESTS, template=TEMPLATE, area_context=_context(request, "card_request", "requests")
    )


@polls
@require_GET
@needs(operations_extra.LIST_CARD_REQUESTS)
def requests_totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """The fragment with how many the filters leave and what they come to, per currency."""
    return totals_part(
        request, queues.REQUESTS, template=TEMPLATE, area_context=_context(request, "card_request", "requests")
    )


def _context(request: ActorRequest, kind: str, here: str) -> dict[str, Any]:
    may_decide = bool(can_open(request.actor, APPROVAL_KINDS[kind].approve))
    return {"here": here, "item_address": PATHS[kind], "may_decide": may_decide}
