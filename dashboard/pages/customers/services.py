"""Customers from a CSV file: every row is checked before any is sent, and either all of them come in or none."""

import csv
import io
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands.customers import create_customer, delete_customer
from dashboard.lists import imports
from dashboard.lists.imports import IMPORTERS, Importer
from dashboard.lists.models import Import
from dashboard.lists.tasks import work_on_import
from dashboard.mirror.models import Customer
from dashboard.mirror.scopes import visible_customers
from dashboard.pages.customers.forms import CustomerForm
from dashboard.phones import same_number
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls

TEMPLATE = "customers/import.html"
MOST_ROWS = 2_000
MOST_BYTES = 1024 * 1024
SHOWN, PREVIEW = 200, 20
# Nobody waits for a row.
ROW_S = 30.0
COLUMNS = {
    "name": "name", "customer": "name", "phone": "phone", "telephone": "phone", "mobile": "phone", "email": "email",
    "e-mail": "email", "contact": "person", "person": "person", "tax pin": "tax_pin", "taxpin": "tax_pin",
    "pin": "tax_pin", "address": "address",
}  # fmt: skip


@dataclass
class Line:
    """A row of the file: its number there, what it says, and what is wrong with it."""

    number: int
    values: dict[str, str]
    problems: list[str] = field(default_factory=list)
    body: dict[str, Any] = field(default_factory=dict)


@dataclass
class Sheet:
    """The rows of a file, and the columns of it that no customer has."""

    lines: list[Line]
    ignored: list[str]


class FileForm(forms.Form):
    """The file."""

    file = forms.FileField(label="CSV file", widget=forms.ClearableFileInput(attrs={"accept": ".csv,text/csv"}))

    def clean_file(self) -> Sheet:
        """Its rows; a sentence for a file that is none."""
        found: UploadedFile[Any] = self.cleaned_data["file"]
        if found.size is None or found.size > MOST_BYTES:
            raise forms.ValidationError("The file is larger than 1 MB: split it.")
        try:
            text = found.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError("The file is not UTF-8 text: save it as CSV UTF-8.") from None
        return sheet_of(text)


def sheet_of(text: str) -> Sheet:
    """The rows of a CSV text by our names of its columns; ValidationError where there is nothing to go by."""
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
    if twice := next((name for name in heading if name and heading.count(name) > 1), ""):
        raise forms.ValidationError(f"Two columns of the first line both say “{twice.replace('_', ' ')}”: keep one.")
    lines = [_line(number, heading, row) for number, row in enumerate(rows[1:], 2) if any(cell.strip() for cell in row)]
    if not lines:
        raise forms.ValidationError("There are no rows under the first line.")
    if len(lines) > MOST_ROWS:
        raise forms.ValidationError(f"At most {MOST_ROWS:,} rows at once; this file has {len(lines):,}.")
    return Sheet(
        lines, [cell.strip() for cell, name in zip(rows[0], heading, strict=True) if cell.strip() and not name]
    )


def _line(number: int, heading: list[str], cells: list[str]) -> Line:
    found = Line(number, {name: cell for name, cell in zip(heading, cells, strict=False) if name})
    if any(cell.strip() for cell in cells[len(heading) :]):
        found.problems.append("more cells than the first line names: a text with a separator in it stands in quotes")
    return found


def check(actor: Actor, lines: list[Line]) -> bool:
    """Says beside each row what is wrong with it; True where nothing is. Whoever is there already counts as wrong.

    A row is checked as the form of one customer is, and so by the rules of the service.
    """
    locale = actor.business.locale
    forms_ = {line.number: CustomerForm(line.values, locale=locale) for line in lines}
    for line in lines:
        form = forms_[line.number]
        if form.is_valid():
            line.body = form.body()
        for name, errors in form.errors.items():
            line.problems += [f"{name.replace('_', ' ')}: {error}" for error in errors]
    told = {name: {line.number: _told(forms_[line.number], name) for line in lines} for name in ("phone", "email")}
    known = {name: _known(actor, name, {value for value in told[name].values() if value}) for name in told}
    seen: dict[tuple[str, str], int] = {}
    for line in lines:
        for name in ("phone", "email"):
            value = _plain(told[name][line.number])
            if not value:
                continue
            if value in known[name]:
                line.problems.append(f"{known[name][value]} has this {name} already")
            elif (name, value) in seen:
                line.problems.append(f"the same {name} as row {seen[name, value]}")
            seen.setdefault((name, value), line.number)
    return not any(line.problems for line in lines)


