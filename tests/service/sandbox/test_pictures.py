"""The receipts of the demo: pictures, and PDFs that say in text what they show, as those of merchants do."""

from __future__ import annotations

import io

from pypdf import PdfReader

from service import documents
from service.sandbox import pictures

LINES = pictures.receipt_lines("Café (Nairobi) \\ Sons", "26.11.2026 13:54", "KES 37,920.00", "5100000076")


def test_what_a_pdf_shows_is_its_text() -> None:
    """A picture within it would be read only where Tesseract is installed: nothing of the demo would look clean elsewhere."""
    [page] = PdfReader(io.BytesIO(pictures.pdf(LINES)), strict=True).pages
    assert page.extract_text().splitlines() == LINES


def test_it_is_the_same_file_for_the_same_lines() -> None:
    assert pictures.pdf(LINES) == pictures.pdf(list(LINES))
    assert documents.checked_bytes(pictures.pdf(LINES), "receipt").mime == "application/pdf"
