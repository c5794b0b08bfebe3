"""Where the bytes of documents, receipts and exports lie: in a folder, or in a store that speaks S3.

Which one is said by the settings (Django's storage "default"); a row holds the path from its root. A file appears whole
or not at all. Nobody is ever given its address there: it is read here, and leaves by our own views.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage


class WholeFiles(FileSystemStorage):
    """A folder in which a file stands under its name once all of it is written."""

    def _save(self, name: str, content: IO[bytes]) -> str:
        place = Path(self.path(name))
        place.parent.mkdir(parents=True, exist_ok=True)
        half = place.with_name(f"{place.name}.{os.getpid()}.half")
        try:
            with half.open("wb") as writer:
                for chunk in content.chunks() if isinstance(content, File) else iter(lambda: content.read(65536), b""):
                    writer.write(chunk)
            half.replace(place)
        finally:
            half.unlink(missing_ok=True)
        return name


def write(path: str, content: bytes) -> None:
    """Keeps the bytes under the path, in place of what may be there."""
    default_storage.save(path, ContentFile(content))


def keep(path: str, file: Path) -> None:
    """Keeps a file of this machine under the path, in place of what may be there."""
    with file.open("rb") as reader:
        default_storage.save(path, File(reader))


def open_file(path: str) -> File[bytes]:
    """The file, to be read and closed; FileNotFoundError where there is none."""
    return default_storage.open(path, "rb")


def read(path: str) -> bytes:
    """All of a file; FileNotFoundError where there is none."""
    with open_file(path) as file:
        content: bytes = file.read()
    return content


def exists(path: str) -> bool:
    """Whether there is a file under the path."""
    return bool(path) and default_storage.exists(path)


def size(path: str) -> int:
    """The size of a file in bytes."""
    return default_storage.size(path)


def delete(path: str) -> None:
    """Deletes a file; nothing where there is none."""
    if path:
        default_storage.delete(path)


def delete_folder(path: str) -> None:
    """Deletes the files right under a folder, and the folder; nothing where there is none."""
    try:
        _, names = default_storage.listdir(path)
    except FileNotFoundError:
        return
    for name in names:
        default_storage.delete(f"{path}/{name}")
    # A bucket has no folders: there this is one more name that is not there.
    default_storage.delete(path)
