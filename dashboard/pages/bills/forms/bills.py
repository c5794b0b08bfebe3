"""The forms of the bills: one without its lines (lines.py), a file of one, and cancelling one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, TypedDict, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import RegexValidator
from django.http import QueryDict

from dashboard.access.actor import Actor
from dashboard.documents.limits import READABLE, WIDTHS
from dashboard.inbound_mail.parsing import FILE_TYPES
from dashboard.inputs import Choices
from dashboard.mirror.models import Bill
from dashboard.pages.bills.forms.lines import Lines, lines_of, typed_lines
from dashboard.pages.bills.selectors.entry import EntryChoices
from dashboard.schemas.bills import BillBody
from dashboard.web.fields import (
    AmountField,
    DayField,
    LocaleForm,
    Name,
    Reason,
    TextBlock,
    TextLine,
    Verbatim,
    set_choices,
)

CURRENCY = RegexValidator(r"^[A-Za-z]{3}\Z", "Enter the three letters of the currency, such as KES.")
HAS_SIGN = RegexValidator(r"[^\W_]", "A number has at least one letter or digit.")
MORE_VENDORS = "Not all vendors are listed: find others by name, below."
LARGEST_BYTES = 10 * 1024 * 1024


class BillForm(LocaleForm):
    """A bill without its lines; `vendors` None for one that is there already, whose vendor and currency stay."""

    vendor_id = forms.ChoiceField(label="Vendor")
    bill_no = Name(max_length=60, label="Number", validators=[HAS_SIGN], help_text="As it stands on the bill.")
    issued_at = DayField(label="Issued")
    due_at = DayField(label="Due", required=False, help_text="Empty: on the day it was issued.")
    currency = TextLine(max_length=3, required=False, validators=[CURRENCY], help_text="Empty: the vendor's own.")
    subcategory = forms.ChoiceField(required=False, label="Category")
    discount_percent = AmountField(
        max_digits=4, decimal_places=2, min_value=0, required=False, label="Early-payment discount, %"
    )
    discount_until = DayField(required=False, label="Discount until", help_text="The last day on which it is given.")
    team_id = forms.ChoiceField(required=False, label="Team")
    budget_id = forms.ChoiceField(required=False, label="Budget")
    withholding = forms.MultipleChoiceField(
        required=False, label="Taxes withheld", widget=forms.CheckboxSelectMultiple,
        help_text="Withheld at the rate of the day on which it is paid.",
    )  # fmt: skip
    purchase_order = TextLine(
        max_length=60, required=False, label="Purchase order", help_text="Its number, where the bill names one."
    )
    memo = TextBlock(max_length=1000, required=False, widget=forms.Textarea(attrs={"rows": 2}))
    file_id = Verbatim(required=False, max_length=64, widget=forms.HiddenInput)
    # Sent by a page that listed the taxes: of none ticked there are none withheld, and not none to be changed.
    lists_taxes = Verbatim(required=False, max_length=1, widget=forms.HiddenInput, initial="1")

    # What a payment that is under way does not let change any more.
    MONEY = ("bill_no", "issued_at", "withholding", "lists_taxes", "discount_percent", "discount_until")

    def __init__(
        self, *args: Any, vendors: Choices | None, categories: Choices, teams: Choices, budgets: Choices,
        taxes: Choices, is_unpaid: bool = True, has_more_vendors: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(*args, **kwargs)
        self.has_more_vendors = has_more_vendors and vendors is not None
        self.is_new = vendors is not None
        choices = {"subcategory": categories, "team_id": teams, "budget_id": budgets}
        for name, options in choices.items():
            set_choices(self, name, [("", "–"), *options])
        # What is sent goes by what its page listed, and not by whether the taxes can be read now: else what was ticked would be
        # lost, and the same form sent again would say something else. The service refuses what is no tax.
        is_listed = bool({"withholding", "lists_taxes"} & self.data.keys()) if self.is_bound else bool(taxes)
        ticked = self.data.getlist("withholding") if isinstance(self.data, QueryDict) else []
        set_choices(self, "withholding", taxes or [(tax_id, tax_id) for tax_id in ticked])
        if vendors is not None:
            set_choices(self, "vendor_id", [("", "Choose…"), *vendors])
            if has_more_vendors:
                self.fields["vendor_id"].help_text = MORE_VENDORS
        dropped = () if vendors is not None else ("vendor_id", "currency", "file_id")
        for name in (
            *dropped,
            *(() if is_unpaid else self.MONEY),
            *(() if is_listed else ("withholding", "lists_taxes")),
        ):
            self.fields.pop(name, None)

    def clean(self) -> dict[str, Any]:
        """ValidationError at `due_at` for a bill that would be due before it was issued."""
        data = super().clean() or self.cleaned_data
        issued, due = data.get("issued_at"), data.get("due_at")
        if issued and due and due < issued:
            self.add_error("due_at", "It would be due before it was issued.")
        if bool(data.get("discount_percent")) != bool(data.get("discount_until")) and not self.errors:
            missing = "discount_until" if data.get("discount_percent") else "discount_percent"
            self.add_error(missing, "A discount has a percentage and a last day.")
        return data

    def body(self) -> BillBody:
        """What is sent, without the lines: what was left empty is not, but for the memo, the purchase order and the taxes."""
        data = {name: value for name, value in self.cleaned_data.items() if name != "file_id"}
        body: dict[str, Any] = {
            {"subcategory": "subcategory_id"}.get(name, name): _wire(value)
            for name, value in data.items()
            if value and name not in {"withholding", "lists_taxes"}
        }
        if "withholding" in data:
            body["withholding_tax_ids"] = data["withholding"]
        # No discount typed: a new bill leaves it out, so that the vendor's terms hold; a bill that is there is sent 0, for none.
        if "discount_percent" in data and not (self.is_new and data["discount_percent"] is None):
            body["discount_percent"] = data["discount_percent"] or Decimal(0)
        if "currency" in body:
            body["currency"] = body["currency"].upper()
        return cast(BillBody, body | {"memo": data["memo"], "purchase_order": data["purchase_order"]})


def _wire(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


class BillInitial(TypedDict):
    """What the form of a bill begins with that is there already, by its fields."""

    bill_no: str
    issued_at: date | None
    due_at: date | None
    memo: str
    purchase_order: str
    discount_percent: Decimal | None
    discount_until: date | None
    subcategory: str
    team_id: str
    budget_id: str
    withholding: list[str]


# A bill as it was typed or read from a file, by its fields.
TypedBill = Mapping[str, str | list[str] | None]


def bill_form(
    actor: Actor, entry_choices: EntryChoices, data: QueryDict | None = None, *, bill: Bill | None = None,
    is_unpaid: bool = True, initial: BillInitial | TypedBill | None = None,
) -> BillForm:  # fmt: skip
    """The form of a new bill, or of one that is there already."""
    return BillForm(
        data, initial=dict(initial or {}), locale=actor.business.locale, vendors=None if bill else entry_choices.vendors,
        categories=entry_choices.categories, teams=entry_choices.teams, budgets=entry_choices.budgets, taxes=entry_choices.taxes,
        is_unpaid=is_unpaid, has_more_vendors=entry_choices.has_more_vendors,
    )  # fmt: skip


def typed_forms(
    actor: Actor, entry_choices: EntryChoices, sent: QueryDict, *, bill: Bill | None = None, is_unpaid: bool = True
) -> tuple[BillForm, Lines]:
    """The form and its lines as they were typed, without a word about what is missing yet: with one more line, or with the
    split of the line whose number was typed."""
    lines = lines_of(
        initial=typed_lines(sent), extra="add_line" in sent, locale=actor.business.locale, categories=entry_choices.categories,
        teams=entry_choices.teams,
    )  # fmt: skip
    lines.open_split(sent.get("split_at", "") if "split_line" in sent else "")
    return bill_form(actor, entry_choices, bill=bill, is_unpaid=is_unpaid, initial=typed_values(sent)), lines


def posted_forms(
    actor: Actor, entry_choices: EntryChoices, sent: QueryDict, *, bill: Bill, is_unpaid: bool
) -> tuple[BillForm, Lines | None]:
    """The forms of a bill that was changed; None for lines that stay, as they do once a payment of it is under way."""
    form = bill_form(actor, entry_choices, sent, bill=bill, is_unpaid=is_unpaid)
    if not is_unpaid:
        return form, None
    locale, categories, teams = actor.business.locale, entry_choices.categories, entry_choices.teams
    return form, lines_of(sent, locale=locale, categories=categories, teams=teams)


def are_valid(form: BillForm, lines: Lines | None, currency: str) -> bool:
    """Whether a bill that was changed can be sent; each form says beside its fields what is wrong."""
    return form.is_valid() & (lines is None or (lines.is_valid() and lines.check_shares(currency)))


def typed_total(sent: QueryDict, entry_choices: EntryChoices, locale: str, currency: str) -> int | None:
    """What the lines come to as they were typed, in minor units; None where they cannot be added up yet."""
    lines = lines_of(sent, locale=locale, categories=entry_choices.categories, teams=entry_choices.teams)
    return lines.total_minor(currency) if "line-TOTAL_FORMS" in sent and lines.is_valid() else None


def changed_body(form: BillForm, lines: Lines | None, *, opens: bool) -> BillBody:
    """What is sent of a bill that was changed; with `opens` it is a draft no more."""
    body = form.body()
    if lines:
        body["line_items"] = lines.body()
    if opens:
        body["status"] = "OPEN"
    return body


def typed_values(sent: QueryDict) -> dict[str, str | list[str] | None]:
    """The fields of a bill as they were typed, by their names."""
    many = BillForm.base_fields["withholding"]
    return {
        name: sent.getlist(name) if field is many else sent.get(name) for name, field in BillForm.base_fields.items()
    }


def has_typed(sent: QueryDict) -> bool:
    """Whether somebody typed or chose anything of a new bill or of a line: what its page sends by itself is nothing."""
    hidden = {name for name, field in BillForm.base_fields.items() if field.widget.is_hidden}
    fields = {name: value for name, value in typed_values(sent).items() if name not in hidden}
    return any(fields.values()) or any(line.get("description") or line.get("unit_price") for line in typed_lines(sent))


class BillTermsForm(forms.Form):
    """Of a bill that is being typed: what decides which terms of its vendor it starts with."""

    vendor_id = Verbatim(max_length=64, required=False)
    issued_at = DayField(required=False)


class BillFileForm(forms.Form):
    """A file of a bill: cleaned, its media type is `mime`."""

    file = forms.FileField(
        label="PDF or picture of the bill",
        widget=forms.FileInput(attrs={"accept": ".pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg"}),
        help_text="PDF, PNG or JPEG, up to 10 MB. Choose it, or drop it on the field.",
        error_messages={"required": "Choose a file.", "empty": "The file is empty."},
    )

    def clean_file(self) -> UploadedFile[Any]:
        """The file; ValidationError for one that is too large, or none of the three kinds."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_BYTES:
            raise forms.ValidationError("The file is larger than 10 MB.", code="too_large")
        begins = file.read(8)
        file.seek(0)
        mime = next((mime for magic, mime in FILE_TYPES.items() if begins.startswith(magic)), "")
        if not mime:
            raise forms.ValidationError("This is no PDF, PNG or JPEG.", code="kind")
        self.cleaned_data["mime"] = mime
        return file


def reading_form(*sent: Any) -> BillFileForm:
    """The file that the form of a new bill is filled in from: of that form, so that what was typed there is sent with it."""
    form = BillFileForm(*sent)
    form.fields["file"].widget.attrs["form"] = "entry"
    return form


class BillCancelForm(forms.Form):
    """Why a bill is cancelled; the reason is required and stands in the audit."""

    reason = Reason(label="Reason", widget=forms.TextInput)


class BillPictureForm(forms.Form):
    """One of the three widths in pixels, and quarters to the right; what is missing is as it is shown first."""

    width = forms.ChoiceField(choices=[(str(width), width) for width in WIDTHS], required=False)
    turns = forms.ChoiceField(choices=[(str(turns), turns) for turns in range(4)], required=False)

    def clean_width(self) -> int:
        """The width of the picture in pixels, one of those that are drawn."""
        return int(self.cleaned_data["width"] or READABLE)

    def clean_turns(self) -> int:
        """How many quarters to the right."""
        return int(self.cleaned_data["turns"] or 0)
