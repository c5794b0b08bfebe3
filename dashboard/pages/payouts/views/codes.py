"""The one-time code of a payout: having it sent, and paying with it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import payouts as commands
from dashboard.pages.payouts.forms.payouts import SendCodeForm
from dashboard.pages.payouts.presenters.payouts import approved_text, code_form
from dashboard.pages.payouts.selectors.payouts import payout_for
from dashboard.pages.payouts.views.payouts import REFUSED, render_payout
from dashboard.payout_files.services import remember_code
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import form_key_of, posted_key


@require_POST
@needs(operations.CREATE_PAYMENT_INTENT)
def send_code(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Has a code sent for exactly what this payout pays; the page then asks for it."""
    row, form = payout_for(request.actor, remote_id), SendCodeForm(request.POST)
    if not form.is_valid():
        return render_payout(request, row, 422, send_code=form, key=posted_key(request))
    try:
        intent = commands.send_code(request.actor, row, form.cleaned_data["channel"], key=form_key_of(request))
    except REFUSED as refused:
        return render_payout(request, row, refused.status, refusal=refused, refused=refused.on_form)
    if intent is None:
        messages.info(
            request, "The finance service accepted it, but its answer could not be read: have a code sent again."
        )
        return redirect("payouts_item", business, remote_id)
    if intent.expires_at is not None:
        remember_code(request.actor.business, row.remote_id, intent.intent_id, intent.expires_at)
    return render_payout(request, row, code=code_form(request.actor, row, intent_id=intent.intent_id))


@require_POST
@needs(operations.CONFIRM_PAYMENT)
def confirm(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Pays it with the code; who has not just shown that it is them does so first."""
    row = payout_for(request.actor, remote_id)
    form = code_form(request.actor, row, request.POST)
    check_or_record_denial(request.actor, operations.CONFIRM_PAYMENT, row)
    if not form.is_valid():
        return render_payout(request, row, 422, code=form, key=posted_key(request))
    if verification := confirm_first(request, request.path):
        return verification
    data = form.cleaned_data
    try:
        commands.confirm_code(request.actor, row, data["intent_id"], data["code"], key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return render_payout(request, row, refused.status, refusal=refused, code=form)
    messages.success(request, f"The code was right: {approved_text(request.actor, row)}")
    return redirect("payouts_item", business, remote_id)
