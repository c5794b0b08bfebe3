"""The files of bills: uploading one, attaching it to a bill that is there already, and taking one off."""

import hashlib

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.client.multipart import Upload
from dashboard.commands import bills as commands
from dashboard.documents.looks import remember_look
from dashboard.documents.opening import opened
from dashboard.documents.reasons import remember_reading
from dashboard.mirror.models import Bill
from dashboard.pages.bills.forms.bills import BillFileForm
from dashboard.pages.bills.selectors.bills import bill_for, file_of, remember_upload
from dashboard.pages.bills.views.bills import render_bill
from dashboard.web.submission import form_key_of, posted_key


@require_POST
@needs(operations_payables.ATTACH_BILL_FILES)
def attach(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Uploads a file and attaches it to a bill."""
    row, form = bill_for(request.actor, remote_id), BillFileForm(request.POST, request.FILES)
    if status := attach_upload(request, row, form):
        return render_bill(request, row, status, file_form=form, key=posted_key(request))
    messages.success(request, "The file is attached.")
    return redirect("bills_item", business, remote_id)


def store_upload(request: ActorRequest, form: BillFileForm) -> str | None:
    """The id of the file once it is uploaded; None where it was refused, which stands on the form then."""
    if not form.is_valid():
        return None
    file = form.cleaned_data["file"]
    sent = Upload(file.name[:150], form.cleaned_data["mime"], file.read())
    try:
        stored = commands.upload_file(request.actor, sent, key=form_key_of(request))
    except commands.REFUSALS as refused:
        form.add_error("file", refused.on_form)
        return None
    remember_upload(request.actor, stored.id, stored.text("file_name"))
    return stored.id


def attach_upload(request: ActorRequest, row: Bill, form: BillFileForm) -> int:
    """Uploads the file of a form and attaches it to a bill; how it looks is remembered, so that another bill's copy of it is found.
    0 once it is attached, else the status of what refused it, which stands on the form then."""
    file_id = store_upload(request, form)
    if file_id is None:
        return 422
    try:
        commands.attach_file(request.actor, row, file_id, key=form_key_of(request))
    except commands.REFUSALS as refused:
        form.add_error("file", refused.on_form)
        return refused.status
    file = form.cleaned_data["file"]
    file.seek(0)
    content = file.read()
    document_read = opened(content)
    remember_look(request.actor.business, hashlib.sha256(content).hexdigest(), document_read.look)
    row.refresh_from_db()
    remember_reading(request.actor.business, file_of(row, file_id), document_read)
    return 0


@require_POST
@needs(operations_payables.DETACH_BILL_FILES)
def detach(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """Takes a file off a bill; the service keeps it."""
    row = bill_for(request.actor, remote_id)
    try:
        commands.detach_file(request.actor, row, file_id, key=form_key_of(request))
    except commands.REFUSALS as refused:
        return render_bill(request, row, refused.status, problem=refused.on_form, key=posted_key(request))
    messages.success(request, "The file was removed from the bill.")
    return redirect("bills_item", business, remote_id)
