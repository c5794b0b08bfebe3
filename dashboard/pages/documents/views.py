"""Documents: one with what was read from it, as a page or in the pane; and its pages as pictures that we have drawn."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations, operations_pages, operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.documents.opening import page_picture
from dashboard.documents.readings import PROBLEMS
from dashboard.documents.sources import content_of
from dashboard.pages.documents.forms import PictureForm
from dashboard.pages.documents.presenters import viewer_context
from dashboard.pages.documents.selectors import VisibleDocument, visible_bill_file, visible_receipt
from dashboard.web.files import drawn_picture
from dashboard.web.respond import page, private
from dashboard.web.signin.sessions import polls

TEMPLATE = "documents/document.html"


@polls
@require_GET
@needs(operations.DOWNLOAD_RECEIPT)
def receipt(request: ActorRequest, business: str, remote_id: str, receipt_id: str) -> HttpResponse:
    """A receipt of an expense with its pages and what was read from it."""
    return _render(request, visible_receipt(request.actor, remote_id, receipt_id))


@require_GET
@needs(operations.DOWNLOAD_RECEIPT)
def receipt_page(
    request: ActorRequest, business: str, remote_id: str, receipt_id: str, page_number: int
) -> HttpResponse:
    """A page of a receipt as a picture."""
    return _picture(request, visible_receipt(request.actor, remote_id, receipt_id), page_number)


@polls
@require_GET
@needs(operations_pages.INBOX, operations_payables.DOWNLOAD_BILL_FILE)
def bill_file(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """A file of the bill behind a payment with its pages and what was read from it."""
    return _render(request, visible_bill_file(request.actor, remote_id, file_id))


@require_GET
@needs(operations_pages.INBOX, operations_payables.DOWNLOAD_BILL_FILE)
def bill_file_page(
    request: ActorRequest, business: str, remote_id: str, file_id: str, page_number: int
) -> HttpResponse:
    """A page of a bill's file as a picture."""
    return _picture(request, visible_bill_file(request.actor, remote_id, file_id), page_number)


def _render(request: ActorRequest, visible: VisibleDocument) -> HttpResponse:
    return page(request, TEMPLATE, viewer_context(request.actor, visible), fragments=("viewer", "flags"))


def _picture(request: ActorRequest, visible: VisibleDocument, page_number: int) -> HttpResponse:
    form = PictureForm(request.GET)
    if not form.is_valid():
        return _no_picture("There is no such width or turn.", 400)
    content = content_of(request.actor, visible.document)
    drawn, problem = page_picture(content, page_number, form.cleaned_data["width"], form.cleaned_data["turns"])
    if not drawn:
        return _no_picture(PROBLEMS.get(problem, PROBLEMS["page"]), 503 if problem == "busy" else 404)
    return drawn_picture(drawn)


def _no_picture(sentence: str, status: int) -> HttpResponse:
    return private(HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8"))
