"""Changing a bill beside its files: what they say else is said and overwrites nothing, and another bill that it may be from now on is
shown before it is saved. A file can be added without losing what was typed."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations_payables
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import can
from dashboard.access.decorators import needs
from dashboard.commands import bills as commands
from dashboard.mirror.models import Bill
from dashboard.pages.bills.forms.bills import (
    BillFileForm,
    BillForm,
    are_valid,
    changed_body,
    posted_forms,
    reading_form,
    typed_forms,
    typed_total,
)
from dashboard.pages.bills.forms.lines import Lines
from dashboard.pages.bills.presenters.attached import documents_beside, note_files, warning_of_accounts
from dashboard.pages.bills.presenters.duplicates import comparison_of_entry, first_page
from dashboard.pages.bills.presenters.entry import edited_forms
from dashboard.pages.bills.selectors.attached import attached_files
from dashboard.pages.bills.selectors.bills import accepts_files, bill_for, is_unpaid, refresh_bill
from dashboard.pages.bills.selectors.entry import EntryChoices, entry_choices, new_duplicate_bills, vendor_of
from dashboard.pages.bills.views.attachments import attach_upload
from dashboard.pages.bills.views.entry import ENTRY, TYPED_ON
from dashboard.schemas.bills import Bill as WholeBill
from dashboard.web.form_outcome import not_submitted
from dashboard.web.respond import page
from dashboard.web.submission import acknowledged, form_key_of, new_key, posted_key

ATTACH = "attach_file"


@require_http_methods(["GET", "POST"])
@needs(operations_payables.UPDATE_BILL)
def edit_bill(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Changes a bill; number, days of issue, lines and taxes only until a payment of it is under way."""
    row, choices = bill_for(request.actor, remote_id), entry_choices(request.actor)
    refresh_bill(request.actor, row)
    whole, unpaid = WholeBill.model_validate(row.payload), is_unpaid(request.actor, row)
    if request.method == "GET":
        forms = edited_forms(request.actor, choices, whole, row, is_unpaid=unpaid)
        return _render_edit(request, choices, *forms, bill=row, total_minor=row.total_minor)
    if ATTACH in request.POST:
        return _attach(request, choices, row, is_unpaid=unpaid)
    if TYPED_ON & request.POST.keys():
        typed = typed_forms(request.actor, choices, request.POST, bill=row, is_unpaid=unpaid)
        return not_submitted(_render_edit(request, choices, *typed, bill=row))
    return _save(request, choices, row, is_unpaid=unpaid)


def _attach(request: ActorRequest, entry_choices: EntryChoices, row: Bill, *, is_unpaid: bool) -> HttpResponse:
    """The form as it was typed, beside the file that was added; or with what refused the file."""
    file_form = reading_form(request.POST, request.FILES)
    status = attach_upload(request, row, file_form)
    typed = typed_forms(request.actor, entry_choices, request.POST, bill=row, is_unpaid=is_unpaid)
    if status:
        return _render_edit(request, entry_choices, *typed, status, bill=row, file_form=file_form)
    # Another form from here on: the key of the upload is spent.
    return _render_edit(request, entry_choices, *typed, bill=row, key=new_key(), attached="The file is attached.")


def _save(request: ActorRequest, entry_choices: EntryChoices, row: Bill, *, is_unpaid: bool) -> HttpResponse:
    form, lines = posted_forms(request.actor, entry_choices, request.POST, bill=row, is_unpaid=is_unpaid)
    if not are_valid(form, lines, row.currency):
        return _render_edit(request, entry_choices, form, lines, 422, bill=row)
    duplicates = _others_like(request.actor, row, form, lines) if lines else []
    if not acknowledged(request, (other.remote_id for other, _ in duplicates)):
        beside = comparison_of_entry(
            request.actor, form, lines, [other for other, _ in duplicates], vendor=row.vendor_name, currency=row.currency,
            thumbnail=first_page(request.actor, row),
        )  # fmt: skip
        return _render_edit(
            request, entry_choices, form, lines, 409, bill=row, duplicates=duplicates, comparisons=beside
        )
    body = changed_body(form, lines, opens="open" in request.POST and row.status == "DRAFT")
    try:
        commands.update_bill(request.actor, row, body, key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_edit(request, entry_choices, form, lines, refused.status, bill=row)
    messages.success(request, "Changes saved.")
    return redirect("bills_item", request.actor.business.slug, row.remote_id)


def _others_like(actor: Actor, row: Bill, form: BillForm, lines: Lines) -> list[tuple[Bill, str]]:
    data, total_minor = form.cleaned_data, lines.total_minor(row.currency)
    return new_duplicate_bills(
        actor, row, bill_no=data["bill_no"], total_minor=total_minor, issued_on=data["issued_at"],
        purchase_order=data["purchase_order"],
    )  # fmt: skip


def _render_edit(
    request: ActorRequest,
    entry_choices: EntryChoices,
    form: BillForm,
    lines: Lines | None,
    status: int = 200,
    *,
    bill: Bill,
    total_minor: int | None = None,
    file_form: BillFileForm | None = None,
    **more: Any,
) -> HttpResponse:
    """The page of the form beside the bill's files, with what they say of its fields."""
    actor, attached = request.actor, attached_files(request.actor, bill)
    total = (
        typed_total(request.POST, entry_choices, actor.business.locale, bill.currency) if request.POST else total_minor
    )
    note_files(form, lines, attached, currency=bill.currency, total_minor=total, locale=actor.business.locale)
    may_attach = accepts_files(bill) and bool(can(actor, operations_payables.ATTACH_BILL_FILES, bill))
    context = {
        "bill": bill, "form": form, "lines": lines, "key": posted_key(request),
        "problem": " ".join(filter(None, (entry_choices.problem, attached.problem))),
        "file_form": (file_form or reading_form()) if may_attach else None, "documents": documents_beside(actor, bill, attached),
        "account_warning": warning_of_accounts(attached, vendor_of(actor, bill.vendor_id)),
    }  # fmt: skip
    return page(request, ENTRY, {**context, **more}, status=status)
