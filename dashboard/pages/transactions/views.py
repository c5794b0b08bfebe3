"""Transactions: the list, and one of them with what it belongs to."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists.detail_page import Facts, detail_page
from dashboard.lists.states import state_in
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import Transaction
from dashboard.mirror.scopes import visible_employees, visible_transactions, visible_wallets
from dashboard.pages.transactions.table import STATES, TRANSACTIONS, type_of
from dashboard.times import day_and_time
from dashboard.web.signin.sessions import polls


@require_GET
@needs(operations.LIST_TRANSACTIONS)
def transactions(request: ActorRequest, business: str) -> HttpResponseBase:
    """The transactions, as the address asks for them."""
    return list_page(request, TRANSACTIONS)


@polls
@require_GET
@needs(operations.LIST_TRANSACTIONS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many there are, and what they come to: money in less money out."""
    return totals_part(request, TRANSACTIONS)


@require_GET
@needs(operations.READ_TRANSACTION)
def transaction(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One transaction."""
    found: Transaction = get_object_or_404(visible_transactions(request.actor), remote_id=remote_id)
    state = state_in(STATES, found.status)
    title = found.counterparty or type_of(found.type)
    return detail_page(request, TRANSACTIONS, found, title, state, facts_of(request.actor, found), found.amount_text)


def facts_of(actor: Actor, found: Transaction) -> Facts:
    """What is known of a transaction, in words; whose it is where the actor may see that person."""
    wallet = visible_wallets(actor).filter(org_wallet_ref=found.org_wallet_ref).values_list("name", flat=True).first()
    holder = visible_employees(actor).filter(remote_id=found.employee_id).values_list("name", flat=True).first()
    return [
        ("Kind", type_of(found.type)),
        ("When", day_and_time(found.occurred_at, actor.business)),
        ("Wallet", wallet or found.org_wallet_ref),
        ("Fees", found.fees_text),
        ("Category", found.category_name),
        ("Who", holder or ""),
        ("Reference", found.ref),
        ("Channel", found.channel),
        ("Description", found.description),
    ]
