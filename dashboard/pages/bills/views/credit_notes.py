"""Credit notes: the list of all, recording one for a bill, and applying what remains of one to a bill."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import credit_notes as commands
from dashboard.errors import FinanceError
from dashboard.inputs import page_number
from dashboard.mirror.models import Bill
from dashboard.pages.bills.forms.credit_notes import CreditNoteForm, credit_note_form
from dashboard.pages.bills.presenters.credit_notes import notes_context
from dashboard.pages.bills.presenters.lists import bills_tabs
from dashboard.pages.bills.selectors.bills import bill_for
from dashboard.pages.bills.selectors.credit_notes import applicable_note, credit_notes_of, unapplied_of
from dashboard.pages.bills.views.bills import render_bill
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key


@require_GET
@needs(operations_payables.LIST_CREDIT_NOTES)
def credit_notes(request: ActorRequest, business: str) -> HttpResponse:
    """A page of all credit notes, or of those of the vendor that the address names."""
    actor, vendor_id = request.actor, request.GET.get("vendor", "")[:64]
    context: dict[str, Any] = {"parts": bills_tabs(actor, "")}
    try:
        held = credit_notes_of(actor, vendor_id, page_number(request.GET))
        context |= notes_context(actor, held, unapplied_of(actor, vendor_id), vendor_id)
    except FinanceError as trouble:
        context["problem"] = trouble.user_message
    return page(request, "bills/credit_notes.html", context)


@require_http_methods(["GET", "POST"])
@needs(operations_payables.CREATE_CREDIT_NOTE)
def new_credit_note(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Records a credit note for a bill: what of it fits lowers the bill at once."""
    actor, bill = request.actor, bill_for(request.actor, remote_id)
    check_or_record_denial(actor, operations_payables.CREATE_CREDIT_NOTE, bill)
    form = credit_note_form(actor, bill, request.POST if request.method == "POST" else None, request.GET)
    if request.method == "GET" or not form.is_valid():
        return _form_page(request, bill, form, 200 if request.method == "GET" else 422)
    try:
        commands.create_credit_note(actor, bill, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _form_page(request, bill, form, refused.status)
    messages.success(request, f"Credit note {form.cleaned_data['credit_no']} was recorded.")
    return redirect("bills_item", business, remote_id)


def _form_page(request: ActorRequest, bill: Bill, form: CreditNoteForm, status: int) -> HttpResponse:
    context = {"bill": bill, "form": form, "key": posted_key(request)}
    return page(request, "bills/credit_note.html", context, status=status)


@require_POST
@needs(operations_payables.APPLY_CREDIT_NOTE)
def apply_credit_note(request: ActorRequest, business: str, remote_id: str, note_id: str) -> HttpResponse:
    """Lowers what is open on a bill by all that fits of a credit note of its vendor."""
    actor, bill = request.actor, bill_for(request.actor, remote_id)
    check_or_record_denial(actor, operations_payables.APPLY_CREDIT_NOTE, bill)
    # Not on the form: whether an earlier sending of it is what left nothing, its answer says (web/errors.py).
    credit_note = applicable_note(actor, bill, note_id)
    try:
        commands.apply_credit_note(actor, credit_note, bill, key=form_key_of(request))
    except commands.REFUSALS as refused:
        return render_bill(request, bill, refused.status, problem=refused.on_form, key=posted_key(request))
    messages.success(request, f"Credit note {credit_note.credit_no} was applied.")
    return redirect("bills_item", business, remote_id)
