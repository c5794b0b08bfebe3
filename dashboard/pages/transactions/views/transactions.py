"""Transactions: the list, the newest as the service has them now, one of them with what made it, and its category."""

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
from dashboard.commands import transactions as commands
from dashboard.errors import FinanceError
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Transaction
from dashboard.pages.transactions.forms import NamedDocumentForm, NewTransactionForm
from dashboard.pages.transactions.presenters.item import transaction_context
from dashboard.pages.transactions.presenters.recent import recent_rows
from dashboard.pages.transactions.selectors import (
    entry_wallets,
    read_recent,
    refresh_transaction,
    transaction_for,
    waiting_request,
)
from dashboard.pages.transactions.tables import TRANSACTIONS
from dashboard.web.forms import CategoryChoiceForm
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key_of, new_key, posted_key

LIST, ITEM, NEW = "transactions/list.html", "transactions/item.html", "transactions/new.html"
RECENT = "transactions/recent.html"


@require_GET
@needs(operations.LIST_TRANSACTIONS)
def transactions(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the transactions, filtered and sorted by the query."""
    return list_page(request, TRANSACTIONS, template=LIST, area_context=_may_create(request))


@polls
@require_GET
@needs(operations.LIST_TRANSACTIONS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """The fragment with how many there are and what they come to: money in less money out, per currency."""
    return totals_part(request, TRANSACTIONS, template=LIST, area_context=_may_create(request))


def _may_create(request: ActorRequest) -> dict[str, Any]:
    return {"may_create": bool(can_open(request.actor, operations.CREATE_TRANSACTION))}


@require_GET
@needs(operations.LIST_RECENT_TRANSACTIONS)
def recent(request: ActorRequest, business: str) -> HttpResponse:
    """The newest transactions as the service has them now, and a form to add a document to one of them."""
    return render_recent(request)


def render_recent(
    request: ActorRequest, status: int = 200, form: NamedDocumentForm | None = None, **more: Any
) -> HttpResponse:
    """The newest, with the form as it came back where one was sent; the problem where the service does not answer."""
    try:
        rows = recent_rows(request.actor, read_recent(request.actor))
    except FinanceError as trouble:
        return page(request, RECENT, {"problem": trouble.user_message, "rows": [], **more}, status=status)
    choices = [(row.id, row.label) for row in rows]
    given = form or NamedDocumentForm(choices=choices, initial={"transaction": request.GET.get("add", "")[:64]})
    return page(request, RECENT, {"rows": rows, "form": given, "key": posted_key(request), **more}, status=status)


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_TRANSACTION)
def new_transaction(request: ActorRequest, business: str) -> HttpResponse:
    """Enters a transaction, which moves nothing until a second person approves it."""
    wallets, locale = entry_wallets(request.actor), request.actor.business.locale
    options: dict[str, Any] = {"wallets": wallets, "categories": categories_of(request.actor), "locale": locale}
    form = NewTransactionForm(request.POST if request.method == "POST" else None, **options)
    if request.method == "GET" or not form.is_valid():
        return _render_new(request, form, 200 if request.method == "GET" else 422)
    try:
        created = commands.create_transaction(request.actor, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_new(request, form, refused.status)
    messages.success(request, "Transaction created. It is posted once a second person has approved it.")
    return redirect("transactions_item", business, created.id)


def _render_new(request: ActorRequest, form: NewTransactionForm, status: int) -> HttpResponse:
    return page(request, NEW, {"form": form, "key": posted_key(request)}, status=status)


@require_GET
@needs(operations.READ_TRANSACTION)
def transaction(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The page of one transaction; 404 outside what the actor may see."""
    row = transaction_for(request.actor, remote_id)
    return render_transaction(request, row, live=refresh_transaction(request.actor, row))


def render_transaction(
    request: ActorRequest, row: Transaction, status: int = 200, *, live: bool = True, **more: Any
) -> HttpResponse:
    """One transaction with what made it, its documents and its entries; `live` says whether the service answered."""
    context = transaction_context(request.actor, row) | {"live": live, "key": new_key(), "upload_key": new_key()} | more
    context["waits"] = waiting_request(request.actor, row)
    return page(request, ITEM, context, fragments=("documents",), status=status)


@require_POST
@needs(operations.TAG_TRANSACTION)
def categorise(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Files a transaction, and its expense with it, under another category."""
    row = transaction_for(request.actor, remote_id)
    form = CategoryChoiceForm(request.POST, choices=categories_of(request.actor))
    if not form.is_valid():
        return render_transaction(request, row, 422, category_form=form)
    try:
        commands.recategorise_transaction(
            request.actor, row, form.cleaned_data["subcategory_id"], key=form_key_of(request), form=form
        )
    except commands.REFUSALS as refused:
        return render_transaction(request, row, refused.status, category_form=form, key=posted_key(request))
    messages.success(request, "Category changed.")
    return redirect("transactions_item", business, remote_id)
