"""Expenses at the desk: shown, approved, rejected, or more details requested."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations, operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.pages.approvals.selectors.desk import subject_of_kind
from dashboard.pages.approvals.views.decisions import decide
from dashboard.pages.approvals.views.desk import show_desk


@require_GET
@needs(operations_pages.INBOX, operations.LIST_EXPENSES)
def expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One expense on the desk."""
    return show_desk(request, subject_of_kind(request.actor, "expense", remote_id))


@require_POST
@needs(operations.APPROVE_EXPENSE)
def approve_expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Approves one expense: it waits its seconds, then it is sent."""
    return decide(request, "expense", remote_id, "approve")


@require_POST
@needs(operations.REJECT_EXPENSE)
def reject_expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Rejects one expense, with a reason."""
    return decide(request, "expense", remote_id, "reject")


@require_POST
@needs(operations.REQUEST_EXPENSE_DETAILS)
def request_expense_details(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Asks for details of one expense: not the same as rejecting it."""
    return decide(request, "expense", remote_id, "ask")
