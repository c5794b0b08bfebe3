"""Transactions: the list, and one of them with what it belongs to."""

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
from dashboard.mirror.models import Transaction
from dashboard.mirror.scopes import visible_transactions
from dashboard.pages.transactions.presenters import facts_of
from dashboard.pages.transactions.tables import STATES, TRANSACTIONS, type_of
from dashboard.web.signin.sessions import polls


@require_GET
@needs(operations.LIST_TRANSACTIONS)
def transactions(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the transactions, filtered and sorted by the query."""
    return list_page(request, TRANSACTIONS)


@polls
@require_GET
@needs(operations.LIST_TRANSACTIONS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """The fragment with how many there are and what they come to: money in less money out, per currency."""
    return totals_part(request, TRANSACTIONS)


@require_GET
@needs(operations.READ_TRANSACTION)
def transaction(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The page of one transaction; 404 outside what the actor may see."""
    row: Transaction = get_object_or_404(visible_transactions(request.actor), remote_id=remote_id)
    state = state_in(STATES, row.status)
    title = row.counterparty or type_of(row.type)
    return detail_page(request, TRANSACTIONS, row, title, state, facts_of(request.actor, row), row.amount_text)
