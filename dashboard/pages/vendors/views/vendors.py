"""Vendors: the list, one of them, who was paid lately; and adding, changing and deleting one."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations, operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.commands import vendor_records as records
from dashboard.commands import vendors as commands
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Vendor
from dashboard.pages.vendors.forms.vendors import VendorForm
from dashboard.pages.vendors.presenters.vendors import recent_context, vendor_context
from dashboard.pages.vendors.selectors.vendors import (
    likely_duplicate_vendors,
    refresh_vendor,
    vendor_for,
)
from dashboard.pages.vendors.tables import VENDORS
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import acknowledged, form_key_of, posted_key

LIST, ITEM, NEW, RECENT = "vendors/list.html", "vendors/item.html", "vendors/new.html", "vendors/recent.html"


@require_GET
@needs(operations.LIST_VENDORS)
def vendors(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the vendors, filtered and sorted by the query."""
    return list_page(request, VENDORS, template=LIST, area_context=_may_add(request))


@polls
@require_GET
@needs(operations.LIST_VENDORS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """The fragment with how many vendors the filters leave."""
    return totals_part(request, VENDORS, template=LIST, area_context=_may_add(request))


def _may_add(request: ActorRequest) -> dict[str, Any]:
    return {"may_add": bool(can_open(request.actor, operations.CREATE_VENDOR))}


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_VENDOR)
def new_vendor(request: ActorRequest, business: str) -> HttpResponse:
    """A new vendor; one that is likely there already is shown first, and added only when it is confirmed to be another."""
    locale = request.actor.business.locale
    if request.method == "GET":
        return _render_new(request, VendorForm(locale=locale, initial={"name": request.GET.get("name", "")[:100]}))
    form = VendorForm(request.POST, locale=locale)
    if not form.is_valid():
        return _render_new(request, form, 422)
    duplicates = likely_duplicate_vendors(request.actor, **form.contact())
    if not acknowledged(request, (vendor.remote_id for vendor, _ in duplicates)):
        return _render_new(request, form, 409, duplicates=duplicates)
    return _create(request, form)


def _create(request: ActorRequest, form: VendorForm) -> HttpResponse:
    try:
        added = commands.create_vendor(request.actor, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_new(request, form, refused.status)
    messages.success(request, f"{added.data['name']} was added. Add the account it is paid on next.")
    return redirect("vendors_item", request.actor.business.slug, added.id)


def _render_new(request: ActorRequest, form: VendorForm, status: int = 200, **more: Any) -> HttpResponse:
    return page(request, NEW, {"form": form, "key": posted_key(request), **more}, status=status)


@require_GET
@needs(operations.LIST_RECENT_VENDORS)
def recent(request: ActorRequest, business: str) -> HttpResponse:
    """Who was paid lately on a channel, and is a vendor or not yet."""
    context = {**recent_context(request.actor, request.GET.get("channel", "")), **_may_add(request)}
    return page(request, RECENT, context)


@require_GET
@needs(operations.READ_VENDOR)
def vendor(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The page of one vendor; 404 outside what the actor may see."""
    row = vendor_for(request.actor, remote_id)
    return render_vendor(request, row, live=refresh_vendor(request.actor, row))


@require_POST
@needs(operations.UPDATE_VENDOR)
def edit_vendor(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Changes an active vendor as its form says, or shows the form again with what is wrong."""
    row = vendor_for(request.actor, remote_id)
    form = VendorForm(request.POST, vendor=row, locale=request.actor.business.locale)
    if not form.is_valid():
        return render_vendor(request, row, 422, form=form, key=posted_key(request))
    try:
        commands.update_vendor(request.actor, row, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return render_vendor(request, row, refused.status, form=form, key=posted_key(request))
    messages.success(request, "Changes saved.")
    return redirect("vendors_item", business, remote_id)


def render_vendor(
    request: ActorRequest, row: Vendor, status: int = 200, *, live: bool = True, **more: Any
) -> HttpResponse:
    """The page of a vendor; `more` is what a form that was refused brings back, by the names of vendors/item.html."""
    context = vendor_context(request.actor, row, live=live)
    return page(request, ITEM, {**context, **more}, status=status)


@require_POST
@needs(operations.DELETE_VENDOR)
def delete_vendor(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Deletes a vendor: the record stays, and is paid no more."""
    row = vendor_for(request.actor, remote_id)
    commands.delete_vendor(request.actor, row, key=form_key_of(request))
    messages.success(request, f"{row.name} was deleted. Its record is kept and can be restored.")
    return redirect("vendors_item", business, remote_id)


@require_POST
@needs(operations_payables.RESTORE_VENDOR)
def restore_vendor(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Brings a deleted vendor back, with the accounts that it had."""
    row = vendor_for(request.actor, remote_id)
    records.restore_vendor(request.actor, row, key=form_key_of(request))
    messages.success(request, f"{row.name} was restored.")
    return redirect("vendors_item", business, remote_id)
