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
from dashboard.pages.bills.forms.bills import BillForm, bill_form, typed_forms
from dashboard.pages.bills.forms.lines import Lines, lines_of
from dashboard.pages.bills.presenters.duplicates import comparison_of_entry, first_page
from dashboard.pages.bills.presenters.entry import bill_initial, initial_lines
from dashboard.pages.bills.selectors.bills import bill_for, is_unpaid, refresh_bill
from dashboard.pages.bills.selectors.entry import EntryChoices, entry_choices, likely_duplicate_bills
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
    options: Any = {"bill": row, "is_unpaid": unpaid}
    if request.method == "GET":
        return _render_edit(request, choices, *_forms_of(request.actor, choices, whole, options), bill=row)
    if TYPED_ON & request.POST.keys():
        return _render_edit(request, choices, *typed_forms(request.actor, choices, request.POST, **options), bill=row)
    return _save(request, choices, options)


def _forms_of(
    actor: Actor, entry_choices: EntryChoices, whole: WholeBill, options: Any
) -> tuple[BillForm, Lines | None]:
    """The forms of a bill as it is; None for lines that stay."""
    form = bill_form(actor, entry_choices, initial=bill_initial(whole), **options)
    if whole.discount_from_vendor and "discount_percent" in form.fields:
        form.fields["discount_percent"].help_text = "The vendor's terms. Changed here, it is this bill's own."
    if not options["is_unpaid"]:
        return form, None
    locale = actor.business.locale
    lines = lines_of(
        initial=initial_lines(whole),
        extra=0,
        locale=locale,
        categories=entry_choices.categories,
        teams=entry_choices.teams,
    )
    return form, lines


def _save(request: ActorRequest, entry_choices: EntryChoices, options: Any) -> HttpResponse:
    row, locale = options["bill"], request.actor.business.locale
    form = bill_form(request.actor, entry_choices, request.POST, **options)
    lines: Lines | None = None
    if options["is_unpaid"]:
        lines = lines_of(request.POST, locale=locale, categories=entry_choices.categories, teams=entry_choices.teams)
    if not (form.is_valid() & (lines is None or (lines.is_valid() and lines.check_shares(row.currency)))):
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
    body = form.body()
    if lines:
        body["line_items"] = lines.body()
    if "open" in request.POST and row.status == "DRAFT":
        body["status"] = "OPEN"
    try:
        commands.update_bill(request.actor, row, body, key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_edit(request, entry_choices, form, lines, refused.status, bill=row)
    messages.success(request, "Changes saved.")
    return redirect("bills_item", request.actor.business.slug, row.remote_id)


def _others_like(actor: Actor, row: Bill, form: BillForm, lines: Lines) -> list[tuple[Bill, str]]:
    """The bills that the changed one may be, and that it was not likely to be before."""
    data: dict[str, Any] = form.cleaned_data
    vendor: dict[str, Any] = {"vendor_id": row.vendor_id, "currency": row.currency}
    before = likely_duplicate_bills(
        actor, bill_no=row.bill_no, total_minor=row.total_minor, issued_on=row.issued_on,
        purchase_order=row.purchase_order, **vendor,
    )  # fmt: skip
    return likely_duplicate_bills(
        actor, bill_no=data["bill_no"], total_minor=lines.total_minor(row.currency), issued_on=data["issued_at"],
        purchase_order=data["purchase_order"], besides={row.pk, *(other.pk for other, _ in before)}, **vendor,
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
