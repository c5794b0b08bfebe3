"""Entering a bill by hand or from a dropped file."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations_payables
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import bills as commands
from dashboard.commands.discounts import new_bill_terms_text
from dashboard.documents.limits import THUMBNAIL
from dashboard.documents.looks import remember_look
from dashboard.documents.readings import UNREAD, Reading
from dashboard.errors import FinanceError
from dashboard.inbound_mail.services import mark_entered
from dashboard.pages.bills.forms.bills import (
    BillForm,
    BillTermsForm,
    bill_form,
    has_typed,
    reading_form,
    typed_forms,
    typed_values,
)
from dashboard.pages.bills.forms.lines import Lines, lines_of, typed_lines
from dashboard.pages.bills.presenters.duplicates import comparison_of_entry
from dashboard.pages.bills.presenters.entry import (
    credit_file,
    keep_typed,
    note_fields,
    paper_of,
    prefill_of,
)
from dashboard.pages.bills.presenters.read_values import account_line, account_warning
from dashboard.pages.bills.presenters.received import received_note
from dashboard.pages.bills.selectors.entry import (
    Dropped,
    Received,
    dropped_file,
    entry_choices,
    likely_duplicate_bills,
    received_bill,
    vendor_of,
    vendors_like,
    with_vendor,
)
from dashboard.pages.bills.views.attachments import store_upload
from dashboard.schemas.bills import BillBody
from dashboard.web.form_outcome import not_submitted
from dashboard.web.respond import page
from dashboard.web.submission import acknowledged, form_key_of, new_key, posted_key

ENTRY = "bills/entry.html"
# What is typed goes on with: one more line, the split of one, or the vendors of a name.
TYPED_ON = {"add_line", "split_line", "find_vendor"}


@require_http_methods(["GET", "POST"])
@needs(operations_payables.CREATE_BILL)
def new_bill(request: ActorRequest, business: str) -> HttpResponse:
    """The form of a new bill, filled in from the uploaded file that the address names; entered, the page of the bill."""
    entry = _Entry(request, request.POST.get("file_id") or request.GET.get("file", ""))
    if request.method == "GET":
        return entry.render_new()
    # A name that was typed and entered is looked for, whichever button the browser takes for Enter.
    if TYPED_ON & request.POST.keys() or request.POST.get("vendor_term", "").strip():
        return entry.render_again()
    form, lines = entry.bound()
    if not (form.is_valid() & lines.is_valid()) or not lines.check_shares(entry.currency_of(form)):
        return entry.render(form, lines, 422)
    if entry.credit is not None and entry.credit.is_sure:
        return entry.render(form, lines, 422)
    duplicates = entry.duplicates(form, lines)
    if not acknowledged(request, (other.remote_id for other, _ in duplicates)):
        return entry.render(form, lines, 409, duplicates=duplicates)
    return entry.create(form, lines)


class _Entry:
    """One request to the form of a new bill: what the form offers, and the file beside it."""

    def __init__(self, request: ActorRequest, file_id: str) -> None:
        self.request, self.actor = request, request.actor
        chosen = request.POST.get("vendor_id") or request.GET.get("vendor", "")
        self.choices = entry_choices(request.actor, chosen=chosen[:64], term=request.POST.get("vendor_term", "")[:100])
        self.problem, self.key = self.choices.problem, posted_key(request)
        self.dropped: Dropped | None = None
        self.received = received_bill(self.actor, request.POST.get("received") or request.GET.get("received", ""))
        try:
            self.dropped = dropped_file(request.actor, file_id[:64])
        except FinanceError as trouble:
            self.problem = f"The file could not be opened: {trouble.user_message}"
        self.credit = credit_file(self.actor, self.source.opened.reading) if self.source else None
        if self.source and (unread := UNREAD.get(self.source.opened.reading.unread)):
            self.problem = f"{self.problem} {unread}".strip()

    @property
    def source(self) -> Dropped | Received | None:
        """What the form is filled in from."""
        return self.dropped or self.received

    def render_new(self, sent: QueryDict | None = None) -> HttpResponse:
        """The form with what was read from the file under what was typed already, and what else may be the same bill."""
        source = self.source
        reading = source.opened.reading if source else Reading()
        named = vendors_like(self.actor, reading.merchant.text) if reading.merchant else []
        prefill = prefill_of(reading, named, self.actor.business.locale)
        if sent is not None:
            # Another form from here on: the key of the upload is spent.
            self.key = new_key()
            keep_typed(prefill, typed_values(sent), typed_lines(sent))
        initial = {"vendor_id": self.request.GET.get("vendor", "")[:64], **prefill.initial}
        self.choices = with_vendor(self.actor, self.choices, initial["vendor_id"])
        if self.dropped:
            initial["file_id"] = self.dropped.document.file_id
        form = bill_form(self.actor, self.choices, initial=initial)
        lines = self._lines(initial=prefill.lines)
        note_fields(form, lines, prefill)
        same_file = likely_duplicate_bills(self.actor, sha256=source.sha256, look=source.opened.look) if source else []
        return self.render(form, lines, duplicates=same_file)

    def render_again(self) -> HttpResponse:
        """The form as it was typed, with one more line, the split of one, or the vendors of a name."""
        form, lines = typed_forms(self.actor, self.choices, self.request.POST)
        return not_submitted(self.render(form, lines))

    def bound(self) -> tuple[BillForm, Lines]:
        """The form and its lines as they were sent."""
        return bill_form(self.actor, self.choices, self.request.POST), self._lines(self.request.POST)

    def _lines(self, data: QueryDict | None = None, *, initial: Any = ()) -> Lines:
        locale = self.actor.business.locale
        return lines_of(
            data, initial=initial, locale=locale, categories=self.choices.categories, teams=self.choices.teams
        )

    def currency_of(self, form: BillForm) -> str:
        """The currency of the bill: its own, or the vendor's; "" where no vendor is known."""
        vendor = vendor_of(self.actor, form.cleaned_data["vendor_id"])
        own: str = form.cleaned_data["currency"].upper()
        return own or (vendor.currency if vendor else "")

    def duplicates(self, form: BillForm, lines: Lines) -> list[Any]:
        """The bills that may be the one that is entered."""
        data, currency = form.cleaned_data, self.currency_of(form)
        return likely_duplicate_bills(
            self.actor, vendor_id=data["vendor_id"], bill_no=data["bill_no"], currency=currency,
            total_minor=lines.total_minor(currency), issued_on=data["issued_at"], purchase_order=data["purchase_order"],
            sha256=self.source.sha256 if self.source else "", look=self.source.opened.look if self.source else "",
        )  # fmt: skip

    def create(self, form: BillForm, lines: Lines) -> HttpResponse:
        """Enters the bill with the file."""
        body: BillBody = {
            **form.body(),
            "line_items": lines.body(),
            "status": "DRAFT" if "draft" in self.request.POST else "OPEN",
        }
        if self.dropped:
            body["attachments"] = [self.dropped.document.file_id]
        try:
            entered = commands.create_bill(self.actor, body, key=form_key_of(self.request), form=form)
        except commands.REFUSALS as refused:
            return self.render(form, lines, refused.status)
        if self.source:
            remember_look(self.actor.business, self.source.sha256, self.source.opened.look)
        if self.received:
            mark_entered(self.received.attachment, entered.id)
        messages.success(self.request, f"Bill {entered.data['bill_no']} was entered.")
        return redirect("bills_item", self.actor.business.slug, entered.id)

    def render(self, form: BillForm, lines: Lines, status: int = 200, *, duplicates: Any = ()) -> HttpResponse:
        """The page of the form."""
        typed = {"vendor_id": form["vendor_id"].value(), "issued_at": form["issued_at"].value()}
        vendor = vendor_of(self.actor, str(typed["vendor_id"] or ""))
        paper = paper_of(self.actor, self.dropped, vendor)
        account = account_line(self.source.opened.reading, vendor) if self.source else None
        beside = comparison_of_entry(
            self.actor, form, lines, [other for other, _ in duplicates], vendor=vendor.name if vendor else "",
            currency=self.currency_of(form) if status == 409 else "",
            thumbnail=f"{paper.first}?width={THUMBNAIL}" if paper else "",
        )  # fmt: skip
        # On the bound field: one that was cleaned has taken the field's own words already.
        form["discount_percent"].help_text = _terms_of(self.actor, typed)
        context = {
            "bill": None, "form": form, "lines": lines, "file_form": None if self.dropped or self.received else reading_form(),
            "paper": paper, "duplicates": duplicates, "comparisons": beside, "problem": self.problem,
            "received": received_note(self.actor, self.received), "credit": self.credit, "key": self.key,
            "account_warning": account_warning(account),
        }  # fmt: skip
        return page(self.request, ENTRY, context, status=status)


