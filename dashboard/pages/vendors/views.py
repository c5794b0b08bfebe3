"""Vendors: the list, and one of them with the accounts it is paid on, by their last characters."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists.detail_page import detail_page
from dashboard.lists.states import state_in
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Vendor
from dashboard.mirror.scopes import visible_vendors
from dashboard.pages.vendors.presenters import facts_of
from dashboard.pages.vendors.tables import STATES, VENDORS
from dashboard.web.signin.sessions import polls


@require_GET
@needs(operations.LIST_VENDORS)
def vendors(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the vendors, filtered and sorted by the query."""
    return list_page(request, VENDORS)


@polls
@require_GET
@needs(operations.LIST_VENDORS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """The fragment with how many vendors the filters leave."""
    return totals_part(request, VENDORS)


@require_GET
@needs(operations.READ_VENDOR)
def vendor(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The page of one vendor; 404 outside what the actor may see."""
    row: Vendor = get_object_or_404(visible_vendors(request.actor), remote_id=remote_id)
    return detail_page(request, VENDORS, row, row.name, state_in(STATES, row.status), facts_of(row))
