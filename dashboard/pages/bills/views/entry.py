"""Entering a bill by hand or from a dropped file, changing one, and its files."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations_extra
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.client.multipart import Upload
from dashboard.commands import bills as commands
from dashboard.commands.discounts import new_bill_terms_text
from dashboard.documents.readings import Reading
from dashboard.errors import FinanceError
from dashboard.inbound_mail.services import mark_entered
from dashboard.pages.bills.forms.bills import BillForm, FileForm, TermsForm, bill_form, typed_forms
from dashboard.pages.bills.forms.lines import Lines, lines_of
from dashboard.pages.bills.presenters.entry import (
    credit_file,
    initial_lines,
    initial_of,
    paper_of,
    prefill_of,
    with_notes,
)
from dashboard.pages.bills.presenters.received import received_note
from dashboard.pages.bills.selectors.bills import bill_for, is_unpaid, refresh_bill, remember_upload
from dashboard.pages.bills.selectors.entry import (
    Dropped,
    EntryChoices,
    Received,
    dropped_file,
    entry_choices,
    likely_duplicates,
    received_bill,
    vendor_of,
)
from dashboard.pages.bills.views.bills import render_bill
from dashboard.schemas.bills import Bill as WholeBill
from dashboard.web.respond import page
from dashboard.web.submission import key_of, posted_key

ENTRY = "bills/entry.html"
# What is typed goes on with: one more line, or the split of one.
TYPED_ON = {"add_line", "split_line"}


@require_http_methods(["GET", "POST"])
@needs(operations_extra.CREATE_BILL)
def new_bill(request: ActorRequest, business: str) -> HttpResponse:
    """The form of a new bill, filled in from the uploaded file that the address names; entered, the page of the bill."""
    entry = _Entry(request, request.POST.get("file_id") or request.GET.get("file", ""))
    if request.method == "GET":
        return entry.render_new()
    if TYPED_ON & request.POST.keys():
        return entry.render_again()
    form, lines = entry.bound()
    if not (form.is_valid() & lines.is_valid()) or not lines.check_shares(entry.currency_of(form)):
        return entry.render(form, lines, 422)
    if entry.credit is not None and entry.credit.is_sure:
        return entry.render(form, lines, 422)
    if not request.POST.get("meant") and (duplicates := entry.duplicates(form, lines)):
        return entry.render(form, lines, 409, duplicates=duplicates)
    return entry.create(form, lines)


class _Entry:
    """One request to the form of a new bill: what the form offers, and the file beside it."""

    def __init__(self, request: ActorRequest, file_id: str) -> None:
        self.request, self.actor = request, request.actor
        self.choices = entry_choices(request.actor)
        self.problem = self.choices.problem
        self.dropped: Dropped | None = None
        self.received = received_bill(self.actor, request.POST.get("received") or request.GET.get("received", ""))
        try:
            self.dropped = dropped_file(request.actor, file_id[:64])
        except FinanceError as trouble:
            self.problem = f"The file could not be opened: {trouble.user_message}"
        self.credit = credit_file(self.actor, self.source.opened.reading) if self.source else None

    @property
    def source(self) -> Dropped | Received | None:
        """What the form is filled in from."""
        return self.dropped or self.received

    def render_new(self) -> HttpResponse:
        """The form with what was read from the file, and what else may be the same bill."""
        source = self.source
        reading = source.opened.reading if source else Reading()
        prefill = prefill_of(reading, self.choices.vendors)
        initial = {"vendor_id": self.request.GET.get("vendor", "")[:64], **prefill.initial}
        if self.dropped:
            initial["file_id"] = self.dropped.document.file_id
        form = bill_form(self.actor, self.choices, initial=initial)
        lines = self._lines(initial=prefill.lines)
        with_notes(form, lines, prefill)
        same_file = likely_duplicates(self.actor, sha256=source.sha256) if source else []
        return self.render(form, lines, duplicates=same_file)

    def render_again(self) -> HttpResponse:
        """The form as it was typed, with one more line or with the split of one."""
        form, lines = typed_forms(self.actor, self.choices, self.request.POST)
        return self.render(form, lines)

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
        return likely_duplicates(
            self.actor, vendor_id=data["vendor_id"], bill_no=data["bill_no"], currency=currency,
            total_minor=lines.total_minor(currency), issued_on=data["issued_at"], purchase_order=data["purchase_order"],
            sha256=self.source.sha256 if self.source else "",
        )  # fmt: skip

    def create(self, form: BillForm, lines: Lines) -> HttpResponse:
        """Enters the bill with the file."""
        body: dict[str, Any] = {
            **form.body(),
            "line_items": lines.body(),
            "status": "DRAFT" if "draft" in self.request.POST else "OPEN",
        }
        if self.dropped:
            body["attachments"] = [self.dropped.document.file_id]
        try:
            entered = commands.create_bill(self.actor, body, key=key_of(self.request), form=form)
        except commands.REFUSALS as refused:
            return self.render(form, lines, refused.status)
        if self.received:
            mark_entered(self.received.attachment, entered.id)
        messages.success(self.request, f"Bill {entered.data['bill_no']} was entered.")
        return redirect("bills_item", self.actor.business.slug, entered.id)

    def render(self, form: BillForm, lines: Lines, status: int = 200, *, duplicates: Any = ()) -> HttpResponse:
        """The page of the form."""
        typed = {"vendor_id": form["vendor_id"].value(), "issued_at": form["issued_at"].value()}
        # On the bound field: one that was cleaned has taken the field's own words already.
        form["discount_percent"].help_text = _terms_of(self.actor, typed)
        context = {
            "bill": None, "form": form, "lines": lines, "file_form": None if self.dropped or self.received else FileForm(),
            "paper": paper_of(self.actor, self.dropped), "duplicates": duplicates, "problem": self.problem,
            "received": received_note(self.actor, self.received), "credit": self.credit, "key": posted_key(self.request),
        }  # fmt: skip
        return page(self.request, ENTRY, context, status=status)


@require_GET
@needs(operations_extra.CREATE_BILL)
def vendor_terms(request: ActorRequest, business: str) -> HttpResponse:
    """The fragment with the early-payment discount that a new bill of the chosen vendor starts with."""
    return page(request, "bills/vendor_terms.html", {"terms": _terms_of(request.actor, request.GET)})


def _terms_of(actor: Actor, typed: Mapping[str, Any]) -> str:
    """What stands beside the discount of a bill with this vendor and day of issue; either may be none, or no such thing."""
    form = TermsForm(typed)
    form.is_valid()
    vendor = vendor_of(actor, form.cleaned_data.get("vendor_id", ""))
    return new_bill_terms_text(vendor, form.cleaned_data.get("issued_at"))


@require_POST
@needs(operations_extra.UPLOAD_BILL_FILE)
def upload(request: ActorRequest, business: str) -> HttpResponse:
    """Uploads a file of a bill to be entered, whose form is filled in from it."""
    form = FileForm(request.POST, request.FILES)
    file_id = _uploaded(request, form)
    if file_id is None:
        entry = _Entry(request, "")
        context = {
            "bill": None,
            "form": bill_form(request.actor, entry.choices),
            "lines": entry._lines(),
            "file_form": form,
        }
        return page(request, ENTRY, {**context, "key": posted_key(request), "problem": entry.problem}, status=422)
    return redirect(f"{reverse('bills_new', args=[business])}?file={file_id}")


@require_POST
@needs(operations_extra.ATTACH_BILL_FILES)
def attach(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Uploads a file and attaches it to a bill."""
    row, form = bill_for(request.actor, remote_id), FileForm(request.POST, request.FILES)
    file_id = _uploaded(request, form)
    if file_id is None:
        return render_bill(request, row, 422, file_form=form, key=posted_key(request))
    try:
        commands.attach_file(request.actor, row, file_id, key=key_of(request))
    except commands.REFUSALS as refused:
        form.add_error("file", refused.on_form)
        return render_bill(request, row, refused.status, file_form=form, key=posted_key(request))
    messages.success(request, "The file is attached.")
    return redirect("bills_item", business, remote_id)