@require_GET
@needs(operations_payables.CREATE_BILL)
def vendor_terms(request: ActorRequest, business: str) -> HttpResponse:
    """The fragment with the early-payment discount that a new bill of the chosen vendor starts with."""
    return page(request, "bills/vendor_terms.html", {"terms": _terms_of(request.actor, request.GET)})


def _terms_of(actor: Actor, typed: Mapping[str, Any]) -> str:
    """What stands beside the discount of a bill with this vendor and day of issue; either may be none, or no such thing."""
    form = BillTermsForm(typed)
    form.is_valid()
    vendor = vendor_of(actor, form.cleaned_data.get("vendor_id", ""))
    return new_bill_terms_text(vendor, form.cleaned_data.get("issued_at"))


@require_POST
@needs(operations_payables.UPLOAD_BILL_FILE)
def upload(request: ActorRequest, business: str) -> HttpResponse:
    """Uploads a file of a bill to be entered, whose form is filled in from it; what was typed before it stays."""
    file_form = reading_form(request.POST, request.FILES)
    file_id = store_upload(request, file_form)
    if file_id is None:
        entry = _Entry(request, "")
        form, lines = typed_forms(request.actor, entry.choices, request.POST)
        context = {"bill": None, "form": form, "lines": lines, "file_form": file_form, "key": posted_key(request)}
        return page(request, ENTRY, {**context, "problem": entry.problem}, status=422)
    if has_typed(request.POST):
        return _Entry(request, file_id).render_new(request.POST)
    return redirect(f"{reverse('bills_new', args=[business])}?file={file_id}")
