"""The files of bills: one with its pages and what was read from it, its pages as pictures, and itself to be saved."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.documents.opening import page_picture
from dashboard.documents.readings import PROBLEMS
from dashboard.documents.sources import Document, content_of
from dashboard.pages.bills.forms.bills import BillPictureForm
from dashboard.pages.bills.presenters.files import file_context
from dashboard.pages.bills.selectors.bills import bill_for, file_of, uploaded_file
from dashboard.web.files import drawn_picture, saved_file
from dashboard.web.respond import page, private
from dashboard.web.signin.sessions import polls

FILE = "bills/file.html"
# In the place of a bill's id in an address: a file that is not attached to any yet.
NEW = "new"


@polls
@require_GET
@needs(operations_payables.DOWNLOAD_BILL_FILE)
def file(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """A file of a bill with its pages and what was read from it."""
    document = _document(request, remote_id, file_id)
    return page(request, FILE, file_context(request.actor, document), fragments=("viewer",))


@require_GET
@needs(operations_payables.DOWNLOAD_BILL_FILE)
def file_page(request: ActorRequest, business: str, remote_id: str, file_id: str, page_number: int) -> HttpResponse:
    """A page of a bill's file as a picture."""
    document, form = _document(request, remote_id, file_id), BillPictureForm(request.GET)
    if not form.is_valid():
        return _no_picture("There is no such width or turn.", 400)
    content = content_of(request.actor, document)
    drawn, problem = page_picture(content, page_number, form.cleaned_data["width"], form.cleaned_data["turns"])
    if not drawn:
        return _no_picture(PROBLEMS.get(problem, PROBLEMS["page"]), 503 if problem == "busy" else 404)
    return drawn_picture(drawn)


@require_GET
@needs(operations_payables.DOWNLOAD_BILL_FILE)
def original(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """A file of a bill as it was uploaded, to be saved."""
    document = _document(request, remote_id, file_id)
    return saved_file(content_of(request.actor, document), document.name)


def _document(request: ActorRequest, remote_id: str, file_id: str) -> Document:
    if remote_id == NEW:
        return uploaded_file(request.actor, file_id)
    return file_of(bill_for(request.actor, remote_id), file_id)


def _no_picture(sentence: str, status: int) -> HttpResponse:
    return private(HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8"))
