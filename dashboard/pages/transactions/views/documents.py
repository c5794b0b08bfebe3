"""The documents of a transaction: added, shown page by page, saved, and removed after a confirmation."""

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations, operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import transactions as commands
from dashboard.documents.opening import page_picture
from dashboard.documents.readings import PROBLEMS
from dashboard.documents.reasons import forget_note
from dashboard.documents.sources import content_of, document_named, documents_of
from dashboard.mirror.models import Transaction
from dashboard.pages.transactions.forms import AddDocumentsForm, NamedDocumentForm, TransactionPictureForm
from dashboard.pages.transactions.presenters.documents import document_context
from dashboard.pages.transactions.selectors import refresh_transaction, transaction_for, visible_choices
from dashboard.pages.transactions.views.transactions import render_recent, render_transaction
from dashboard.web.files import drawn_picture, saved_file
from dashboard.web.form_outcome import with_outcome
from dashboard.web.respond import page, private
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key_of, new_key, posted_key
from dashboard.web.upload_fields import document_type
from dashboard.web.upload_limit import SEVERAL_FILES_BYTES, limits_upload
from dashboard.web.uploads import (
    AddedFile,
    accepts_json,
    files_added,
    files_as_json,
    files_refused,
    outcome_of_files,
    send_files,
)

DOCUMENT, REMOVE, NOUN = "documents/document.html", "transactions/remove.html", "document"


@limits_upload(SEVERAL_FILES_BYTES)
@require_POST
@needs(operations.UPLOAD_TRANSACTION_DOCUMENT)
def add_documents(request: ActorRequest, business: str, remote_id: str) -> HttpResponseBase:
    """Adds files to a transaction: answers a script with what became of each, a browser with the page."""
    row, form = transaction_for(request.actor, remote_id), AddDocumentsForm(request.POST, request.FILES)
    if refused := files_refused(request, form, "documents"):
        return _answer(request, row, refused)
    added = send_files(
        form.cleaned_data["documents"],
        document_type,
        lambda upload: commands.add_document(request.actor, row, upload, key=form_key_of(request)),
    )
    refresh_transaction(request.actor, row)
    return _answer(request, row, added)


def _answer(request: ActorRequest, row: Transaction, added: list[AddedFile]) -> HttpResponse:
    if accepts_json(request):
        return files_as_json(added, NOUN)
    if (status := max(file.status for file in added)) < 400:
        messages.success(request, files_added(len(added), NOUN))
        return redirect("transactions_item", request.actor.business.slug, row.remote_id)
    response = render_transaction(request, row, status, added=added, upload_key=posted_key(request))
    return with_outcome(response, *outcome_of_files(added, NOUN))


@limits_upload(SEVERAL_FILES_BYTES)
@require_POST
@needs(operations.UPLOAD_SUPPORTING_DOCUMENT)
def add_named_document(request: ActorRequest, business: str) -> HttpResponse:
    """Adds a file to the transaction that the form names."""
    form = NamedDocumentForm(request.POST, request.FILES, choices=visible_choices(request.actor, request.POST))
    if refused := files_refused(request, form, "documents"):
        return render_recent(request, refused[0].status, form, problem=_problem(refused))
    row = transaction_for(request.actor, form.cleaned_data["transaction"])
    added = send_files(
        form.cleaned_data["documents"],
        document_type,
        lambda upload: commands.add_named_document(request.actor, row, upload, key=form_key_of(request)),
    )
    refresh_transaction(request.actor, row)
    return _answer(request, row, added)


def _problem(refused: list[AddedFile]) -> str:
    """What stands above the form: why the files were not read, where the form itself does not say it."""
    return refused[0].sentence if refused[0].status == 413 else ""


@polls
@require_GET
@needs(operations_extra.DOWNLOAD_TRANSACTION_DOCUMENT)
def document(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """A document with its pages and what was read from it beside what the transaction says."""
    row = transaction_for(request.actor, remote_id)
    return page(request, DOCUMENT, document_context(request.actor, row, file_id), fragments=("viewer",))


@require_GET
@needs(operations_extra.DOWNLOAD_TRANSACTION_DOCUMENT)
def document_page(request: ActorRequest, business: str, remote_id: str, file_id: str, page_number: int) -> HttpResponse:
    """A page of a document as a picture."""
    stored = document_named(documents_of(transaction_for(request.actor, remote_id)), file_id)
    form = TransactionPictureForm(request.GET)
    if not form.is_valid():
        return _no_picture("There is no such width or turn.", 400)
    content = content_of(request.actor, stored)
    drawn, problem = page_picture(content, page_number, form.cleaned_data["width"], form.cleaned_data["turns"])
    if not drawn:
        return _no_picture(PROBLEMS.get(problem, PROBLEMS["page"]), 503 if problem == "busy" else 404)
    return drawn_picture(drawn)


def _no_picture(sentence: str, status: int) -> HttpResponse:
    return private(HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8"))


@require_GET
@needs(operations_extra.DOWNLOAD_TRANSACTION_DOCUMENT)
def original(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """A document as it was uploaded, to be saved."""
    stored = document_named(documents_of(transaction_for(request.actor, remote_id)), file_id)
    return saved_file(content_of(request.actor, stored), stored.name)


@require_http_methods(["GET", "POST"])
@needs(operations.REMOVE_TRANSACTION_DOCUMENT)
def remove_document(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """Asks whether a document is to be removed, and removes it."""
    row = transaction_for(request.actor, remote_id)
    check_or_record_denial(request.actor, operations.REMOVE_TRANSACTION_DOCUMENT, row)
    stored = document_named(documents_of(row), file_id)
    context = {"transaction": row, "document": stored, "key": posted_key(request) if request.POST else new_key()}
    if request.method == "GET":
        return page(request, REMOVE, context)
    try:
        commands.remove_document(request.actor, row, file_id, key=form_key_of(request))
    except commands.REFUSALS as refused:
        return page(request, REMOVE, context | {"problem": refused.on_form}, status=refused.status)
    forget_note(request.actor.business, f"expense/{row.expense_id or '-'}")
    messages.success(request, f"{stored.name} was removed.")
    return redirect("transactions_item", business, remote_id)
