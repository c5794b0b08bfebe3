"""Which of the seven document formats some bytes are, and whether they are safe to keep: see documents.py."""

import re
import struct
from collections import Counter

from service import documents_archives as archives
from service import documents_pdf
from service.documents_archives import Hostile

PIXELS = 100_000_000
LONGEST_SIDE = 32_000
OLE2 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
OLE2_MACROS = frozenset({"_VBA_PROJECT", "_VBA_PROJECT_CUR", "VBA", "Macros"})
DIRECTORY_SECTORS = 512
# JPEG frame headers; the other markers of that range are tables.
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
SAMPLE = 64 * 1024
# Separators in a first line that nobody writes in a sentence.
HEADING = 3
SEPARATORS = ",;\t|"
QUOTED = re.compile(r'"[^"]*"')
MARKUP = re.compile(rb"\s*(<[!?a-zA-Z]|#!|%PDF|\{\\rtf)")
CONTROLS = bytes(code for code in range(32) if chr(code) not in "\t\r\n") + b"\x7f"


def kind_of(content: bytes) -> str | None:
    """PDF, XLS, XLSX, DOCX, CSV, PNG or JPEG; None for anything else. Raises Hostile for one that must not be kept."""
    if content.startswith(b"%PDF-"):
        if not _complete_pdf(content):
            return None
        documents_pdf.check(content)
        return "PDF"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG" if _sound_png(content) else None
    if content.startswith(b"\xff\xd8\xff"):
        return "JPEG" if _sound_jpeg(content) else None
    if content.startswith(b"PK\x03\x04"):
        return archives.office_kind(content)
    if content.startswith(OLE2):
        return "XLS" if _workbook(content) else None
    return "CSV" if _table_text(content) else None


def _complete_pdf(content: bytes) -> bool:
    """A PDF has its version at the start and its trailer at the end."""
    tail = content[-2048:]
    return re.match(rb"%PDF-[12]\.[0-9]", content) is not None and b"startxref" in tail and b"%%EOF" in tail


def _sound_png(content: bytes) -> bool:
    if content[12:16] != b"IHDR" or len(content) < 45 or b"IEND" not in content[-64:]:
        return False
    _bounded_picture(*struct.unpack(">II", content[16:24]))
    return True


def _sound_jpeg(content: bytes) -> bool:
    """Walks the segments to the frame header, which tells the size; the picture itself is not touched."""
    place, end = 2, len(content)
    while place + 9 < end:
        if content[place] != 0xFF:
            return False
        marker = content[place + 1]
        if marker == 0xFF:  # fill
            place += 1
        elif marker in FRAMES:
            height, width = struct.unpack(">HH", content[place + 5 : place + 9])
            _bounded_picture(width, height)
            return content.rfind(b"\xff\xd9") > place
        elif marker == 0xDA or marker == 0xD9:  # data, or the end, before any frame
            return False
        else:
            length = struct.unpack(">H", content[place + 2 : place + 4])[0]
            if length < 2:
                return False
            place += 2 + length
    return False


def _bounded_picture(width: int, height: int) -> None:
    if not (0 < width <= LONGEST_SIDE and 0 < height <= LONGEST_SIDE) or width * height > PIXELS:
        raise Hostile(f"A picture of {width} × {height} pixels is too large.")


def _workbook(content: bytes) -> bool:
    """Whether an OLE2 file holds a workbook (Word and installers use OLE2 too). Macros and encryption are refused."""
    names = _ole2_names(content)
    if "EncryptedPackage" in names:
        raise Hostile("An encrypted file cannot be read by those who check it.")
    if names & OLE2_MACROS:
        raise Hostile("A file with macros is not taken.")
    return bool(names & {"Workbook", "Book"})


def _ole2_names(content: bytes) -> set[str]:
    """The names in the directory: its sectors are chained by the allocation table, whose own sectors the header lists."""
    if len(content) < 512:
        return set()
    shift = struct.unpack("<H", content[30:32])[0]
    if shift not in (9, 12):
        return set()
    size = 1 << shift
    table = [sector for sector in struct.unpack("<109I", content[76:512]) if sector < 0xFFFFFFF0]
    names: set[str] = set()
    sector, seen = struct.unpack("<I", content[48:52])[0], 0
    while sector < 0xFFFFFFF0:
        seen += 1
        start = (sector + 1) * size
        if seen > DIRECTORY_SECTORS or start + size > len(content):
            raise Hostile("The directory of the file leads nowhere.")
        names |= _entry_names(content[start : start + size])
        block, place = divmod(sector, size // 4)
        if block >= len(table):
            break
        at = (table[block] + 1) * size + place * 4
        if at + 4 > len(content):
            raise Hostile("The directory of the file leads nowhere.")
        sector = struct.unpack("<I", content[at : at + 4])[0]
    return names


def _entry_names(sector: bytes) -> set[str]:
    names = set()
    for start in range(0, len(sector), 128):
        length = struct.unpack("<H", sector[start + 64 : start + 66])[0]
        if 2 < length <= 64:
            names.add(sector[start : start + length - 2].decode("utf-16-le", "replace"))
    return names


def _table_text(content: bytes) -> bool:
    """CSV is a table in UTF-8 or Windows-1252: no control characters, no markup or script in its first line, rows alike.

    Any other plain text is none of the formats (interface "Transaction"), whatever it is called.
    """
    if content.translate(None, CONTROLS) != content or MARKUP.match(content.removeprefix(b"\xef\xbb\xbf")):
        return False
    for encoding in ("utf-8", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return _is_table(text.removeprefix("\ufeff"))
    return False


def _is_table(text: str) -> bool:
    """A heading of four cells or more, or lines of which three of four have the same number of cells, two or more."""
    lines = text[:SAMPLE].splitlines()
    # The last one may be cut by the end of the sample.
    lines = [line for line in (lines[:-1] if len(text) > SAMPLE else lines) if line.strip()]
    for separator in SEPARATORS if lines else "":
        cells = [QUOTED.sub("", line).count(separator) for line in lines]
        separators, often = Counter(cells).most_common(1)[0]
        alike = len(lines) > 1 and separators > 0 and often * 4 >= len(lines) * 3
        if alike or cells[0] >= HEADING:
            return True
    return False
