"""Customers: the list, one of them with what happened to it, making, changing, deleting and restoring."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can, can_open
from dashboard.access.decorators import needs
from dashboard.commands import customers as commands
from dashboard.lists.states import state_in
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Customer
from dashboard.mirror.scopes import visible_customers
from dashboard.pages.customers.forms import CustomerForm
from dashboard.pages.customers.table import CUSTOMERS, KINDS, STATES
from dashboard.pages.customers.twins import twins_of
from dashboard.times import as_of
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key, key_of, new_key

LIST, ITEM, NEW = "customers/list.html", "customers/item.html", "customers/new.html"


@require_GET
@needs(operations.LIST_CUSTOMERS)
def customers(request: ActorRequest, business: str) -> HttpResponseBase:
    """The customers, as the address asks for them."""
    return list_page(request, CUSTOMERS, template=LIST, shown=_may_add(request))


@polls
@require_GET
@needs(operations.LIST_CUSTOMERS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many there are."""
    return totals_part(request, CUSTOMERS, template=LIST, shown=_may_add(request))


def _may_add(request: ActorRequest) -> dict[str, Any]:
    return {"may_add": bool(can_open(request.actor, operations.CREATE_CUSTOMER))}


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_CUSTOMER)
def new_customer(request: ActorRequest, business: str) -> HttpResponseBase:
    """A new customer; one that is likely there already is shown first, and made only when it is meant."""
    if request.method == "GET":
        return _ask(request, CustomerForm(locale=request.actor.business.locale))
    form = CustomerForm(request.POST, locale=request.actor.business.locale)
    if not form.is_valid():
        return _ask(request, form, 422)
    found = form.cleaned_data
    same = twins_of(request.actor, phone=found["phone"], email=found["email"], name=found["name"])
    if same and not request.POST.get("meant"):
        return _ask(request, form, 409, twins=same, ask_meant=True)
    try:
        added = commands.create_customer(request.actor, form.body(), key=key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _ask(request, form, refused.status)
    messages.success(request, f"{added.data['name']} is added.")
    return redirect("customers_item", business, added.id)


def _ask(request: ActorRequest, form: CustomerForm, status: int = 200, **more: Any) -> HttpResponse:
    return page(request, NEW, {"form": form, "key": form_key(request), **more}, status=status)


@require_POST
@needs(operations.CREATE_CUSTOMER)
def new_walk_in(request: ActorRequest, business: str) -> HttpResponse:
    """A walk-in customer, of whom nothing is known."""
    added = commands.create_customer(request.actor, {"type": "walkIn"}, key=key_of(request))
    messages.success(request, "A walk-in customer is added.")
    return redirect("customers_item", business, added.id)


@require_GET
@needs(operations.CREATE_CUSTOMER)
def twins(request: ActorRequest, business: str) -> HttpResponse:
    """Who is likely the same as what is being typed."""
    typed = {name: request.GET.get(name, "")[:254] for name in ("phone", "email", "name")}
    form = CustomerForm(locale=request.actor.business.locale)
    return page(request, NEW, {"twins": twins_of(request.actor, **typed), "form": form}, fragments=("twins",))


def _visible(request: ActorRequest, remote_id: str) -> Customer:
    found: Customer = get_object_or_404(visible_customers(request.actor), remote_id=remote_id)
    return found


@require_GET
@needs(operations.READ_CUSTOMER)
def customer(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One customer: what is known, what happened, and the form for whoever may change it."""
    return _show(request, _visible(request, remote_id))


@require_POST
@needs(operations.UPDATE_CUSTOMER)
def edit_customer(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Changes a regular, active customer."""
    found = _visible(request, remote_id)
    form = CustomerForm(request.POST, stands=found, locale=request.actor.business.locale)
    if not form.is_valid():
        return _show(request, found, 422, form=form, key=form_key(request))
    try:
        commands.update_customer(request.actor, found, form.change(), key=key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _show(request, found, refused.status, form=form, key=form_key(request))
    messages.success(request, "The changes are saved.")
    return redirect("customers_item", business, remote_id)


def _show(request: ActorRequest, found: Customer, status: int = 200, **more: Any) -> HttpResponse:
    actor, editable = request.actor, found.kind != "walkIn" and found.status == "ACTIVE"
    context: dict[str, Any] = {
        "customer": found,
        "state": state_in(STATES, found.status),
        "kind": KINDS.get(found.kind, found.kind),
        "address": str(found.payload.get("address") or ""),
        "seen": as_of(found.last_seen, actor.business),
        "delete": can(actor, operations.DELETE_CUSTOMER, found) if found.status == "ACTIVE" else None,
        "restore": can(actor, operations.REACTIVATE_CUSTOMER, found) if found.status == "DELETED" else None,
        "key": new_key(),
    }
    if editable and can(actor, operations.UPDATE_CUSTOMER, found):
        context["form"] = CustomerForm(initial=CustomerForm.of(found), locale=actor.business.locale)
    return page(request, ITEM, context | more, status=status)


@require_POST
@needs(operations.DELETE_CUSTOMER)
def delete_customer(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Deletes a customer: the record stays, and can be restored."""
    found = _visible(request, remote_id)
    commands.delete_customer(request.actor, found, key=key_of(request))
    messages.success(request, f"{found.name} is deleted. Its record stays, and it can be restored.")
    return redirect("customers_item", business, remote_id)


@require_POST
@needs(operations.REACTIVATE_CUSTOMER)
def restore_customer(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Makes a deleted customer active again."""
    found = _visible(request, remote_id)
    commands.restore_customer(request.actor, found, key=key_of(request))
    messages.success(request, f"{found.name} is active again.")
    return redirect("customers_item", business, remote_id)
