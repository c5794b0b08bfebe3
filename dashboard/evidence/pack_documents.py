"""The documents of a pack: each with its hash, the files themselves up to a limit, and why one is not in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypedDict

from dashboard.access.actor import Actor
from dashboard.documents.sources import Document, content_of
from dashboard.errors import FinanceError, NotFound
from dashboard.evidence.current_rows import ReadBudget
from dashboard.evidence.item_evidence import documents_for, evidence_title
from dashboard.evidence.pack_archive import PackArchive
from dashboard.mirror.models import Bill, Mirrored

# Of a person or a period: how many bytes of files a pack holds at most.
MOST_BYTES = 50 * 1024 * 1024
TOO_MANY_BYTES = "The files of this pack come to {megabytes} MB at most. Its hash is of what the finance service has."
NOT_READ = "It was not read: too much had been read for this pack, or the finance service had stopped to answer."
UNANSWERED = "The finance service did not answer."
GONE = "It no longer exists at the finance service."
NO_LIST = "{title}: which documents it has could not be read."


class DocumentRecord(TypedDict):
    """A document of an item: `file` is its name in the pack, "" where it is not in it, and `why` then says why. Size and SHA-256 are None and
    "" where it was not read."""

    item: str
    name: str
    file: str
    bytes: int | None
    sha256: str
    why: str


@dataclass
class PackDocuments:
    """What is gathered of the documents of one pack after the other, each put into its `archive` at once; without a `budget` all
    that there are, and whatever cannot be read raises the FinanceError tree."""

    actor: Actor
    beat: Callable[[], None]
    archive: PackArchive
    budget: ReadBudget | None = None
    records: list[DocumentRecord] = field(default_factory=list)
    size: int = 0
    notes: list[str] = field(default_factory=list)
    known: set[tuple[str, str]] = field(default_factory=set)

    def add(self, rows: Sequence[Mirrored]) -> None:
        """Takes in the documents of these rows, each document once."""
        for row in rows:
            for document in self._documents(row):
                name = (document.operation.name, document.file_id)
                if name not in self.known:
                    self.known.add(name)
                    self._take(document)

    def _documents(self, row: Mirrored) -> list[Document]:
        # The files of a bill are a read of their own.
        if self.budget is not None and self.budget.is_spent() and isinstance(row, Bill):
            self.notes.append(NO_LIST.format(title=evidence_title(row)))
            return []
        try:
            return documents_for(self.actor, [row])
        except FinanceError:
            if self.budget is None:
                raise
            self.budget.count(is_answered=False)
            self.notes.append(NO_LIST.format(title=evidence_title(row)))
            return []

    def _take(self, document: Document) -> None:
        if self.budget is not None and self.budget.is_spent():
            self._leave_out(document, NOT_READ)
            return
        self.beat()
        try:
            content = content_of(self.actor, document)
        except NotFound:
            self.notes.append(
                f"Document {len(self.records) + 1}, {document.name}, no longer exists at the finance service."
            )
            self._leave_out(document, GONE)
            return
        except FinanceError:
            if self.budget is None:
                raise
            self.budget.count(is_answered=False)
            self._leave_out(document, UNANSWERED)
            return
        if self.budget is not None:
            self.budget.count(is_answered=True)
        self._put_in(document, content)

    def _put_in(self, document: Document, content: bytes) -> None:
        digest, why, name = (
            sha256(content).hexdigest(),
            "",
            f"documents/{len(self.records) + 1:02d}-{_safe(document.name)}",
        )
        if self.budget is not None and self.size + len(content) > MOST_BYTES:
            why, name = TOO_MANY_BYTES.format(megabytes=MOST_BYTES // 1024**2), ""
        else:
            self.archive.add(name, content)
            self.size += len(content)
        self.records.append(_record(document, file=name, size=len(content), digest=digest, why=why))

    def _leave_out(self, document: Document, why: str) -> None:
        self.records.append(_record(document, why=why))


def _record(
    document: Document, *, file: str = "", size: int | None = None, digest: str = "", why: str = ""
) -> DocumentRecord:
    return {
        "item": f"{document.kind}/{document.remote_id}", "name": document.name, "file": file, "bytes": size,
        "sha256": digest, "why": why,
    }  # fmt: skip


def _safe(name: str) -> str:
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "_" for letter in name)
    return plain.strip("._")[:80] or "document"
