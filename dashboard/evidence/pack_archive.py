"""The ZIP file of a pack while it is made, on the disk: of a pack with many items and documents little is in memory at once."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import IO, Self, TypedDict

from django.utils import timezone

from dashboard.evidence.audit_lines import SealedLine
from dashboard.evidence.document import MOST_PRINTED
from dashboard.evidence.item_records import ItemRecord

PART = 64 * 1024


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
    own_because: str
    answered: bool
    why_copied: str

    @property
    def name(self) -> str:
        """Kind and id as the manifest names them."""
        return f"{self.kind}/{self.id}"

    @property
    def state(self) -> str:
        """Why it is in the pack and where it was read, in words: "own (entered by them), read at the finance service"."""
        because = f" ({self.own_because})" if self.own_because else ""
        return (
            f"{self.included_as}{because}, {'read at the finance service' if self.answered else 'as the copy has it'}"
        )


class JsonRows:
    """A JSON file of many rows, on the disk while they come."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.count = 0

    def add(self, row: ItemRecord | SealedLine) -> None:
        """Writes an item or a line of the audit behind those that came before, as JSON."""
        self._file.write(b",\n" if self.count else b"[\n")
        self._file.write(json.dumps(row, ensure_ascii=False, indent=1, default=str).encode())
        self.count += 1

    def parts(self) -> Iterator[bytes]:
        """The whole file, a part at a time; no row is added after."""
        self._file.write(b"\n]\n" if self.count else b"[]\n")
        self._file.seek(0)
        while part := self._file.read(PART):
            yield part


@dataclass
class PackArchive:
    """The files of a pack, its items and its lines of the audit, each written as it comes. In memory stay what is listed of an item,
    the first lines, which are printed, and what each line is about, by kind and id."""

    _file: IO[bytes]
    _archive: zipfile.ZipFile
    item_rows: JsonRows
    line_rows: JsonRows
    files: list[PackedFile] = field(default_factory=list)
    items: list[ListedItem] = field(default_factory=list)
    lines: list[SealedLine] = field(default_factory=list)
    line_subjects: dict[tuple[str, str], None] = field(default_factory=dict)

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[Self]:
        """An empty one; what it has on the disk is gone when it is left."""
        with (
            tempfile.TemporaryFile() as file,
            tempfile.TemporaryFile() as items,
            tempfile.TemporaryFile() as lines,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            yield cls(file, archive, JsonRows(items), JsonRows(lines))

    def add(self, name: str, content: bytes) -> None:
        """Puts in a file, which the manifest will list."""
        self._archive.writestr(name, content)
        self.files.append({"name": name, "bytes": len(content), "sha256": sha256(content).hexdigest()})

    def add_item(self, evidence_item: ItemRecord) -> None:
        """Writes an item to the disk, with all that the finance service sent of it, and lists it in `items`."""
        self.item_rows.add(evidence_item)
        listed = ListedItem(
            evidence_item["kind"], evidence_item["id"], evidence_item["title"], evidence_item["references"], evidence_item["included_as"],
            evidence_item["own_because"], evidence_item["answered"], evidence_item["why_copied"],
        )  # fmt: skip
        self.items.append(listed)

    def add_lines(self, lines: Iterable[SealedLine]) -> None:
        """Takes in lines of the audit, in the order of their links."""
        for sealed_line in lines:
            self.line_rows.add(sealed_line)
            line = sealed_line["line"]
            self.line_subjects[str(line["object_type"]), str(line["object_id"])] = None
            if len(self.lines) < MOST_PRINTED:
                self.lines.append(sealed_line)

    def add_rows(self, name: str, json_rows: JsonRows) -> None:
        """Puts in the file of rows, to which none is added after."""
        digest, size = sha256(), 0
        info = zipfile.ZipInfo(name, timezone.localtime().timetuple()[:6])
        info.compress_type = zipfile.ZIP_DEFLATED
        with self._archive.open(info, "w") as packed:
            for part in json_rows.parts():
                packed.write(part)
                digest.update(part)
                size += len(part)
        self.files.append({"name": name, "bytes": size, "sha256": digest.hexdigest()})

    def finish(self, manifest: tuple[str, bytes], signature: tuple[str, bytes]) -> bytes:
        """The whole ZIP file, with its manifest and signature, each a name and its content; nothing is put in after."""
        for name, content in (manifest, signature):
            self._archive.writestr(name, content)
        self._archive.close()
        self._file.seek(0)
        return self._file.read()