def _uploaded(request: ActorRequest, form: FileForm) -> str | None:
    """The id of the file once it is uploaded; None where it was refused, which stands on the form then."""
    if not form.is_valid():
        return None
    file = form.cleaned_data["file"]
    sent = Upload(file.name[:150], form.cleaned_data["mime"], file.read())
    try:
        stored = commands.upload_file(request.actor, sent, key=key_of(request))
    except commands.REFUSALS as refused:
        form.add_error("file", refused.on_form)
        return None
    remember_upload(request.actor, stored.id, stored.text("file_name"))
    return stored.id


@require_POST
@needs(operations_extra.DETACH_BILL_FILES)
def detach(request: ActorRequest, business: str, remote_id: str, file_id: str) -> HttpResponse:
    """Takes a file off a bill; the service keeps it."""
    row = bill_for(request.actor, remote_id)
    try:
        commands.detach_file(request.actor, row, file_id, key=key_of(request))
    except commands.REFUSALS as refused:
        return render_bill(request, row, refused.status, problem=refused.on_form, key=posted_key(request))
    messages.success(request, "The file was removed from the bill.")
    return redirect("bills_item", business, remote_id)


@require_http_methods(["GET", "POST"])
@needs(operations_extra.UPDATE_BILL)
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


def _forms_of(actor: Actor, choices: EntryChoices, whole: WholeBill, options: Any) -> tuple[BillForm, Lines | None]:
    """The forms of a bill as it is; None for lines that stay."""
    form = bill_form(actor, choices, initial=initial_of(whole), **options)
    if whole.discount_from_vendor and "discount_percent" in form.fields:
        form.fields["discount_percent"].help_text = "The vendor's terms. Changed here, it is this bill's own."
    if not options["is_unpaid"]:
        return form, None
    locale = actor.business.locale
    lines = lines_of(
        initial=initial_lines(whole), extra=0, locale=locale, categories=choices.categories, teams=choices.teams
    )
    return form, lines


def _save(request: ActorRequest, choices: EntryChoices, options: Any) -> HttpResponse:
    row, locale = options["bill"], request.actor.business.locale
    form = bill_form(request.actor, choices, request.POST, **options)
    lines: Lines | None = None
    if options["is_unpaid"]:
        lines = lines_of(request.POST, locale=locale, categories=choices.categories, teams=choices.teams)
    if not (form.is_valid() & (lines is None or (lines.is_valid() and lines.check_shares(row.currency)))):
        return _render_edit(request, choices, form, lines, 422, bill=row)
    body: dict[str, Any] = {**form.body(), **({"line_items": lines.body()} if lines else {})}
    if "open" in request.POST and row.status == "DRAFT":
        body["status"] = "OPEN"
    try:
        commands.update_bill(request.actor, row, body, key=key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_edit(request, choices, form, lines, refused.status, bill=row)
    messages.success(request, "Changes saved.")
    return redirect("bills_item", request.actor.business.slug, row.remote_id)


def _render_edit(
    request: ActorRequest, choices: EntryChoices, form: BillForm, lines: Lines | None, status: int = 200, **more: Any
) -> HttpResponse:
    context = {"form": form, "lines": lines, "problem": choices.problem, "key": posted_key(request), **more}
    return page(request, ENTRY, context, status=status)
