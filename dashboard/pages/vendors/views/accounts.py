"""The accounts that vendors are paid on: proposed by one person, and confirmed or rejected by another."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations, operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import vendors as commands
from dashboard.errors import FinanceError
from dashboard.mirror.models import Vendor
from dashboard.pages.vendors.forms.accounts import AccountForm, CallBackForm, RejectAccountForm
from dashboard.pages.vendors.presenters.payee_changes import payee_changes_context, released_text, stopped_text
from dashboard.pages.vendors.presenters.vendors import account_row
from dashboard.pages.vendors.selectors.payee_changes import change_of, effects_of, number_on_record
from dashboard.pages.vendors.selectors.vendors import VendorDestinations, account_for, vendor_destinations, vendor_for
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import form_key_of, posted_key

ACCOUNT, CHANGES, DECIDE = "vendors/account.html", "vendors/payee_changes.html", "vendors/decide.html"


@require_GET
@needs(operations.LIST_VENDORS)
def payee_changes(request: ActorRequest, business: str) -> HttpResponse:
    """Every account that waits for a second person, the oldest first."""
    return page(request, CHANGES, payee_changes_context(request.actor))


@require_http_methods(["GET", "POST"])
@needs(operations.ADD_PAYMENT_INSTRUCTION)
def propose_account(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Proposes another account of a vendor, or what one in use becomes: a second person confirms it."""
    row = vendor_for(request.actor, remote_id)
    check_or_record_denial(request.actor, operations.ADD_PAYMENT_INSTRUCTION, commands.proposal_subject(row))
    return _propose(request, row, commands.propose_account)


@require_http_methods(["GET", "POST"])
@needs(operations.ADD_VENDOR_PAYMENT_METHOD)
def propose_payment_method(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Proposes the account that a bill of the vendor names: a second person confirms it."""
    row = vendor_for(request.actor, remote_id)
    check_or_record_denial(request.actor, operations.ADD_VENDOR_PAYMENT_METHOD, commands.proposal_subject(row))
    return _propose(request, row, commands.propose_payment_method, of_bill=True)


def _propose(
    request: ActorRequest, row: Vendor, command: Callable[..., object], *, of_bill: bool = False
) -> HttpResponse:
    try:
        known = vendor_destinations(request.actor)
    except FinanceError as trouble:
        return _render_account(request, row, None, trouble.status, problem=trouble.user_message, of_bill=of_bill)
    form = _account_form(request, known)
    if request.method == "GET" or not form.is_valid():
        return _render_account(request, row, form, 200 if request.method == "GET" else 422, of_bill=of_bill)
    try:
        command(request.actor, row, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_account(request, row, form, refused.status, of_bill=of_bill)
    return _proposed(request, row)


def _account_form(request: ActorRequest, vendor_destinations: VendorDestinations) -> AccountForm:
    options = {"channels": vendor_destinations.channels, "banks": vendor_destinations.banks}
    if request.method == "POST":
        return AccountForm(request.POST, **options)
    return AccountForm(initial={"instruction_id": request.GET.get("replaces", "")[:64]}, **options)


def _render_account(
    request: ActorRequest, row: Vendor, form: AccountForm | None, status: int = 200, **more: Any
) -> HttpResponse:
    replaced = (form["instruction_id"].value() if form else "") or ""
    account = account_for(request.actor, row, str(replaced)) if replaced else None
    context = {"vendor": row, "form": form, "key": posted_key(request), **more}
    context["replaces"] = account_row(request.actor, account, None) if account else None
    return page(request, ACCOUNT, context, status=status)


def _proposed(request: ActorRequest, row: Vendor) -> HttpResponse:
    """Says what the service answered: that the account waits, or where it does not, that it is in use."""
    row.refresh_from_db()
    if row.quarantined:
        messages.success(request, "The account waits for a second person, and is not paid to until then.")
    else:
        messages.warning(request, "The finance service put the account to use immediately: nobody else confirmed it.")
    return redirect("vendors_item", request.actor.business.slug, row.remote_id)


@require_POST
@needs(operations_payables.CONFIRM_PAYMENT_INSTRUCTION)
def confirm_account(request: ActorRequest, business: str, remote_id: str, account_id: str) -> HttpResponse:
    """Puts a proposed account to use, after a call-back; who has not just shown that it is them does so first."""
    account = account_for(request.actor, vendor_for(request.actor, remote_id), account_id)
    check_or_record_denial(request.actor, operations_payables.CONFIRM_PAYMENT_INSTRUCTION, account)
    form = _call_back_form(request, account)
    if not form.is_valid():
        return _render_decision(request, account, 422, call_back=form)
    return confirm_first(request, request.path) or _confirm(request, account, form)


def _confirm(request: ActorRequest, payee_account: commands.KnownPayeeAccount, form: CallBackForm) -> HttpResponse:
    effects = effects_of(request.actor, [change_of(payee_account)])[payee_account.id]
    try:
        commands.confirm_account(request.actor, payee_account, form.confirmation(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_decision(request, payee_account, refused.status, call_back=form)
    messages.success(
        request, f"Account ···{payee_account.last} of {payee_account.vendor.name} is in use.{released_text(effects)}"
    )
    if sentence := stopped_text(request.actor, effects):
        messages.warning(request, sentence)
    return redirect("vendors_item", request.actor.business.slug, payee_account.vendor.remote_id)


def _call_back_form(request: ActorRequest, payee_account: commands.KnownPayeeAccount) -> CallBackForm:
    return CallBackForm(
        request.POST, business=request.actor.business, on_record=number_on_record(payee_account), proposed_at=payee_account.proposed_at
    )  # fmt: skip


@require_POST
@needs(operations_payables.REJECT_PAYMENT_INSTRUCTION)
def reject_account(request: ActorRequest, business: str, remote_id: str, account_id: str) -> HttpResponse:
    """Rejects a proposed account: what was in use stays. Who has not just shown that it is them does so first."""
    account = account_for(request.actor, vendor_for(request.actor, remote_id), account_id)
    check_or_record_denial(request.actor, operations_payables.REJECT_PAYMENT_INSTRUCTION, account)
    form = RejectAccountForm(request.POST)
    if not form.is_valid():
        return _render_decision(request, account, 422, rejection=form)
    if verification := confirm_first(request, request.path):
        return verification
    try:
        commands.reject_account(
            request.actor, account, form.cleaned_data["reason"], key=form_key_of(request), form=form
        )
    except commands.REFUSALS as refused:
        return _render_decision(request, account, refused.status, rejection=form)
    messages.success(request, f"Account ···{account.last} of {account.vendor.name} was rejected.")
    return redirect("vendors_item", business, remote_id)


def _render_decision(
    request: ActorRequest, payee_account: commands.KnownPayeeAccount, status: int, **forms: Any
) -> HttpResponse:
    """The one change with the form that was refused, under its key, and the other form as it was."""
    context = {"call_back": CallBackForm(business=request.actor.business), "rejection": RejectAccountForm(), **forms}
    context |= {"account": payee_account, "vendor": payee_account.vendor, "key": posted_key(request)}
    return page(request, DECIDE, context, status=status)
