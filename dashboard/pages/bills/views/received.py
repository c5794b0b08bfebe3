"""Bills that came by e-mail: the list of what waits, entering one from an attachment, and dismissing a message."""

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.client.multipart import Upload
from dashboard.commands import bills as commands
from dashboard.inbound_mail.selectors import get_attachment, get_message
from dashboard.inbound_mail.services import dismiss_message, remember_file
from dashboard.pages.bills.presenters.received import received_context
from dashboard.pages.bills.selectors.bills import remember_upload
from dashboard.web.files import saved_file
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of

RECEIVED = "bills/received.html"


@require_GET
@needs(operations_payables.CREATE_BILL)
def received(request: ActorRequest, business: str) -> HttpResponse:
    """The messages that wait for somebody to enter their bills; `?show=all`: also those that are done."""
    return _render(request)


@require_POST
@needs(operations_payables.CREATE_BILL)
def enter_received(request: ActorRequest, business: str, attachment_id: UUID) -> HttpResponse:
    """Uploads an attachment as a dropped file is, and leads to the form that is filled in from it."""
    attachment = get_attachment(request.actor, attachment_id)
    query = {"received": str(attachment.pk)}
    if attachment.mime and attachment.problem != "bytes":
        sent = Upload(attachment.file_name, attachment.mime, bytes(attachment.content))
        try:
            file_id = attachment.file_id or commands.upload_file(request.actor, sent, key=form_key_of(request)).id
        except commands.REFUSALS as refused:
            return _render(request, refused.status, problem=f"{attachment.file_name}: {refused.on_form}")
        remember_file(attachment, file_id)
        remember_upload(request.actor, file_id, attachment.file_name)
        query["file"] = file_id
    return redirect(f"{reverse('bills_new', args=[business])}?{urlencode(query)}")


@require_GET
@needs(operations_payables.CREATE_BILL)
def received_file(request: ActorRequest, business: str, attachment_id: UUID) -> HttpResponse:
    """An attachment as it came, to be saved."""
    attachment = get_attachment(request.actor, attachment_id)
    return saved_file(bytes(attachment.content), attachment.file_name)


@require_POST
@needs(operations_payables.CREATE_BILL)
def dismiss_received(request: ActorRequest, business: str, message_id: UUID) -> HttpResponse:
    """Takes a message off the list; it can be found among all of them for 90 days."""
    dismiss_message(request.actor, get_message(request.actor, message_id))
    messages.success(request, "The message was dismissed.")
    return redirect("bills_received", business)


def _render(request: ActorRequest, status: int = 200, *, problem: str = "") -> HttpResponse:
    context = received_context(request.actor, shows_all=request.GET.get("show") == "all")
    return page(request, RECEIVED, {**context, "problem": problem}, status=status)
