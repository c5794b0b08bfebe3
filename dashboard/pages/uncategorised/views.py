"""The queue of what has no category: expenses, other transactions, an item of each, and its category."""

from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import FAILED, NotFound
from dashboard.lists.stored_ticks import stored_ticks, ticks_under
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Expense, Transaction
from dashboard.pages.uncategorised.forms import ChosenCategoryForm
from dashboard.pages.uncategorised.presenters import next_address, queue_context, queue_pane
from dashboard.pages.uncategorised.selectors import EXPENSE_QUEUE, TRANSACTION_QUEUE, Queue, item_of, list_of, query_of
from dashboard.web.last_write import read_own
from dashboard.web.respond import is_fragment_request, page
from dashboard.web.submission import form_key_of, posted_key, sent_before

TEMPLATE = "uncategorised/queue.html"


@require_GET
@needs(operations.LIST_EXPENSES)
def expenses(request: ActorRequest, business: str) -> HttpResponse:
    """The expenses that have no category."""
    return _show(request, EXPENSE_QUEUE)


@require_GET
@needs(operations.LIST_TRANSACTIONS)
def transactions(request: ActorRequest, business: str) -> HttpResponse:
    """The transactions that have no category and no expense."""
    return _show(request, TRANSACTION_QUEUE)


@require_GET
@needs(operations.LIST_EXPENSES)
def expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One expense with the categories that are likely."""
    return _show(request, EXPENSE_QUEUE, item_of(EXPENSE_QUEUE, request.actor, remote_id))


@require_GET
@needs(operations.LIST_TRANSACTIONS)
def transaction(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One transaction with the categories that are likely."""
    return _show(request, TRANSACTION_QUEUE, item_of(TRANSACTION_QUEUE, request.actor, remote_id))


@require_POST
@needs(operations.CATEGORISE_EXPENSE)
def categorise_expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Files an expense, and leads to the next."""
    return _categorise(request, EXPENSE_QUEUE, item_of(EXPENSE_QUEUE, request.actor, remote_id))


@require_POST
@needs(operations.TAG_TRANSACTION)
def categorise_transaction(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Files a transaction, and leads to the next."""
    return _categorise(request, TRANSACTION_QUEUE, item_of(TRANSACTION_QUEUE, request.actor, remote_id))


def _show(
    request: ActorRequest, queue: Queue, item: Expense | Transaction | None = None, status: int = 200, **pane: Any
) -> HttpResponse:
    given = QueryDict(request.POST.get("list", "")[:1000]) if request.method == "POST" else request.GET
    query = query_of(queue, given)
    context: dict[str, Any] = {}
    if item is not None:
        context |= queue_pane(request.actor, queue, query, item, last=given.get("last", "")[:64], **pane)
    if item is None or not is_fragment_request(request):
        # The page of an item goes on with what is ticked; the list begins anew where it is opened by its plain address.
        ticks = stored_ticks(request, list_of(queue)) if item is None else ticks_under(request, queue.list_name)
        context |= read_own(request, lambda alias: queue_context(request.actor, queue, query, alias=alias, ticks=ticks))
    context |= {"search": query.q, "list_address": reverse(queue.address, args=[request.actor.business.slug])}
    fragments = ("pane",) if item is not None else ("list",)
    return page(request, TEMPLATE, context, fragments=fragments, status=400 if query.refused else status)


def _categorise(request: ActorRequest, queue: Queue, item: Expense | Transaction) -> HttpResponse:
    suggested = request.POST.get("subcategory_id", "")[:64]
    form = ChosenCategoryForm(request.POST, choices=categories_of(request.actor), suggested=suggested)
    if not form.is_valid():
        return _show(request, queue, item, 422, form=form, key=posted_key(request))
    seen = request.POST.get("seen", "")[:64]
    if not sent_before(request) and not form.is_of(seen, item):
        return _show(request, queue, item, 409, form=form, key=posted_key(request))
    try:
        chosen, key = form.cleaned_data["subcategory_id"], form_key_of(request)
        queue.command(request.actor, item, chosen, key=key, form=form, seen=seen)
    except (*FAILED, NotFound) as refused:
        return _show(request, queue, item, refused.status, form=form, key=posted_key(request))
    query = query_of(queue, QueryDict(request.POST.get("list", "")[:1000]))
    return redirect(next_address(request.actor, queue, query, item))
