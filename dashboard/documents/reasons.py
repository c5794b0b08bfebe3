"""Where documents differ from their transaction, as reasons to look twice: in the item, and in its line of the inbox.

What was read stands in a table, by the hash of the content; of a document that was not read yet nothing is said. The
cache stands before the tables, since every page of the inbox asks. The service's own risk score is the service's.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any, cast

from django.utils import timezone

from dashboard.access.models import Business
from dashboard.cache import delete, load_many, store
from dashboard.decisions.desk_items import ItemFlag
from dashboard.documents import cache
from dashboard.documents.comparison import ComparedField, Expectation, FieldLabel, compared
from dashboard.documents.models import DocumentNote, DocumentReading, ReadDocument
from dashboard.documents.opening import reader_version
from dashboard.documents.readings import Opened, OpenedData, Reading, StoredReading
from dashboard.documents.sources import Document

CACHED_S = 24 * 3600
# That there is no note: so that a page of the inbox asks the table once, and not for ever. A number, which costs a page of
# fifty the least to read.
ABSENT, ABSENT_S = 0, 600
WORDS_REMEMBERED = 3000


def remember_reading(business: Business, document: Document, opened: Opened) -> None:
    """Writes down what was read from a document of an item, by which reader, and which content it is."""
    values = asdict(replace(opened.reading, words=opened.reading.words[:WORDS_REMEMBERED], lines=())) | {
        "kind": opened.kind, "sizes": opened.sizes, "page_count": opened.page_count, "problem": opened.problem,
        "reader": opened.reader,
    }  # fmt: skip
    defaults = {"values": values, "page_count": opened.page_count, "problem": opened.problem, "read_at": timezone.now()}
    reading, _ = DocumentReading.objects.get_or_create(
        business=business, content_hash=opened.content_hash, reader=opened.reader, defaults=defaults
    )
    ReadDocument.objects.update_or_create(
        business=business, kind=document.kind, remote_id=document.remote_id, file_id=document.file_id,
        defaults={"reading": reading},
    )  # fmt: skip
    store(_reading_name(business, document), values, CACHED_S)


def is_known_costly(business: Business, content: bytes) -> bool:
    """Whether this version of the reader has given up on such a document before."""
    rows = DocumentReading.objects.filter(
        business=business, content_hash=cache.digest(content), reader=reader_version()
    )
    return rows.filter(problem="costly").exists()


def opened_before(business: Business, documents: Sequence[Document]) -> dict[str, Opened]:
    """The documents that this version of the reader could open, by file id, as far as the cache holds them: no query, and
    none of their bytes."""
    names = {_reading_name(business, document): document.file_id for document in documents}
    openings: dict[str, Opened] = {}
    for name, data in (load_many(names) if names else {}).items():
        if data.get("sizes") and not data.get("problem") and data.get("reader") == reader_version():
            openings[names[name]] = _opened(data)
    return openings


def _opened(data: Mapping[str, Any]) -> Opened:
    stored = OpenedData(
        kind=data["kind"],
        page_count=data["page_count"],
        sizes=data["sizes"],
        reading=cast(StoredReading, data),
        problem=data["problem"],
        look=data.get("look", ""),
    )
    return Opened.of(stored)


def _readings(business: Business, documents: Sequence[Document]) -> dict[str, Reading]:
    """What was read from these documents of one item, by file id; those that were not read are left out."""
    names = {_reading_name(business, document): document.file_id for document in documents}
    cached = load_many(names) if names else {}
    stored = {names[name]: data for name, data in cached.items()}
    missing = [document for document in documents if document.file_id not in stored]
    if missing:
        rows = ReadDocument.objects.filter(
            business=business, kind=missing[0].kind, remote_id=missing[0].remote_id,
            file_id__in=[document.file_id for document in missing],
        )  # fmt: skip
        by_file = dict(rows.values_list("file_id", "reading__values"))
        stored |= by_file
        for document in missing:
            if document.file_id in by_file:
                store(_reading_name(business, document), by_file[document.file_id], CACHED_S)
    return {file_id: Reading.of(data) for file_id, data in stored.items()}


def lines_by_document(
    business: Business, documents: Sequence[Document], expectation: Expectation
) -> dict[str, list[ComparedField]]:
    """The compared lines by file id, of the documents that have been read. Several receipts that come to the amount
    together differ from it in nothing, nor do others beside one that is the whole."""
    readings = _readings(business, documents)
    lines = {file_id: compared(reading, expectation) for file_id, reading in readings.items()}
    note = _together(list(readings.values()), list(lines.values()), expectation) if len(readings) > 1 else ""
    return {file_id: [_settled(line, note) for line in compared_lines] for file_id, compared_lines in lines.items()}


def _together(readings: list[Reading], lines: list[list[ComparedField]], expectation: Expectation) -> str:
    if any(
        line.label == FieldLabel.TOTAL and line.state == "same" for document_lines in lines for line in document_lines
    ):
        return f"another {expectation.noun} has this total"
    totals = [reading.total.decimal for reading in readings if reading.total is not None]
    currencies = {reading.currency.text for reading in readings if reading.currency is not None}
    for amount, currency in expectation.amounts:
        if currencies <= {currency} and totals and sum(totals, Decimal(0)) == amount:
            return f"the {expectation.noun}s come to it together"
    return ""


def _settled(compared: ComparedField, note: str) -> ComparedField:
    return (
        replace(compared, state="same", sentence="", red=False, note=note) if _is_settled(compared, note) else compared
    )


def _is_settled(compared: ComparedField, note: str) -> bool:
    return bool(note) and compared.label == FieldLabel.TOTAL and compared.state == "differs"


def flags_of_lines(lines: Iterable[ComparedField]) -> list[ItemFlag]:
    """The differences as flags, each sentence once."""
    sentences = {line.sentence: line.red for line in lines if line.state == "differs"}
    return [ItemFlag("!", f"{sentence}.", red) for sentence, red in sentences.items()]


def flags_of_documents(business: Business, documents: Sequence[Document], expectation: Expectation) -> list[ItemFlag]:
    """The flags of a subject's documents that have been read; remembers for the inbox what its line says of them."""
    lines_of = lines_by_document(business, documents, expectation)
    lines = [line for document_lines in lines_of.values() for line in document_lines]
    if documents and lines_of:
        note_for_line(business, documents[0], lines)
    return flags_of_lines(lines)


