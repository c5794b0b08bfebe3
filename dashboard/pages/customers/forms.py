"""The forms of the customers: a new one or a change of one, and a CSV file of many."""

import csv
import io
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import RegexValidator

from dashboard.mirror.models import Customer
from dashboard.schemas.base import JsonObject
from dashboard.schemas.customers import CreateCustomerBody, UpdateCustomerBody
from dashboard.web.fields import LocaleForm, MailField, Name, PhoneField, TextBlock, TextLine

PIN = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9 .\-/]{0,39}\Z", "A tax PIN can contain letters, digits, spaces, dots and dashes."
)


class CustomerForm(LocaleForm):
    """A regular customer: only the name must be there."""

    name = Name(max_length=100)
    phone = PhoneField(required=False)
    email = MailField(required=False, label="Email")
    person = Name(max_length=100, required=False, label="Contact")
    tax_pin = TextLine(max_length=40, required=False, label="Tax PIN", validators=[PIN])
    address = TextBlock(max_length=300, required=False, widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(self, *args: Any, customer: Customer | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        phone = self.fields["phone"]
        assert isinstance(phone, PhoneField)
        phone.stored_number = customer.phone if customer else ""

    @staticmethod
    def initial_of(customer: Customer) -> dict[str, str]:
        """The initial values by field, as the customer is now."""
        names = ("name", "phone", "email", "person", "tax_pin")
        return {name: getattr(customer, name) for name in names} | {
            "address": str(customer.payload.get("address") or "")
        }

    def body(self) -> CreateCustomerBody:
        """The body of CREATE_CUSTOMER: the fields that are not empty."""
        change = self.change()
        body: CreateCustomerBody = {"name": change["name"]}
        if change["phone"]:
            body["phone"] = change["phone"]
        if change["email"]:
            body["email"] = change["email"]
        if change["person"]:
            body["person"] = change["person"]
        if change["address"]:
            body["address"] = change["address"]
        if change["taxPin"]:
            body["taxPin"] = change["taxPin"]
        return body

    def change(self) -> UpdateCustomerBody:
        """The body of UPDATE_CUSTOMER: every field, None where it is empty."""
        data = self.cleaned_data
        return {
            "name": data["name"],
            "phone": data["phone"] or None,
            "email": data["email"] or None,
            "person": data["person"] or None,
            "address": data["address"] or None,
            "taxPin": data["tax_pin"] or None,
        }


MAX_ROWS = 2_000
MAX_BYTES = 1024 * 1024
COLUMNS = {
    "name": "name", "customer": "name", "phone": "phone", "telephone": "phone", "mobile": "phone", "email": "email",
    "e-mail": "email", "contact": "person", "person": "person", "tax pin": "tax_pin", "taxpin": "tax_pin",
    "pin": "tax_pin", "address": "address",
}  # fmt: skip


@dataclass(slots=True)
class ImportRow:
    """A row of the file: its number there, its cells by our field names, what is wrong with it, and where nothing is,
    the body of CREATE_CUSTOMER."""

    number: int
    values: dict[str, str]
    problems: list[str] = field(default_factory=list)
    body: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a file, and the columns of it that no customer has."""

    lines: list[ImportRow]
    ignored: list[str]


class CsvFileForm(forms.Form):
    """A CSV file of customers; cleaned it is a Sheet."""

    file = forms.FileField(label="CSV file", widget=forms.ClearableFileInput(attrs={"accept": ".csv,text/csv"}))

    def clean_file(self) -> Sheet:
        """The rows of the file; ValidationError where it is too large, or no CSV in UTF-8."""
        upload: UploadedFile[Any] = self.cleaned_data["file"]
        if upload.size is None or upload.size > MAX_BYTES:
            raise forms.ValidationError("The file is larger than 1 MB: split it.")
        try:
            text = upload.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError("The file is not UTF-8 text: save it as CSV UTF-8.") from None
        return sheet_of(text)


def sheet_of(text: str) -> Sheet:
    """The rows of a CSV text by our field names; ValidationError where it has no column "name", no rows or too many."""
    try:
        separator = csv.Sniffer().sniff(text.split("\n", 1)[0], delimiters=",;\t").delimiter
    except csv.Error:
        separator = ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise forms.ValidationError(f"The file cannot be read as CSV: {error}.") from None
    heading = [COLUMNS.get(cell.strip().lower(), "") for cell in rows[0]] if rows else []
    if "name" not in heading:
        raise forms.ValidationError("The first line names the columns, and one of them is “name”.")
    if repeated := next((name for name in heading if name and heading.count(name) > 1), ""):
        raise forms.ValidationError(f"Two columns of the first line both say “{repeated.replace('_', ' ')}”: keep one.")
    lines = [_line(number, heading, row) for number, row in enumerate(rows[1:], 2) if any(cell.strip() for cell in row)]
    if not lines:
        raise forms.ValidationError("There are no rows under the first line.")
    if len(lines) > MAX_ROWS:
        raise forms.ValidationError(f"At most {MAX_ROWS:,} rows at a time; this file has {len(lines):,}.")
    return Sheet(
        lines, [cell.strip() for cell, name in zip(rows[0], heading, strict=True) if cell.strip() and not name]
    )


def _line(number: int, heading: list[str], cells: list[str]) -> ImportRow:
    line = ImportRow(number, {name: cell for name, cell in zip(heading, cells, strict=False) if name})
    if any(cell.strip() for cell in cells[len(heading) :]):
        line.problems.append("more cells than columns: put text that contains a separator in quotes")
    return line
