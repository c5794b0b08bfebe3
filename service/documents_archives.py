"""DOCX and XLSX, told apart by what the archive declares; bombs, macros and external parts refused without unpacking."""

import io
import re
import struct
import zipfile
import zlib

ENTRIES = 2_000
UNPACKED_BYTES = 200 * 1024 * 1024
RATIO = 200  # of a part over 1 MB; honest sheets compress 10 to 40 times
DIRECTORY_BYTES = 512 * 1024
PEEK = 4096
DECLARATION_BYTES = 256 * 1024
MAIN = {
    b"spreadsheetml.sheet.main+xml": "XLSX",
    b"wordprocessingml.document.main+xml": "DOCX",
}
# What a program would fetch or run when it opens the file; an ordinary hyperlink is not among them.
FETCHED = re.compile(rb'Type="[^"]*/(attachedTemplate|oleObject|frame|subDocument)"')


class Hostile(Exception):
    """The file is of a known format and must not be kept; the text says why."""


def office_kind(content: bytes) -> str | None:
    """XLSX or DOCX, None for any other archive."""
    _check_directory(content)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            _check_sums(parts)
            names = {part.filename for part in parts}
            if "[Content_Types].xml" not in names:
                return None
            declared = _read(archive, archive.getinfo("[Content_Types].xml"), DECLARATION_BYTES)
            kind = next((kind for content_type, kind in MAIN.items() if content_type in declared), None)
            if b"macroEnabled" in declared or any(name.lower().endswith("vbaproject.bin") for name in names):
                raise Hostile("A file with macros is not taken.")
            if kind is None:
                return None
            for part in parts:
                _check_part(archive, part)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, UnicodeError, struct.error, RuntimeError):
        raise Hostile("The archive is damaged.") from None
    return kind


def _check_directory(content: bytes) -> None:
    """The directory's own size, before it is read: a small file can list very many parts."""
    end = content.rfind(b"PK\x05\x06", max(0, len(content) - 65_557))
    if end < 0 or end + 22 > len(content):
        raise Hostile("The archive is damaged.")
    disk, start_disk, here, entries, size = struct.unpack("<HHHHI", content[end + 4 : end + 16])
    if disk or start_disk or here != entries or content[max(0, end - 20) : end].startswith(b"PK\x06\x07"):
        raise Hostile("The archive is in parts, or larger than a document is.")
    if entries > ENTRIES or size > DIRECTORY_BYTES:
        raise Hostile("The archive holds too many parts.")


def _check_sums(parts: list[zipfile.ZipInfo]) -> None:
    if len(parts) > ENTRIES or len({part.header_offset for part in parts}) != len(parts):
        raise Hostile("The archive holds too many parts, or one of them more than once.")
    if sum(part.file_size for part in parts) > UNPACKED_BYTES:
        raise Hostile("The archive would unfold to far more than it is.")
    for part in parts:
        if part.flag_bits & 0x1:
            raise Hostile("An encrypted file cannot be read by those who check it.")
        if part.file_size > 1024 * 1024 and part.file_size > RATIO * max(1, part.compress_size):
            raise Hostile("The archive would unfold to far more than it is.")


def _read(archive: zipfile.ZipFile, part: zipfile.ZipInfo, limit: int) -> bytes:
    """The start of a part: reading stops there, whatever the directory claims."""
    with archive.open(part) as stream:
        return stream.read(limit)


def _check_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> None:
    """XML must begin as plain XML without a document type (that is where entities are declared)."""
    name = part.filename.lower()
    if not name.endswith((".xml", ".rels")):
        return
    start = _read(archive, part, DECLARATION_BYTES if name.endswith(".rels") else PEEK)
    if b"\0" in start[:PEEK] or start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Hostile("A part of the file is in an encoding that hides what it holds.")
    if b"<!DOCTYPE" in start or b"<!ENTITY" in start:
        raise Hostile("A part of the file declares entities.")
    if part.file_size and not re.search(rb"<[A-Za-z_]", start):
        raise Hostile("A part of the file hides where it begins.")
    if name.endswith(".rels") and b'TargetMode="External"' in start:
        for relation in re.findall(rb"<Relationship\b[^>]*>", start):
            if b'TargetMode="External"' in relation and FETCHED.search(relation):
                raise Hostile("The file would fetch another from elsewhere when it is opened.")
