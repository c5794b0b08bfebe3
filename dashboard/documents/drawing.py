"""Pages as pictures: a PDF by PDFium, a photograph by Pillow; what leaves is always drawn anew. Runs in the program alone."""

import io
import math
from collections.abc import Callable
from itertools import islice
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium_c
from PIL import Image, ImageOps

from dashboard.documents import limits
from dashboard.documents.readings import Kind

PICTURES = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG", b"GIF8": "GIF", b"RIFF": "WEBP"}
PDF, XML = b"%PDF-", (b"<?xml", b"<Invoice", b"<rsm:", b"<ubl:", b"<CreditNote")


# How a picture looks: at so many places of each row and column, what counts as brighter than the place before it (of 255), and
# how many such places there must be.
LOOK_SIDE, LOOK_STEP, LOOK_BITS = 32, 6, 16
# A page is a scan where one of its first pictures covers so much of it; it is drawn so wide to see how it looks.
COVERED, MOST_IMAGES, LOOK_WIDTH = 0.6, 50, 600


class Unshowable(Exception):
    """The document cannot be shown; the text is a key of readings.PROBLEMS."""


def file_type_of(content: bytes) -> Kind:
    """What the bytes are, by themselves and not by a name: "pdf", "picture", "xml" or "other"."""
    if PDF in content[:1024]:
        return "pdf"
    if any(content.startswith(magic) for magic in PICTURES):
        return "picture"
    start = content.removeprefix(b"\xef\xbb\xbf").lstrip()[:20]
    return "xml" if start.startswith(XML) else "other"


def open_pdf(content: bytes) -> pypdfium2.PdfDocument:
    """The PDF; Unshowable where it has a password or is damaged. Scripts in it have no engine here to run them."""
    try:
        document = pypdfium2.PdfDocument(content)
        if len(document) < 1:
            raise Unshowable("broken")
    except pypdfium2.PdfiumError as error:
        locked = getattr(error, "err_code", None) in {pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY}
        raise Unshowable("encrypted" if locked else "broken") from None
    return document


def pdf_sizes(document: pypdfium2.PdfDocument) -> list[tuple[int, int]]:
    """Width and height in points of each page that can be shown."""
    sizes = []
    for number in range(min(len(document), limits.MOST_PAGES)):
        try:
            width, height = document.get_page_size(number)
        except pypdfium2.PdfiumError:
            width = height = 0
        sizes.append((max(1, min(round(width), 20_000)), max(1, min(round(height), 20_000))))
    return sizes


def draw_pdf(document: pypdfium2.PdfDocument, number: int, width: int, turns: int) -> bytes:
    """Page `number` (from 0) as WebP of this width before it is turned by `turns` quarters; Unshowable where it is none."""
    try:
        page = document[number]
        across, down = page.get_size()
        bitmap = page.render(scale=_scale(across, down, width), may_draw_forms=False)
        return encode(bitmap.to_pil(), turns)
    except (pypdfium2.PdfiumError, IndexError, ValueError):
        raise Unshowable("page") from None


def _scale(width: float, height: float, target: int) -> float:
    if width <= 0 or height <= 0:
        raise Unshowable("page")
    by_area = math.sqrt(limits.MOST_PAGE_PIXELS / (width * height))
    return min(target / width, by_area, limits.LONGEST_SIDE / max(width, height))


def open_picture(content: bytes) -> Image.Image:
    """The picture, upright as the camera was held; Unshowable where it is damaged or unfolds beyond the limit."""
    Image.MAX_IMAGE_PIXELS = None  # looked at below, by what the header says and before anything is unfolded
    try:
        picture = Image.open(io.BytesIO(content), formats=tuple(PICTURES.values()))
        if picture.width * picture.height > limits.MOST_PICTURE_PIXELS:
            raise Unshowable("pixels")
        if picture.format == "JPEG":
            picture.draft("RGB", (limits.ENLARGED * 2, limits.ENLARGED * 2))
        picture.load()
        return ImageOps.exif_transpose(picture)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise Unshowable("broken") from None


def draw_picture(picture: Image.Image, width: int, turns: int) -> bytes:
    """The picture as WebP, at most so wide before it is turned; never larger than it is."""
    scale = min(1.0, _scale(picture.width, picture.height, width))
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    return encode(_flat(picture).resize(size, Image.Resampling.LANCZOS), turns)


def _flat(picture: Image.Image) -> Image.Image:
    """On white where it lets something through: a dark page must not swallow dark ink."""
    if picture.mode in {"RGB", "L"}:
        return picture
    whole = picture.convert("RGBA")
    paper = Image.new("RGBA", whole.size, "white")
    paper.alpha_composite(whole)
    return paper.convert("RGB")


TURNS: dict[int, Callable[[Image.Image], Image.Image]] = {
    0: lambda picture: picture,
    1: lambda picture: picture.transpose(Image.Transpose.ROTATE_270),
    2: lambda picture: picture.transpose(Image.Transpose.ROTATE_180),
    3: lambda picture: picture.transpose(Image.Transpose.ROTATE_90),
}


def encode(picture: Image.Image, turns: int = 0) -> bytes:
    """WebP of the picture, turned by so many quarters to the right, without anything that the file said beside it."""
    clean: Any = TURNS[turns % 4](_flat(picture))
    out = io.BytesIO()
    clean.save(out, "WEBP", quality=82, method=2)
    return out.getvalue()


def look_of(picture: Image.Image) -> str:
    """How a picture looks, in hexadecimal digits: whether it gets brighter to the right, at 32 places in each of 32 rows. "" for
    one with too little on it to tell it from another."""
    grey = _flat(picture).convert("L").resize((LOOK_SIDE + 1, LOOK_SIDE), Image.Resampling.BOX)
    shades, bits = ImageOps.autocontrast(grey).tobytes(), 0
    for row in range(LOOK_SIDE):
        start = row * (LOOK_SIDE + 1)
        for place in range(start, start + LOOK_SIDE):
            bits = bits << 1 | (shades[place + 1] - shades[place] > LOOK_STEP)
    return f"{bits:0{LOOK_SIDE * LOOK_SIDE // 4}x}" if bits.bit_count() >= LOOK_BITS else ""


def look_of_scan(document: pypdfium2.PdfDocument) -> str:
    """How the first page of a PDF looks, where that page is a picture: one that covers most of it, whatever words a scanner has put
    over it. "" for any other."""
    try:
        page = document[0]
        width, height = page.get_size()
        if not _is_scan(page, width * height):
            return ""
        return look_of(page.render(scale=_scale(width, height, LOOK_WIDTH), may_draw_forms=False).to_pil())
    except (pypdfium2.PdfiumError, ValueError, Unshowable):
        return ""


def _is_scan(page: pypdfium2.PdfPage, area: float) -> bool:
    images = page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE], max_depth=2)
    for image in islice(images, MOST_IMAGES):
        left, bottom, right, top = image.get_bounds()
        if (right - left) * (top - bottom) >= COVERED * area:
            return True
    return False


def for_recognition(picture: Image.Image) -> bytes:
    """The picture as a grey PNG in a size from which letters are recognised."""
    grey = ImageOps.autocontrast(_flat(picture).convert("L"))
    grey.thumbnail((2400, 3200))
    out = io.BytesIO()
    grey.save(out, "PNG")
    return out.getvalue()
