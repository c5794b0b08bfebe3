"""The documents of a vendor: added with what they are, shown page by page, saved, and removed."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import vendor_records as commands
from dashboard.documents.opening import opened, page_picture
from dashboard.documents.readings import PROBLEMS
from dashboard.documents.sources import content_of, document_named, vendor_documents_of
from dashboard.documents.viewers import plain_viewer_of
from dashboard.pages.vendors.forms.documents import DocumentForm, VendorPictureForm
from dashboard.pages.vendors.selectors.vendors import vendor_for
from dashboard.pages.vendors.views.vendors import render_vendor
from dashboard.web.files import drawn_picture, saved_file
from dashboard.web.respond import page, private
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key_of, posted_key
from dashboard.web.upload_fields import document_type
from dashboard.web.upload_limit import SEVERAL_FILES_BYTES, limits_upload
from dashboard.web.uploads import files_refused, send_files

DOCUMENT = "documents/document.html"


@limits_upload(SEVERAL_FILES_BYTES)
@require_POST
@needs(operations_payables.ADD_VENDOR_DOCUMENT)
def add_document(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Puts files on a vendor; nothing that was typed is lost where one is refused."""
    row, form = vendor_for(request.actor, remote_id), DocumentForm(request.POST, request.FILES)
    check_or_record_denial(request.actor, operations_payables.ADD_VENDOR_DOCUMENT, row)
    added = files_refused(request, form, "documents") or send_files(
        form.cleaned_data["documents"],
        document_type,
        lambda upload: commands.add_document(
            request.actor, row, upload, form.fields_of_document(), key=form_key_of(request)
        ),
    )
    if (status := max(file.status for file in added)) < 400:
        messages.success(request, "The document was added.")
        return redirect("vendors_item", business, remote_id)
    return render_vendor(request, row, status, document_form=form, added=added, upload_key=posted_key(request))


@require_POST
@needs(operations_payables.REMOVE_VENDOR_DOCUMENT)
def remove_document(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """Takes a document off a vendor."""
    row = vendor_for(request.actor, remote_id)
    stored = document_named(vendor_documents_of(row), file_id)
    commands.remove_document(request.actor, row, stored.file_id, key=form_key_of(request))
    messages.success(request, "The document was removed. The finance service keeps it for the record.")
    return redirect("vendors_item", business, remote_id)


@polls
@require_GET
@needs(operations_payables.DOWNLOAD_VENDOR_DOCUMENT)
def document(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """A document with its pages."""
    row = vendor_for(request.actor, remote_id)
    stored = document_named(vendor_documents_of(row), file_id)
    paper = plain_viewer_of(request.actor, stored, opened(content_of(request.actor, stored)))
    return page(request, DOCUMENT, {"paper": paper, "vendor": row}, fragments=("viewer",))


@require_GET
@needs(operations_payables.DOWNLOAD_VENDOR_DOCUMENT)
def document_page(request: ActorRequest, business: str, remote_id: str, file_id: str, page_number: int) -> HttpResponse:
    """A page of a document as a picture."""
    stored = document_named(vendor_documents_of(vendor_for(request.actor, remote_id)), file_id)
    form = VendorPictureForm(request.GET)
    if not form.is_valid():
        return _no_picture("There is no such width or turn.", 400)
    content = content_of(request.actor, stored)
    drawn, problem = page_picture(content, page_number, form.cleaned_data["width"], form.cleaned_data["turns"])
    if not drawn:
        return _no_picture(PROBLEMS.get(problem, PROBLEMS["page"]), 503 if problem == "busy" else 404)
    return drawn_picture(drawn)


@require_GET
@needs(operations_payables.DOWNLOAD_VENDOR_DOCUMENT)
def original(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """A document as it was uploaded, to be saved."""
    stored = document_named(vendor_documents_of(vendor_for(request.actor, remote_id)), file_id)
    return saved_file(content_of(request.actor, stored), stored.name)


def _no_picture(sentence: str, status: int) -> HttpResponse:
    return private(HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8"))
