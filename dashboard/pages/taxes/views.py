"""Withholding taxes: the list, one with its terms, what was deducted and paid over, the report and the certificates."""

import re
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations, operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.commands import taxes as commands
from dashboard.errors import Conflict, FinanceError
from dashboard.inputs import page_number
from dashboard.lists.stored_ticks import MAX_STORED, page_ticks, store_ticks, ticks_under
from dashboard.pages.taxes.forms import (
    MAX_REMITTED,
    DeductionsForm,
    RemittanceForm,
    TaxForm,
    TaxNameForm,
    TaxTermsForm,
    tax_initial,
)
from dashboard.pages.taxes.presenters import rates, withheld
from dashboard.pages.taxes.selectors import (
    all_deductions,
    deductions_named,
    owed_of,
    tax_of,
    taxes_of,
)
from dashboard.schemas.taxes import Tax, TaxTransaction
from dashboard.times import day_text, local
from dashboard.web.files import save_as
from dashboard.web.form_outcome import not_submitted
from dashboard.web.forms import PeriodForm
from dashboard.web.respond import is_fragment_request, page
from dashboard.web.submission import form_key_of, posted_key, sent_before

LIST, NEW, ITEM, REMIT = "taxes/list.html", "taxes/new.html", "taxes/item.html", "taxes/remit.html"
DEDUCTIONS, REPORT, CERTIFICATES = "taxes/deductions.html", "taxes/report.html", "taxes/certificates.html"
MAX_PAGE = 10_000
# Under this name the ticks of the deductions are kept.
TICKED = "tax_deductions"
CURSOR = re.compile(r"[A-Za-z0-9_-]{1,400}")


