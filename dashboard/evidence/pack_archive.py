"""The ZIP file of a pack while it is made, on the disk: of a pack with many items and documents little is in memory at once."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import IO, Self, TypedDict

from django.utils import timezone

from dashboard.evidence.item_records import ItemRecord

ITEMS = "item.json"
CHUNK = 64 * 1024


class PackedFile(TypedDict):
    """A file of a pack as its manifest lists it."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ListedItem:
    """What manifest, notes and PDF say of an item; what the finance service sent of it is on the disk by then."""

    kind: str
    id: str
    title: str
    references: list[str]
    included_as: str
    answered: bool
    why_copied: str

    @property
    def name(self) -> str:
        """Kind and id as the manifest names them."""
        return f"{self.kind}/{self.id}"

    @property
    def state(self) -> str:
        """Why it is in the pack and where it was read, in words: "own, read at the finance service"."""
        return f"{self.included_as}, {'read at the finance service' if self.answered else 'as the copy has it'}"


@dataclass
class PackArchive:
    """The files of a pack, and its items, each written as it comes."""

    _file: IO[bytes]
    _items: IO[bytes]
    _archive: zipfile.ZipFile
    files: list[PackedFile] = field(default_factory=list)
    items: list[ListedItem] = field(default_factory=list)

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[Self]:
        """An empty one; what it has on the disk is gone when it is left."""
        with (
            tempfile.TemporaryFile() as file,
            tempfile.TemporaryFile() as items,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            yield cls(file, items, archive)

    def add(self, name: str, content: bytes) -> None:
        """Puts in a file, which the manifest will list."""
        self._archive.writestr(name, content)
        self.files.append({"name": name, "bytes": len(content), "sha256": sha256(content).hexdigest()})

    def add_item(self, record: ItemRecord) -> None:
        """Takes in an item: it is in `items` by what is listed of it, and whole in the file that `finish_items` puts in."""
        self._items.write(b",\n" if self.items else b"[\n")
        self._items.write(json.dumps(record, ensure_ascii=False, indent=1, default=str).encode())
        listed = ListedItem(
            record["kind"], record["id"], record["title"], record["references"], record["included_as"],
            record["answered"], record["why_copied"],
        )  # fmt: skip
        self.items.append(listed)

    def finish_items(self) -> None:
        """Puts in the file with all items; none is taken in after."""
        self._items.write(b"\n]\n" if self.items else b"[]\n")
        digest, size = sha256(), 0
        info = zipfile.ZipInfo(ITEMS, timezone.localtime().timetuple()[:6])
        info.compress_type = zipfile.ZIP_DEFLATED
        with self._archive.open(info, "w") as packed:
            for chunk in _chunks(self._items):
                packed.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        self.files.append({"name": ITEMS, "bytes": size, "sha256": digest.hexdigest()})

    def finish(self, manifest: tuple[str, bytes], signature: tuple[str, bytes]) -> bytes:
        """The whole ZIP file, with its manifest and signature, each a name and its content; nothing is put in after."""
        for name, content in (manifest, signature):
            self._archive.writestr(name, content)
        self._archive.close()
        self._file.seek(0)
        return self._file.read()


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    while chunk := file.read(CHUNK):
        yield chunk
