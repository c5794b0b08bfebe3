"""Every format by its name, with what it needs to be mapped."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dashboard.journal_exports.formats import csv_table, erpnext, exact_online, quickbooks_online, sage, xero, xlsx
from dashboard.journal_exports.formats.file import ExportFile
from dashboard.journal_exports.mapped_lines import MappedLine

Write = Callable[[Sequence[MappedLine], str, str], list[ExportFile]]


@dataclass(frozen=True, slots=True)
class Format:
    """`write` takes the lines, the beginning of the files' names and the company; with `needs_codes` every account has to
    be mapped, with `needs_taxes` every tax that a line has as well. `most_rows` is what the package takes of a file."""

    name: str
    title: str
    write: Write
    needs_codes: bool = True
    needs_taxes: bool = False
    most_rows: int | None = None


FORMATS = {
    form.name: form
    for form in (
        Format("csv", "CSV", csv_table.write, needs_codes=False),
        Format("xlsx", "Excel (XLSX)", xlsx.write, needs_codes=False),
        Format("quickbooks", "QuickBooks Online", quickbooks_online.write, most_rows=quickbooks_online.MOST_ROWS),
        Format("xero", "Xero", xero.write, needs_taxes=True, most_rows=xero.MOST_ROWS),
        Format("sage", "Sage 50", sage.write, needs_taxes=True),
        Format("exact", "Exact Online", exact_online.write, needs_taxes=True),
        Format("erpnext", "ERPNext", erpnext.write),
    )
}


def chosen(names: Iterable[str]) -> list[Format]:
    """The formats of these names, in the order of the table."""
    chosen_names = set(names)
    return [form for name, form in FORMATS.items() if name in chosen_names]
