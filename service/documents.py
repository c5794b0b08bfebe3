"""Files that people send in as proof: told by what they hold, never by their name, and refused cheaply when hostile.

PDF, XLS, XLSX, DOCX, CSV, PNG and JPEG, at most 10 MB (interface "Transaction"). Nothing here unpacks more than a few
kilobytes of a file: an archive is judged by the sums in its directory, a picture by the size in its header.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from service import errors, storage
from service.documents_archives import Hostile
from service.documents_formats import kind_of
from service.ids import object_id

LARGEST_BYTES = 10 * 1024 * 1024
MIMES = {
    "PDF": "application/pdf",
    "XLS": "application/vnd.ms-excel",
    "XLSX": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "DOCX": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "CSV": "text/csv",
    "PNG": "image/png",
    "JPEG": "image/jpeg",
}
ENDINGS = {"JPEG": ".jpg"}
EXPECTED = "a PDF, XLS, XLSX, DOCX, CSV, PNG or JPEG"


class Upload(Protocol):
    """A file as Django hands it over."""

    name: str | None

    @property
    def size(self) -> int | None:
        """How many bytes the file has; None where that is not known."""

    def read(self) -> bytes:
        """The content of the file, all of its bytes."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file that passed: its kind (a key of MIMES), its size in bytes, its SHA-256 in hexadecimal, its bytes."""

    kind: str
    mime: str
    size: int
    sha256: str
    file_name: str
    content: bytes = field(repr=False)


def checked(upload: Upload) -> Document:
    """The file, once it is known to be one of the seven formats.

    413 file_too_large over 10 MB, 415 unsupported_media_type for any other format, 422 validation_failed for an empty
    or a hostile file (an archive or picture that would unfold without bounds, macros, external entities).
    """
    if (upload.size or 0) > LARGEST_BYTES:
        raise errors.file_too_large(LARGEST_BYTES)
    return checked_bytes(upload.read(), upload.name or "")


def checked_bytes(content: bytes, file_name: str) -> Document:
    """As `checked`, for the content of a file that is in memory already."""
    if len(content) > LARGEST_BYTES:
        raise errors.file_too_large(LARGEST_BYTES)
    if not content:
        raise errors.validation_failed("file", "The file is empty.", "empty")
    try:
        kind = kind_of(content)
    except Hostile as refusal:
        raise errors.validation_failed("file", str(refusal), "hostile") from None
    if kind is None:
        raise errors.unsupported_media_type(EXPECTED)
    digest = hashlib.sha256(content).hexdigest()
    return Document(kind, MIMES[kind], len(content), digest, safe_name(file_name, kind), content)


def store(document: Document, folder: str, business_id: str) -> str:
    """Stores the file; answers its path in the storage. `folder` is the area's name, such as "bills"."""
    name = object_id()
    path = f"{folder}/{business_id}/{name[:6]}/{name}{_ending(document.kind)}"
    storage.write(path, document.content)
    return path


@dataclass(slots=True)
class Stored:
    """A file that lies in the storage, and whether a row names it."""

    path: str
    is_named: bool = False


@contextmanager
def stored(document: Document, folder: str, business_id: str) -> Iterator[Stored]:
    """Stores a file before its row is written, outside of any lock: nobody waits at a row for the store. It is deleted again
    where `is_named` was not set, or what was to name it failed."""
    file = Stored(store(document, folder, business_id))
    try:
        yield file
    except BaseException:
        file.is_named = False
        raise
    finally:
        if not file.is_named:
            storage.discard(file.path)


def safe_name(file_name: str, kind: str) -> str:
    """A file name that is safe in headers and archives, with the ending that its content has."""
    stem = Path(file_name.replace("\\", "/")).name.rsplit(".", 1)[0]
    cleaned = "".join(character if character.isalnum() or character in "-_ " else "_" for character in stem).strip()
    return f"{cleaned[:100] or 'document'}{_ending(kind)}"


def _ending(kind: str) -> str:
    return ENDINGS.get(kind, f".{kind.lower()}")
