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
    """A PDF of one page with the lines."""
    buffer = io.BytesIO()
    _image(lines).save(buffer, "PDF", resolution=72)
    return buffer.getvalue()


def receipt_lines(merchant: str, day: str, amount: str, reference: str) -> list[str]:
    """The lines of a receipt of the demo: merchant, day, total and reference, as a till prints them."""
    rule = "-" * 32
    return [merchant.upper()[:30], day, rule, f"TOTAL  {amount}", rule, f"Ref {reference}", "Thank you"]
