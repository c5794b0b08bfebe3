"""A person's money: allocated, taken back, and its statement. What moves it takes showing that it is you."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import allocations as commands
from dashboard.errors import FinanceError
from dashboard.inputs import page_number
from dashboard.pages.people.presenters.funds import (
    ALLOCATE,
    REMOVE,
    bulk_funds_form,
    funds_form,
    moved_text,
    share_of,
    statement_context,
)
from dashboard.pages.people.presenters.people import person_context
from dashboard.pages.people.selectors.bulk_funds import plan_funds, planned_funds
from dashboard.pages.people.selectors.people import currencies_of, person_of, read_statement
from dashboard.schemas.employees import FundsMoved
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import form_key_of, posted_key

ITEM, STATEMENT = "people/item.html", "people/statement.html"
MOST_PAGES = 100_000


@require_POST
@needs(operations.ALLOCATE_FUNDS)
def allocate(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Puts money of the business on somebody's wallet."""
    return _move(request, remote_id, ALLOCATE, commands.allocate)


@require_POST
@needs(operations.REMOVE_FUNDS)
def remove(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Takes money off somebody's wallet, back to the business."""
    return _move(request, remote_id, REMOVE, commands.remove)


def _move(request: ActorRequest, remote_id: str, name: str, command: Callable[..., FundsMoved | None]) -> HttpResponse:
    row = person_of(request.actor, remote_id)
    form = funds_form(request.actor, name, request.POST)
    refused = {f"{name}_form": form, "key": posted_key(request)}
    if not form.is_valid():
        return page(request, ITEM, {**person_context(request.actor, row), **refused}, status=422)
    if verification := confirm_first(request, request.path):
        return verification
    try:
        moved = command(request.actor, row, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refusal:
        return page(request, ITEM, {**person_context(request.actor, row), **refused}, status=refusal.status)
    messages.success(request, moved_text(request.actor, row, form, moved, name))
    return redirect("people_item", request.actor.business.slug, row.remote_id)


@require_GET
@needs(operations.VIEW_STATEMENT)
def statement(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """What happened on somebody's wallet of one currency, the newest first."""
    row = person_of(request.actor, remote_id)
    check_or_record_denial(request.actor, operations.VIEW_STATEMENT, row)
    chosen = request.GET.get("currency", "")
    currency = chosen if chosen in currencies_of(request.actor, row) else ""
    at = page_number(request.GET, MOST_PAGES)
    read, problem = None, ""
    try:
        read = read_statement(request.actor, row, currency, at)
    except FinanceError as trouble:
        problem = "" if trouble.status == 404 else trouble.user_message
    return page(request, STATEMENT, statement_context(request.actor, row, currency, at, read, problem))


@require_http_methods(["GET", "POST"])
@needs(operations.ALLOCATE_FUNDS)
def bulk_funds(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponse:
    """How much each of many people gets or gives back, and the wallet on the other side; 404 for anybody else's plan, and
    one that was begun."""
    planned = planned_funds(request.actor, batch_id)
    form = bulk_funds_form(request.actor, planned, request.POST or None)
    if request.method == "GET" or not form.is_valid():
        context = {"batch": planned.batch, "count": len(planned.people), "form": form}
        status = 200 if request.method == "GET" else 422
        heading = f"{planned.action.action.label} many people"
        return page(request, "people/bulk_funds.html", {**context, "heading": heading}, status=status)
    return redirect("bulk_item", business, plan_funds(request.actor, planned, share_of(form)).pk)
