"""Vendors: the list, and one of them with the accounts it is paid on, by their last characters."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists.detail_page import Facts, detail_page
from dashboard.lists.states import state_in
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Vendor
from dashboard.mirror.scopes import visible_vendors
from dashboard.pages.vendors.table import ACCOUNT_STATES, STATES, VENDORS
from dashboard.web.signin.sessions import polls


@require_GET
@needs(operations.LIST_VENDORS)
def vendors(request: ActorRequest, business: str) -> HttpResponseBase:
    """The vendors, as the address asks for them."""
    return list_page(request, VENDORS)


@polls
@require_GET
@needs(operations.LIST_VENDORS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many there are."""
    return totals_part(request, VENDORS)


@require_GET
@needs(operations.READ_VENDOR)
def vendor(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One vendor."""
    found: Vendor = get_object_or_404(visible_vendors(request.actor), remote_id=remote_id)
    return detail_page(request, VENDORS, found, found.name, state_in(STATES, found.status), facts_of(found))


def facts_of(found: Vendor) -> Facts:
    """What is known of a vendor; a changed account that waits for a second person says so."""
    accounts = [
        (
            f"Paid by {one['channel'].replace('_', ' ').lower()}",
            f"…{one['last']}, {ACCOUNT_STATES.get(one['status'], '')}",
        )
        for one in found.instructions
    ]
    return [
        ("E-mail", found.email),
        ("Phone", found.phone),
        ("Tax PIN", found.tax_pin),
        ("Country", found.country),
        ("Currency", found.currency),
        *accounts,
    ]
