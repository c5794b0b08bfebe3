"""Requests for votes at the desk: shown, voted for or against, and the files of the bill behind a payment."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations, operations_extra, operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.pages.approvals.selectors.desk import bill_file_of
from dashboard.pages.approvals.views.decisions import decide, show_subject
from dashboard.web.files import saved_file

# A request for votes is decided as what it is about is: a bill's payment under its bill, a fund by its reference.
VOTES = (operations.APPROVE_PAYMENT_REQUEST, operations.APPROVE_BILL_PAYMENT, operations.APPROVE_FUND_OPT_IN)
AGAINST = (operations.REJECT_PAYMENT_REQUEST, operations.REJECT_BILL_PAYMENT, operations.REJECT_BILL_PAYMENT_REQUEST)


@require_GET
@needs(operations_pages.INBOX, operations.LIST_APPROVALS)
def payment(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One payment request on the desk."""
    return show_subject(request, "approval", remote_id)


@require_POST
@needs(*VOTES)
def approve_payment(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Votes for one payment request: at once, after showing that it is oneself."""
    return decide(request, "approval", remote_id, "approve")


@require_POST
@needs(*AGAINST)
def reject_payment(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Votes against one payment request, with a reason."""
    return decide(request, "approval", remote_id, "reject")


@require_GET
@needs(operations_pages.INBOX, operations_extra.DOWNLOAD_BILL_FILE)
def bill_file(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """A file of the bill behind a payment as it was uploaded, to be saved."""
    file = bill_file_of(request.actor, remote_id, file_id)
    return saved_file(file.content, file.name)