@require_GET
@needs(operations.LIST_TAXES)
def taxes(request: ActorRequest, business: str) -> HttpResponse:
    """All withholding taxes with the rates of today."""
    try:
        rows, problem = taxes_of(request.actor), ""
    except FinanceError as trouble:
        rows, problem = [], trouble.user_message
    return page(request, LIST, rates.taxes_context(request.actor, rows, problem))


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_TAX)
def new_tax(request: ActorRequest, business: str) -> HttpResponse:
    """A new tax with its first terms."""
    form = TaxForm(request.POST if request.method == "POST" else None, locale=request.actor.business.locale)
    if request.method == "GET" or not form.is_valid():
        return _form_page(request, NEW, 200 if request.method == "GET" else 422, form=form)
    try:
        added = commands.create(request.actor, form.body(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _form_page(request, NEW, refused.status, form=form)
    messages.success(request, f"{form.cleaned_data['name']} was added.")
    return redirect("taxes_item", business, added.id)


def _form_page(request: ActorRequest, template: str, status: int, **context: Any) -> HttpResponse:
    return page(request, template, {"key": posted_key(request), **context}, status=status)


@require_GET
@needs(operations.LIST_TAXES)
def tax(request: ActorRequest, business: str, tax_id: str) -> HttpResponse:
    """One tax: what it was, is, and will be."""
    return _item(request, tax_of(request.actor, tax_id))


def _item(request: ActorRequest, row: Tax, status: int = 200, **refused: Any) -> HttpResponse:
    context: dict[str, Any] = {**rates.tax_context(request.actor, row)}
    if row.status == "ACTIVE" and can_open(request.actor, operations.EDIT_TAX):
        context["rename_form"] = TaxNameForm(initial={"name": row.name}, prefix="rename")
        context["terms_form"] = TaxTermsForm(initial=tax_initial(row), locale=request.actor.business.locale)
    return page(request, ITEM, {**context, "key": posted_key(request), **refused}, status=status)


@require_POST
@needs(operations.EDIT_TAX)
def rename_tax(request: ActorRequest, business: str, tax_id: str) -> HttpResponse:
    """Gives a tax another name; its code and its rates stay."""
    row, form = tax_of(request.actor, tax_id), TaxNameForm(request.POST, prefix="rename")
    if not form.is_valid():
        return _item(request, row, 422, rename_form=form)
    try:
        commands.edit(request.actor, row, {"name": form.cleaned_data["name"]}, key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _item(request, row, refused.status, rename_form=form)
    messages.success(request, "Changes saved.")
    return redirect("taxes_item", business, tax_id)


@require_POST
@needs(operations.EDIT_TAX)
def new_terms(request: ActorRequest, business: str, tax_id: str) -> HttpResponse:
    """Gives a tax the terms that hold from a day on; those before stay as they were."""
    row, form = tax_of(request.actor, tax_id), TaxTermsForm(request.POST, locale=request.actor.business.locale)
    if not form.is_valid():
        return _item(request, row, 422, terms_form=form)
    try:
        commands.edit(request.actor, row, form.terms(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _item(request, row, refused.status, terms_form=form)
    since = day_text(form.cleaned_data["effective_from"])
    messages.success(request, f"New terms of {row.name} from {since}.")
    return redirect("taxes_item", business, tax_id)


@require_POST
@needs(operations.ARCHIVE_TAX)
def archive_tax(request: ActorRequest, business: str, tax_id: str) -> HttpResponse:
    """Ends the use of a tax; what it has deducted stays owed."""
    row = tax_of(request.actor, tax_id)
    try:
        commands.archive(request.actor, row, key=form_key_of(request))
    except Conflict as refused:
        messages.error(request, refused.on_form)
    else:
        messages.success(request, f"{row.name} was archived.")
    return redirect("taxes_item", business, tax_id)


@require_http_methods(["GET", "POST"])
@needs(operations.LIST_TAX_TRANSACTIONS)
def deductions(request: ActorRequest, business: str) -> HttpResponse:
    """What was deducted, the newest first, and what was paid over lately; posted, what is ticked is kept for its other pages."""
    if request.method == "POST":
        return _keep(request)
    (form, _), number = _filter(request), page_number(request.GET, MAX_PAGE)
    ticks, query = page_ticks(request, TICKED).keys(), _query_without_page(request)
    cursor = CURSOR.fullmatch(request.GET.get("cursor", ""))
    context = withheld.deductions_context(request.actor, form, number, query, ticks, cursor[0] if cursor else "")
    return page(request, DEDUCTIONS, context, status=200 if form.is_valid() else 400)


def _keep(request: ActorRequest) -> HttpResponse:
    is_whole = store_ticks(request, TICKED, request.POST.getlist("ids")[:MAX_REMITTED])
    if is_fragment_request(request):
        return not_submitted(HttpResponse(status=204))
    if not is_whole:
        messages.error(request, f"At most {MAX_STORED} deductions can be selected; the others were left out.")
    if request.POST.get("verb") == "remit":
        return not_submitted(redirect("taxes_remit", request.actor.business.slug))
    return not_submitted(redirect(f"{request.path}?{request.GET.urlencode() or 'page=1'}"))


def _filter(request: ActorRequest) -> tuple[DeductionsForm, list[Tax]]:
    """The filter of the address, and the taxes that it offers: none where the service does not answer."""
    try:
        rows = taxes_of(request.actor)
    except FinanceError:
        rows = []
    return DeductionsForm(request.GET, taxes=rows), rows


def _query_without_page(request: ActorRequest) -> str:
    query = request.GET.copy()
    query.pop("page", None)
    query.pop("cursor", None)
    return query.urlencode()


@require_http_methods(["GET", "POST"])
@needs(operations_extra.CREATE_REMITTANCE)
def remit(request: ActorRequest, business: str) -> HttpResponse:
    """Records that the chosen deductions were paid over, each with the number of its certificate: those that the address or the form names,
    else those that are ticked."""
    chosen = (request.GET if request.method == "GET" else request.POST).getlist("id")[:MAX_REMITTED]
    if request.method == "GET" and not chosen:
        chosen = list(ticks_under(request, TICKED))
    rows = owed_of(request.actor, chosen) if chosen else []
    if not rows and request.method == "POST" and sent_before(request):
        return _sent_again(request, chosen)
    if not rows:
        messages.error(request, "Select what was paid over: nothing of what you chose is owed.")
        return redirect("taxes_deductions", business)
    today = local(timezone.now(), request.actor.business).date()
    form = RemittanceForm(request.POST or None, rows=rows, initial={"remitted_on": today})
    if request.method == "GET" or not form.is_valid():
        return _remit_page(request, form, rows, 200 if request.method == "GET" else 422)
    return _record(request, form, rows)


def _sent_again(request: ActorRequest, chosen: Sequence[str]) -> HttpResponse:
    """What became of deductions of which nothing is owed any more: the first sending may have done it, or somebody else."""
    rows = deductions_named(request.actor, chosen)
    if rows and all(row.status == "REMITTED" and row.certificate_no == request.POST.get(row.id) for row in rows):
        messages.success(request, "This was sent before: it is recorded as remitted.")
    else:
        messages.error(request, withheld.not_as_sent_text(rows))
    return redirect("taxes_deductions", request.actor.business.slug)


def _record(request: ActorRequest, form: RemittanceForm, rows: list[TaxTransaction]) -> HttpResponse:
    title = f"{len(rows)} withheld tax" + ("es" if len(rows) > 1 else "")
    try:
        commands.record_remittance(request.actor, form.body(), title, key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _remit_page(request, form, rows, refused.status)
    store_ticks(request, TICKED, ())
    messages.success(request, f"Recorded as remitted: {title}.")
    return redirect("taxes_deductions", request.actor.business.slug)


def _remit_page(request: ActorRequest, form: RemittanceForm, rows: list[TaxTransaction], status: int) -> HttpResponse:
    lines = [withheld.deduction_row(request.actor, row) for row in rows]
    sums = withheld.totals(rows, request.actor.business.locale)
    return _form_page(request, REMIT, status, form=form, rows=lines, sums=sums)


@require_GET
@needs(operations.LIST_TAX_TRANSACTIONS)
def report(request: ActorRequest, business: str) -> HttpResponse:
    """What was deducted in a period, by rate and by vendor."""
    form, taxes_known = _filter(request)
    rows, problem = list[TaxTransaction](), ""
    if form.is_valid():
        try:
            rows = all_deductions(request.actor, form.query())
        except FinanceError as trouble:
            problem = trouble.user_message
    context = withheld.report_context(request.actor, form, taxes_known, rows, _query_without_page(request), problem)
    return page(request, REPORT, context, status=200 if form.is_valid() else 400)


@require_GET
@needs(operations.LIST_TAX_TRANSACTIONS)
def report_file(request: ActorRequest, business: str) -> HttpResponse:
    """The deductions of the report, one by one, as CSV."""
    form, taxes_known = _filter(request)
    if not form.is_valid():
        return redirect("taxes_report", business)
    content = withheld.report_csv(request.actor, all_deductions(request.actor, form.query()), taxes_known)
    answer = HttpResponse(content, content_type="text/csv; charset=utf-8")
    save_as(answer, "withholding-tax.csv")
    return answer


@require_GET
@needs(operations.LIST_TAX_TRANSACTIONS)
def certificates(request: ActorRequest, business: str, vendor_id: str) -> HttpResponse:
    """What was withheld from one vendor in a period, with the certificates: a page to print."""
    form = PeriodForm(request.GET)
    rows = all_deductions(request.actor, {"vendor_id": vendor_id, **form.days()})
    context = withheld.certificates_context(request.actor, vendor_id, form, rows)
    return page(request, CERTIFICATES, context, status=200 if form.is_valid() else 400)
