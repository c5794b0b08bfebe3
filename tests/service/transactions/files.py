"""Small real files of the seven formats, and hostile ones, made here byte by byte."""

import io
import struct
import zipfile
import zlib

import openpyxl
from PIL import Image
from pypdf import PdfWriter

SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
CSV = "date,amount\n2026-01-05,1200.50\n2026-01-06,Café\n".encode()


def _page() -> bytes:
    writer, file = PdfWriter(), io.BytesIO()
    writer.add_blank_page(200, 200)
    writer.write(file)
    return file.getvalue()


PDF = _page()


def picture(kind: str) -> bytes:
    """A picture of 8 by 8 pixels."""
    file = io.BytesIO()
    Image.new("RGB", (8, 8), (10, 120, 90)).save(file, kind)
    return file.getvalue()


def png_of(width: int, height: int) -> bytes:
    """A PNG whose header claims that size, and which holds nearly nothing."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"x") + chunk(b"IEND", b"")


def jpeg_of(width: int, height: int) -> bytes:
    """A JPEG whose frame header claims that size."""
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\x00"
    return b"\xff\xd8\xff\xe0\x00\x04ab" + frame + b"\xff\xda\x00\x02data\xff\xd9"


def xlsx() -> bytes:
    """A workbook as a spreadsheet program writes it."""
    book, file = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["amount", 12])
    book.save(file)
    return file.getvalue()


def archive(parts: dict[str, bytes], *, stored: bool = False) -> bytes:
    """A ZIP archive of those parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as created:
        for name, content in parts.items():
            # Without the time of day: what a test is called by must be the same on every worker.
            created.writestr(zipfile.ZipInfo(name), content, compress_type=created.compression)
    return file.getvalue()


def office(main: str, extra: dict[str, bytes] | None = None, *, declared: str = "") -> bytes:
    """A DOCX or XLSX with more parts than it needs."""
    types = f'<?xml version="1.0"?><Types><Override PartName="/m.xml" ContentType="{main}"/>{declared}</Types>'
    parts = {"[Content_Types].xml": types.encode(), "word/document.xml": b"<?xml version='1.0'?><document/>"}
    return archive({**parts, **(extra or {})})


def ole2(*names: str) -> bytes:
    """An OLE2 file with an allocation table in sector 0 and a directory of those names in sectors 1 and 2."""
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    struct.pack_into("<H", header, 30, 9)
    struct.pack_into("<I", header, 48, 1)
    struct.pack_into("<109I", header, 76, 0, *[0xFFFFFFFF] * 108)
    table = struct.pack("<128I", 0xFFFFFFFD, 2, 0xFFFFFFFE, *[0xFFFFFFFF] * 125)
    entries = bytearray(1024)
    for place, name in enumerate(["Root Entry", *names]):
        text = name.encode("utf-16-le")
        entries[place * 128 : place * 128 + len(text)] = text
        struct.pack_into("<H", entries, place * 128 + 64, len(text) + 2)
    return bytes(header) + table + bytes(entries)


GOOD = {
    "PDF": PDF,
    "CSV": CSV,
    "PNG": picture("PNG"),
    "JPEG": picture("JPEG"),
    "XLSX": xlsx(),
    "DOCX": office(WORD),
    "XLS": ole2("Workbook"),
}
