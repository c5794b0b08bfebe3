"""Changing a bill: another one that it may be from now on is shown before it is saved."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations_payables
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import bills as commands
from dashboard.mirror.models import Bill
from dashboard.pages.bills.forms.bills import BillForm, are_valid, changed_body, posted_forms, typed_forms
from dashboard.pages.bills.forms.lines import Lines
from dashboard.pages.bills.presenters.duplicates import comparison_of_entry, first_page
from dashboard.pages.bills.presenters.entry import edited_forms
from dashboard.pages.bills.selectors.bills import bill_for, is_unpaid, refresh_bill
from dashboard.pages.bills.selectors.entry import EntryChoices, entry_choices, new_duplicate_bills
from dashboard.pages.bills.views.entry import ENTRY, TYPED_ON
from dashboard.schemas.bills import Bill as WholeBill
from dashboard.web.form_outcome import not_submitted
from dashboard.web.respond import page
from dashboard.web.submission import acknowledged, form_key_of, posted_key


@require_http_methods(["GET", "POST"])
@needs(operations_payables.UPDATE_BILL)
def edit_bill(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Changes a bill; number, days of issue, lines and taxes only until a payment of it is under way."""
    row, choices = bill_for(request.actor, remote_id), entry_choices(request.actor)
    refresh_bill(request.actor, row)
    whole, unpaid = WholeBill.model_validate(row.payload), is_unpaid(request.actor, row)
    if request.method == "GET":
        forms = edited_forms(request.actor, choices, whole, row, is_unpaid=unpaid)
        return _render_edit(request, choices, *forms, bill=row)
    if TYPED_ON & request.POST.keys():
        typed = typed_forms(request.actor, choices, request.POST, bill=row, is_unpaid=unpaid)
        return _render_edit(request, choices, *typed, bill=row)
    return _save(request, choices, row, is_unpaid=unpaid)


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
        more = {"bill": row, "duplicates": duplicates, "comparisons": beside}
        return _render_edit(request, entry_choices, form, lines, 409, **more)
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
    **more: Any,
) -> HttpResponse:
    context = {"form": form, "lines": lines, "problem": entry_choices.problem, "key": posted_key(request), **more}
    return not_submitted(page(request, ENTRY, context, status=status))