def _told(form: CustomerForm, name: str) -> str:
    # As it would be sent; nothing where it is refused, which is said already.
    return str(form.cleaned_data.get(name) or "")


def _plain(value: str) -> str:
    return value.lstrip("+").casefold()


def _known(actor: Actor, name: str, asked: set[str]) -> dict[str, str]:
    spelt = asked | {value.lower() for value in asked}
    if name == "phone":
        spelt = {each for value in asked for each in same_number(value, actor.business.locale)}
    found = visible_customers(actor).filter(status="ACTIVE", **{f"{name}__in": spelt})
    return {_plain(value): who for value, who in found.values_list(name, "name")}


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_CUSTOMER)
def import_customers(request: ActorRequest, business: str) -> HttpResponseBase:
    """The file, then its rows with what is wrong beside each; with nothing wrong, what would be added."""
    if request.method == "GET":
        return page(request, TEMPLATE, {"form": FileForm()})
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return page(request, TEMPLATE, {"form": form}, status=422)
    sheet: Sheet = form.cleaned_data["file"]
    lines = sheet.lines
    if not check(request.actor, lines):
        wrong = [line for line in lines if line.problems]
        context = {
            "form": FileForm(),
            "lines": wrong[:SHOWN],
            "wrong": len(wrong),
            "more": len(wrong[SHOWN:]),
            "count": len(lines),
        }
        return page(request, TEMPLATE, context, status=422)
    job = Import.objects.create(
        business=request.actor.business,
        membership_id=request.actor.member_id,
        list_name="customers",
        file_name=request.FILES["file"].name[:200],  # type: ignore[union-attr,index]
        rows=[line.body for line in lines],
        lines=[line.number for line in lines],
    )
    if sheet.ignored:
        messages.info(request, f"Left out, since customers have no such column: {', '.join(sheet.ignored)[:300]}.")
    return redirect("customers_import_job", business, job.pk)


def _own(request: ActorRequest, import_id: object) -> Import:
    found: Import = get_object_or_404(Import, pk=import_id, membership_id=request.actor.member_id)
    return found


@require_GET
@needs(operations.CREATE_CUSTOMER)
def import_job(request: ActorRequest, business: str, import_id: object) -> HttpResponse:
    """What would be added, and once begun how far it is."""
    return _show(request, _own(request, import_id))


@polls
@require_GET
@needs(operations.CREATE_CUSTOMER)
def import_progress(request: ActorRequest, business: str, import_id: object) -> HttpResponse:
    """How far it is by now."""
    return _show(request, _own(request, import_id))


def _show(request: ActorRequest, job: Import) -> HttpResponse:
    return page(
        request,
        TEMPLATE,
        {"job": job, "preview": job.rows[:PREVIEW], "more": max(0, len(job.rows) - PREVIEW)},
        fragments=("progress",),
    )


@require_POST
@needs(operations.CREATE_CUSTOMER)
def begin_import(request: ActorRequest, business: str, import_id: object) -> HttpResponse:
    """Has them added; what was begun before is only shown."""
    job = _own(request, import_id)
    if imports.begin(request.actor, job):
        work_on_import.delay(str(job.pk))
        messages.success(request, "They are being added.")
    return redirect("customers_import_job", business, job.pk)


def _make(actor: Actor, body: dict[str, Any], key: str) -> str:
    return create_customer(actor, body, key=key, deadline=ROW_S).id


def _undo(actor: Actor, remote_id: str, key: str) -> None:
    found = Customer.objects.get(business=actor.business, remote_id=remote_id)
    delete_customer(actor, found, key=key, deadline=ROW_S)


IMPORTERS["customers"] = Importer(operations.CREATE_CUSTOMER, ("customer", "customers"), _make, _undo)
