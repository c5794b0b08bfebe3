"""Customers: the list, one of them; and adding, changing, deleting and restoring one."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.commands import customers as commands
from dashboard.lists.query import Query
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Customer
from dashboard.pages.customers.forms import CustomerForm
from dashboard.pages.customers.presenters import customer_context
from dashboard.pages.customers.selectors import customer_for, likely_duplicate_customers, read_missing
from dashboard.pages.customers.tables import CUSTOMERS
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import acknowledged, form_key_of, posted_key

LIST, ITEM, NEW = "customers/list.html", "customers/item.html", "customers/new.html"


@require_GET
@needs(operations.LIST_CUSTOMERS)
def customers(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the customers, filtered and sorted by the query; what the copy has not is asked of the service."""
    read_missing(request.actor, Query.read(CUSTOMERS, request.GET))
    return list_page(request, CUSTOMERS, template=LIST, area_context=_may_add(request))


@polls
@require_GET
@needs(operations.LIST_CUSTOMERS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """The fragment with how many the filters leave."""
    return totals_part(request, CUSTOMERS, template=LIST, area_context=_may_add(request))


def _may_add(request: ActorRequest) -> dict[str, Any]:
    return {"may_add": bool(can_open(request.actor, operations.CREATE_CUSTOMER))}


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_CUSTOMER)
def new_customer(request: ActorRequest, business: str) -> HttpResponseBase:
    """A new customer; one that is likely there already is shown first, and added only when it is confirmed to be another."""
    if request.method == "GET":
        return _render_new(request, CustomerForm(locale=request.actor.business.locale))
    form = CustomerForm(request.POST, locale=request.actor.business.locale)
    if not form.is_valid():
        return _render_new(request, form, 422)
    typed = {name: form.cleaned_data[name] for name in ("phone", "email", "name")}
    duplicates = likely_duplicate_customers(request.actor, **typed)
    if not acknowledged(request, (customer.remote_id for customer, _ in duplicates)):
        return _render_new(request, form, 409, duplicates=duplicates, confirm_duplicate=True)
    try:
        added = commands.create_customer(request.actor, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_new(request, form, refused.status)
    messages.success(request, f"{added.data['name']} was added.")
    return redirect("customers_item", business, added.id)


def _render_new(request: ActorRequest, form: CustomerForm, status: int = 200, **more: Any) -> HttpResponse:
    return page(request, NEW, {"form": form, "key": posted_key(request), **more}, status=status)


@require_POST
@needs(operations.CREATE_CUSTOMER)
def new_walk_in(request: ActorRequest, business: str) -> HttpResponse:
    """A walk-in customer, of whom nothing is known."""
    added = commands.create_customer(request.actor, {"type": "walkIn"}, key=form_key_of(request))
    messages.success(request, "A walk-in customer was added.")
    return redirect("customers_item", business, added.id)


@require_GET
@needs(operations.CREATE_CUSTOMER)
def duplicates(request: ActorRequest, business: str) -> HttpResponse:
    """The fragment with the customers that are likely the same as the one being typed."""
    typed = {name: request.GET.get(name, "")[:254] for name in ("phone", "email", "name")}
    form = CustomerForm(locale=request.actor.business.locale)
    context = {"duplicates": likely_duplicate_customers(request.actor, **typed), "form": form}
    return page(request, NEW, context, fragments=("twins",))


@require_GET
@needs(operations.READ_CUSTOMER)
def customer(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The page of one customer, with the form for whoever may change it; 404 outside what the actor may see."""
    return _render(request, customer_for(request.actor, remote_id))


@require_POST
@needs(operations.UPDATE_CUSTOMER)
def edit_customer(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Changes a regular, active customer."""
    row = customer_for(request.actor, remote_id)
    form = CustomerForm(request.POST, customer=row, locale=request.actor.business.locale)
    if not form.is_valid():
        return _render(request, row, 422, form=form, key=posted_key(request))
    try:
        commands.update_customer(request.actor, row, form.change(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render(request, row, refused.status, form=form, key=posted_key(request))
    messages.success(request, "Changes saved.")
    return redirect("customers_item", business, remote_id)


def _render(request: ActorRequest, row: Customer, status: int = 200, **more: Any) -> HttpResponse:
    return page(request, ITEM, customer_context(request.actor, row) | more, status=status)


@require_POST
@needs(operations.DELETE_CUSTOMER)
def delete_customer(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Deletes a customer: the record stays, and can be restored."""
    row = customer_for(request.actor, remote_id)
    commands.delete_customer(request.actor, row, key=form_key_of(request))
    messages.success(request, f"{row.name} was deleted. The record is kept and can be restored.")
    return redirect("customers_item", business, remote_id)


@require_POST
@needs(operations.REACTIVATE_CUSTOMER)
def restore_customer(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Makes a deleted customer active again."""
    row = customer_for(request.actor, remote_id)
    commands.restore_customer(request.actor, row, key=form_key_of(request))
    messages.success(request, f"{row.name} is active again.")
    return redirect("customers_item", business, remote_id)
