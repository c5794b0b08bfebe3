"""Receipts as a till would print them: small real PNG and PDF files for tests and demos."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image, ImageFont

WIDTH, LINE = 220, 15


@cache
def _font() -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.load_default(11)


def _image(lines: Sequence[str]) -> Image.Image:
    from PIL import Image, ImageDraw

    image = Image.new("L", (WIDTH, LINE * (len(lines) + 2)), 252)
    draw = ImageDraw.Draw(image)
    for place, line in enumerate(lines):
        draw.text((10, LINE * (place + 1) - 5), line, fill=30, font=_font())
    return image


def png(lines: Sequence[str]) -> bytes:
    """A picture (PNG, as bytes) with the lines of text one below the other."""
    buffer = io.BytesIO()
    _image(lines).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def pdf(lines: Sequence[str]) -> bytes:
    """A PDF of one page with the lines, as text: so comes what a merchant sends by email, and no recognition is needed to read
    it."""
    height = LINE * (len(lines) + 2)
    operators = " ".join(f"({_escaped(line)}) Tj T*" for line in lines)
    content = f"BT /F1 10 Tf {LINE} TL 10 {height - LINE - 6} Td {operators} ET".encode("cp1252", "replace")
    page = f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {WIDTH} {height}]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page.encode(),
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    )
    file, places = bytearray(b"%PDF-1.4\n"), list[int]()
    for number, written in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, written)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer <</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{len(file)}\n%%EOF\n"
    return bytes(file) + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()


def _escaped(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def receipt_lines(merchant: str, day: str, amount: str, reference: str) -> list[str]:
    """The lines of a receipt of the demo: merchant, day, total and reference, as a till prints them."""
    rule = "-" * 32
    return [merchant.upper()[:30], day, rule, f"TOTAL  {amount}", rule, f"Ref {reference}", "Thank you"]
