"""Orders at the desk, which one approver decides alone: of cards, of single-use cards, of funds, and transactions by hand."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations, operations_extra, operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.pages.approvals.views.decisions import decide, show_subject


@require_GET
@needs(operations_pages.INBOX, operations.LIST_CARD_ORDERS)
def card_order(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One order of a physical card on the desk."""
    return show_subject(request, "card_order", remote_id)


@require_POST
@needs(operations.APPROVE_CARD_ORDERS)
def approve_card_order(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Approves one order of a physical card."""
    return decide(request, "card_order", remote_id, "approve")


@require_POST
@needs(operations.REJECT_CARD_ORDERS)
def reject_card_order(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Rejects one order of a physical card, with a reason."""
    return decide(request, "card_order", remote_id, "reject")


@require_GET
@needs(operations_pages.INBOX, operations_extra.LIST_CARD_REQUESTS)
def card_request(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One request for a single-use card on the desk."""
    return show_subject(request, "card_request", remote_id)


@require_POST
@needs(operations_extra.APPROVE_CARD_REQUEST)
def approve_card_request(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Approves one request for a single-use card."""
    return decide(request, "card_request", remote_id, "approve")


@require_POST
@needs(operations_extra.REJECT_CARD_REQUEST)
def reject_card_request(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Rejects one request for a single-use card, with a reason."""
    return decide(request, "card_request", remote_id, "reject")


@require_GET
@needs(operations_pages.INBOX, operations.READ_FUND_OPT_IN)
def fund_opt_in(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One opt-in to a fund on the desk."""
    return show_subject(request, "fund_opt_in", remote_id)


@require_POST
@needs(operations.APPROVE_FUND_OPT_IN)
def approve_fund_opt_in(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Approves an opt-in to a fund, after showing that it is oneself."""
    return decide(request, "fund_opt_in", remote_id, "approve")


@require_POST
@needs(operations_extra.REJECT_FUND_OPT_IN)
def reject_fund_opt_in(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Rejects an opt-in to a fund, with a reason."""
    return decide(request, "fund_opt_in", remote_id, "reject")


@require_GET
@needs(operations_pages.INBOX, operations.LIST_TRANSACTIONS)
def hand_transaction(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One transaction by hand on the desk."""
    return show_subject(request, "hand_transaction", remote_id)


@require_POST
@needs(operations.APPROVE_TRANSACTION)
def approve_hand_transaction(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Approves a transaction by hand, after showing that it is oneself: it is posted."""
    return decide(request, "hand_transaction", remote_id, "approve")


@require_POST
@needs(operations.REJECT_TRANSACTION)
def reject_hand_transaction(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Rejects a transaction by hand, with a reason."""
    return decide(request, "hand_transaction", remote_id, "reject")
