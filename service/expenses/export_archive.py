"""Puts the receipts of an export together: parts first, then one ZIP or PDF with a manifest."""

import io
import logging
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from service import errors, storage
from service.expenses import exports
from service.expenses.models import Expense, Receipt, ReceiptsExport
from service.money import to_number
from service.spreadsheet import rows_writer, safe_row

log = logging.getLogger(__name__)

PART = 50
MANIFEST_FIELDS = (
    "transaction_ref",
    "transaction_date",
    "person",
    "team",
    "amount",
    "currency",
    "status",
    "receiver",
    "receipt",
)


class ClaimLost(Exception):
    """Another worker has this export now."""


def discard(export: ReceiptsExport) -> None:
    """Deletes what was made of an export that nobody wants any more."""
    storage.delete_folder(_folder(export))
    for ending in (".zip", ".pdf"):
        storage.delete(f"{_folder(export)}{ending}")


def _folder(export: ReceiptsExport) -> str:
    return f"exports/{export.id}"


def build(export: ReceiptsExport) -> str:
    """Makes the parts that are missing, then the file; its path in the storage. Whoever takes over finds the parts there."""
    folder = _folder(export)
    ending = ".pdf" if export.filters["format"] == "PDF" else ".zip"
    manifest: list[dict[str, Any]] = []
    parts: list[str] = []
    export.processed = export.missing = 0
    for number, ids in enumerate(_chunks(export.expense_ids)):
        rows = _expenses(ids)
        lines = [line for row in rows for line in _manifest_lines(row)]
        part = f"{folder}/part-{number:05d}{ending}"
        if not storage.exists(part):
            _write_whole(part, partial(_pdf if ending == ".pdf" else _zip, rows))
        manifest += lines
        parts.append(part)
        export.processed += len(ids)
        export.missing += sum(1 for line in lines if not line["receipt"])
        if not exports.beat(export):
            raise ClaimLost(export.id)
    result = f"{folder}{'.zip' if _needs_zip(export) else ending}"
    _write_whole(result, partial(_joined, export, parts, manifest))
    try:
        storage.delete_folder(folder)
    except errors.ServiceError:
        # The export is made. Its parts go with its file.
        log.warning("parts of export %s are not deleted yet", export.id)
    return result


def _needs_zip(export: ReceiptsExport) -> bool:
    return export.filters["format"] == "ZIP" or bool(export.filters["include_manifest"])


def _chunks(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), PART):
        yield ids[start : start + PART]


def _expenses(ids: Sequence[str]) -> list[Expense]:
    rows = Expense.objects.filter(id__in=ids).select_related("employee", "team").prefetch_related("receipts")
    return sorted(rows, key=lambda row: (row.transaction_date, row.id))


def _files(expense: Expense) -> list[tuple[str, Receipt]]:
    """Each receipt with its name in the archive."""
    stored = [receipt for receipt in expense.receipts.all() if storage.exists(receipt.path)]
    day = f"{expense.transaction_date:%Y-%m-%d}"
    return [
        (f"{day}_{expense.transaction_ref}_{number}{Path(receipt.path).suffix}", receipt)
        for number, receipt in enumerate(sorted(stored, key=attrgetter("id")), start=1)
    ]


def _manifest_lines(expense: Expense) -> list[dict[str, Any]]:
    common = {
        "transaction_ref": expense.transaction_ref,
        "transaction_date": expense.transaction_date.isoformat(),
        "person": expense.employee.name if expense.employee else "",
        "team": expense.team.name if expense.team else "",
        "amount": to_number(expense.amount_minor, expense.currency),
        "currency": expense.currency,
        "status": expense.status,
        "receiver": expense.receiver,
    }
    return [{**common, "receipt": name} for name, _ in _files(expense)] or [{**common, "receipt": ""}]


def _zip(expenses: Sequence[Expense], path: Path) -> None:
    # Stored: receipts are compressed already.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for expense in expenses:
            for name, receipt in _files(expense):
                with storage.open_file(receipt.path) as reader, archive.open(name, "w", force_zip64=True) as writer:
                    shutil.copyfileobj(reader, writer)


def _pdf(expenses: Sequence[Expense], path: Path) -> None:
    # Here and below: what a worker needs for a file, and no web process ever.
    from pypdf import PdfReader, PdfWriter
    from pypdf.errors import PyPdfError

    writer = PdfWriter()
    for expense in expenses:
        for _, receipt in _files(expense):
            try:
                writer.append(PdfReader(io.BytesIO(_as_pdf(receipt))))
            except (PyPdfError, OSError):
                continue  # an unreadable file is left out; the manifest still names it
    writer.write(path)


def _as_pdf(receipt: Receipt) -> bytes:
    content = storage.read(receipt.path)
    if receipt.mime == "application/pdf":
        return content
    from PIL import Image

    buffer = io.BytesIO()
    with Image.open(io.BytesIO(content)) as image:
        image.convert("RGB").save(buffer, "PDF")
    return buffer.getvalue()


def _joined(export: ReceiptsExport, parts: Sequence[str], manifest: Sequence[dict[str, Any]], path: Path) -> None:
    if not _needs_zip(export):
        _merge_pdfs(parts, path)
        return
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        if export.filters["format"] == "PDF":
            document = path.with_suffix(".document")
            _merge_pdfs(parts, document)
            archive.write(document, "receipts.pdf")
            document.unlink()
        else:
            for part in parts:
                _copy_entries(part, archive)
        if export.filters["include_manifest"]:
            archive.writestr("manifest.csv", _csv(manifest))


def _copy_entries(part: str, archive: zipfile.ZipFile) -> None:
    with storage.open_file(part) as file, zipfile.ZipFile(file) as source:
        for entry in source.infolist():
            with source.open(entry) as reader, archive.open(entry.filename, "w", force_zip64=True) as writer:
                shutil.copyfileobj(reader, writer)


def _merge_pdfs(parts: Sequence[str], path: Path) -> None:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter()
    for part in parts:
        writer.append(PdfReader(io.BytesIO(storage.read(part))))
    if not writer.pages:
        writer.add_blank_page(595, 842)
    writer.write(path)


def _csv(lines: Sequence[dict[str, Any]]) -> str:
    buffer = io.StringIO()
    table = rows_writer(buffer)
    table.writerow(MANIFEST_FIELDS)
    table.writerows(safe_row(line.get(name) for name in MANIFEST_FIELDS) for line in lines)
    return buffer.getvalue()


def _write_whole(path: str, write: Callable[[Path], None]) -> None:
    """The file is written on this machine, and stored when it is complete."""
    with tempfile.TemporaryDirectory(prefix="countersign-receipts-") as folder:
        file = Path(folder) / "file"
        write(file)
        storage.keep(path, file)
