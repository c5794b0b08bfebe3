"""Where the bytes of documents, receipts and exports lie: in a folder, or in a store that speaks S3.

Which one is said by the settings (Django's storage "default"); a row holds the path from its root. A file appears whole
or not at all. Nobody is ever given its address there: it is read here, and leaves by our own views.

Where the store does not answer, or the folder's disk fails, each function raises 503 `unavailable`, to be tried again.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage

from service import errors

log = logging.getLogger(__name__)


class WholeFiles(FileSystemStorage):
    """A folder in which a file stands under its name once all of it is written."""

    def _save(self, name: str, content: IO[bytes]) -> str:
        place = Path(self.path(name))
        place.parent.mkdir(parents=True, exist_ok=True)
        # Two may write the same name at once, on machines whose processes have the same numbers.
        half = place.with_name(f"{place.name}.{secrets.token_hex(8)}.half")
        try:
            with half.open("wb") as writer:
                for chunk in content.chunks() if isinstance(content, File) else iter(lambda: content.read(65536), b""):
                    writer.write(chunk)
                # Else the name may outlive a loss of power, and the bytes not.
                writer.flush()
                os.fsync(writer.fileno())
            half.replace(place)
        finally:
            half.unlink(missing_ok=True)
        return name


@contextmanager
def _answered() -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        log.warning("the store of files failed: %s", error)
        raise errors.unavailable("The store of files does not answer. Try again shortly.") from error


def write(path: str, content: bytes) -> None:
    """Keeps the bytes under the path, in place of what may be there."""
    with _answered():
        default_storage.save(path, ContentFile(content))


def keep(path: str, file: Path) -> None:
    """Keeps a file of this machine under the path, in place of what may be there."""
    with file.open("rb") as reader, _answered():
        default_storage.save(path, File(reader))


def open_file(path: str) -> File[bytes]:
    """The file, to be read and closed; FileNotFoundError where there is none."""
    with _answered():
        return default_storage.open(path, "rb")


def read(path: str) -> bytes:
    """All of a file; FileNotFoundError where there is none."""
    with open_file(path) as file, _answered():
        content: bytes = file.read()
    return content


def exists(path: str) -> bool:
    """Whether there is a file under the path."""
    with _answered():
        return bool(path) and default_storage.exists(path)


def size(path: str) -> int:
    """The size of a file in bytes."""
    with _answered():
        return default_storage.size(path)


def delete(path: str) -> None:
    """Deletes a file; nothing where there is none."""
    if path:
        with _answered():
            default_storage.delete(path)


def discard(path: str) -> None:
    """Deletes a file that no row names; where the store does not answer it stays, and the log says so."""
    try:
        delete(path)
    except errors.ServiceError:
        log.warning("a file that no row names is not deleted: %s", path)


def delete_folder(path: str) -> None:
    """Deletes the files right under a folder, and the folder; nothing where there is none. A folder into which somebody
    writes meanwhile stays with what was written."""
    try:
        with _answered():
            _, names = default_storage.listdir(path)
    except FileNotFoundError:
        return
    for name in names:
        delete(f"{path}/{name}")
    try:
        # A bucket has no folders: there this is one more name that is not there.
        default_storage.delete(path)
    except OSError as error:
        log.warning("a folder is not deleted: %s", error)
