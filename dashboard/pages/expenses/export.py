"""The export of a query: the same rows, in the same order, with the row count and totals that the screen shows."""

import csv
import io
import tempfile
from collections.abc import Iterator
from typing import Any

import xlsxwriter
from django.http import FileResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.client.errors import Rejected
from dashboard.pages.expenses.forms import Filters
from dashboard.pages.expenses.table import HEADINGS, exported, totals_of

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MOST_XLSX_ROWS = 200_000
AMOUNT = HEADINGS.index("Amount")


def exported_file(actor: Actor, filters: Filters, form: str) -> HttpResponseBase:
    """The file of a query, streamed; Rejected for an unknown format or more rows than a sheet should hold."""
    if form not in {"csv", "xlsx"}:
        raise Rejected("Choose CSV or XLSX.", code="format")
    count, sums = totals_of(actor, filters)
    if form == "xlsx" and count > MOST_XLSX_ROWS:
        raise Rejected(f"{count:,} rows are too many for one sheet: narrow the filters, or take CSV.", code="too_many")
    record(
        actor,
        operations.LIST_EXPENSES,
        None,
        Outcome.DONE,
        sentence=f"exported {count:,} expenses as {form.upper()}",
        after={"query": filters.query(), "rows": count, "totals": sums},
    )
    name = f"expenses-{timezone.now():%Y%m%d-%H%M}.{form}"
    summary = [("Rows", count), ("Totals", "; ".join(sums)), ("Query", filters.query() or "everything")]
    return _csv(actor, filters, name, summary) if form == "csv" else _xlsx(actor, filters, name, summary)


def _csv(actor: Actor, filters: Filters, name: str, summary: list[tuple[str, Any]]) -> HttpResponseBase:
    def lines() -> Iterator[str]:
        buffer = io.StringIO()
        writer = csv.writer(buffer)
        # A mark that tells spreadsheets that this is UTF-8.
        yield "\ufeff"
        for row in (HEADINGS, *(_plain(row) for row in exported(actor, filters)), (), *summary):
            writer.writerow(row)
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()

    response = StreamingHttpResponse(lines(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    # A spreadsheet runs text that begins like a formula: a quote in front makes it text again.
    return tuple(
        f"'{value}" if isinstance(value, str) and value[:1] in {"=", "+", "-", "@", "\t", "\r"} else value
        for value in row
    )


def _xlsx(actor: Actor, filters: Filters, name: str, summary: list[tuple[str, Any]]) -> HttpResponseBase:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    book = xlsxwriter.Workbook(file, {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    page, bold, number = (
        book.add_worksheet("Expenses"),
        book.add_format({"bold": True}),
        book.add_format({"num_format": "#,##0.00"}),
    )
    page.freeze_panes(1, 0)
    page.write_row(0, 0, HEADINGS, bold)
    at = 0
    for at, row in enumerate(exported(actor, filters), 1):
        page.write_row(at, 0, row[:AMOUNT])
        page.write_number(at, AMOUNT, row[AMOUNT], number)
        page.write_row(at, AMOUNT + 1, row[AMOUNT + 1 :])
    for offset, line in enumerate(summary, 2):
        page.write_row(at + offset, 0, line, bold)
    book.close()
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=name, content_type=XLSX)