def note_for_line(business: Business, document: Document, lines: Iterable[ComparedField]) -> None:
    """Remembers what the inbox says of the document's subject: the gravest difference, or nothing."""
    differing = sorted((line for line in lines if line.state == "differs"), key=lambda line: not line.red)
    note = {
        "words": differing[0].label.in_line if differing else "",
        "red": [flag.text for flag in flags_of_lines(differing) if flag.red],
    }
    key = f"{document.kind}/{document.remote_id}"
    DocumentNote.objects.update_or_create(business=business, key=key, defaults={**note, "noted_at": timezone.now()})
    store(_line_name(business, key), note, CACHED_S)


def forget_note(business: Business, key: str) -> None:
    """Nothing is said any more of an item whose documents are gone."""
    DocumentNote.objects.filter(business=business, key=key).delete()
    delete(_line_name(business, key))


def notes_for_lines(business: Business, keys: Sequence[str]) -> dict[str, str]:
    """What the lines of the inbox say of their documents, by the item's key; those without a difference are left out."""
    notes = _notes(business, keys)
    return {key: words for key, note in notes.items() if (words := str(note.get("words") or ""))}


def red_flags_of_documents(business: Business, keys: Sequence[str]) -> dict[str, list[ItemFlag]]:
    """The red flags that documents gave their items when they were last compared, by the item's key: one look for all.

    Of a document that was not read there is none.
    """
    notes = _notes(business, keys)
    return {key: [ItemFlag("!", text, True) for text in note["red"]] for key, note in notes.items() if note.get("red")}


def _notes(business: Business, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
    names = {_line_name(business, key): key for key in keys}
    known = {names[name]: note for name, note in (load_many(names) if names else {}).items()}
    notes = {key: note for key, note in known.items() if note != ABSENT}
    if missing := [key for key in keys if key not in known]:
        rows = DocumentNote.objects.filter(business=business, key__in=missing).values_list("key", "words", "red")
        written = {key: {"words": words, "red": red} for key, words, red in rows}
        for key in missing:
            store(_line_name(business, key), written.get(key, ABSENT), CACHED_S if key in written else ABSENT_S)
        notes |= written
    return notes


def _reading_name(business: Business, document: Document) -> str:
    return f"reading:{business.pk}:{document.kind}:{document.remote_id}:{document.file_id}"


def _line_name(business: Business, key: str) -> str:
    return f"note-of-documents:{business.pk}:{key}"
