"""Receipts as bytes, drawn here."""

import io

from PIL import Image
from pypdf import PdfWriter


def picture(kind: str = "PNG", size: int = 40) -> bytes:
    """A picture of so many pixels each way."""
    file = io.BytesIO()
    Image.new("RGB", (size, size), (10, 120, 90)).save(file, kind)
    return file.getvalue()


def _pdf() -> bytes:
    writer, file = PdfWriter(), io.BytesIO()
    writer.add_blank_page(200, 200)
    writer.write(file)
    return file.getvalue()


PNG, JPEG, PDF = picture(), picture("JPEG"), _pdf()
