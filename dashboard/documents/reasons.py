"""Where documents differ from their transaction, as reasons to look twice: in the item, and in its line of the inbox.

A document that nobody has opened has not been read, and nothing is said of it. What was read is remembered for a month;
where it is forgotten, the next opening reads it again. The service's own risk score is the service's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any

from dashboard.access.models import Business
from dashboard.cache import load_many, store
from dashboard.decisions.items import Flag
from dashboard.documents.comparison import Claim, Line, compared
from dashboard.documents.readings import Reading
from dashboard.documents.sources import Document

REMEMBERED_S = 30 * 24 * 3600
WORDS_REMEMBERED = 3000
# What the line of the inbox says.
IN_A_LINE = {
    "Total": "total differs",
    "Printed total": "total differs",
    "Date": "date differs",
    "Merchant": "merchant differs",
    "Tax": "tax differs",
}


def remember(business: Business, document: Document, reading: Reading) -> None:
    """Remembers what was read from a document of a subject."""
    data = asdict(replace(reading, words=reading.words[:WORDS_REMEMBERED]))
    store(_reading_name(business, document), data, REMEMBERED_S)


def lines_by_document(business: Business, documents: Sequence[Document], claim: Claim) -> dict[str, list[Line]]:
    """The compared lines by file id, of the documents that have been read. Several receipts that come to the amount
    together differ from it in nothing, nor do others beside one that is the whole."""
    names = {_reading_name(business, document): document.file_id for document in documents}
    stored = load_many(names) if names else {}
    readings = {file_id: Reading.of(stored[name]) for name, file_id in names.items() if name in stored}
    lines = {file_id: compared(reading, claim) for file_id, reading in readings.items()}
    note = _together(list(readings.values()), list(lines.values()), claim) if len(readings) > 1 else ""
    return {file_id: [_settled(line, note) for line in compared_lines] for file_id, compared_lines in lines.items()}


def _together(readings: list[Reading], lines: list[list[Line]], claim: Claim) -> str:
    if any(line.label == "Total" and line.state == "same" for document_lines in lines for line in document_lines):
        return f"another {claim.noun} has this total"
    totals = [reading.total.decimal for reading in readings if reading.total is not None]
    currencies = {reading.currency.text for reading in readings if reading.currency is not None}
    for amount, currency in claim.amounts:
        if currencies <= {currency} and totals and sum(totals, Decimal(0)) == amount:
            return f"the {claim.noun}s come to it together"
    return ""


def _settled(line: Line, note: str) -> Line:
    return replace(line, state="same", sentence="", red=False, note=note) if _is_settled(line, note) else line


def _is_settled(line: Line, note: str) -> bool:
    return bool(note) and line.label == "Total" and line.state == "differs"


def flags_of_lines(lines: Iterable[Line]) -> list[Flag]:
    """The differences as flags, each sentence once."""
    sentences = {line.sentence: line.red for line in lines if line.state == "differs"}
    return [Flag("!", f"{sentence}.", red) for sentence, red in sentences.items()]


def flags_of_documents(business: Business, documents: Sequence[Document], claim: Claim) -> list[Flag]:
    """The flags of a subject's documents that have been read; remembers for the inbox what its line says of them."""
    lines_of = lines_by_document(business, documents, claim)
    lines = [line for document_lines in lines_of.values() for line in document_lines]
    if documents and lines_of:
        note_for_line(business, documents[0], lines)
    return flags_of_lines(lines)


def note_for_line(business: Business, document: Document, lines: Iterable[Line]) -> None:
    """Remembers what the inbox says of the document's subject: the gravest difference, or nothing."""
    differing = sorted((line for line in lines if line.state == "differs"), key=lambda line: not line.red)
    note = {
        "words": IN_A_LINE[differing[0].label] if differing else "",
        "red": [flag.text for flag in flags_of_lines(differing) if flag.red],
    }
    store(_line_name(business, f"{document.kind}/{document.remote_id}"), note, REMEMBERED_S)


def notes_for_lines(business: Business, keys: Sequence[str]) -> dict[str, str]:
    """What the lines of the inbox say of their documents, by the item's key; those without a difference are left out."""
    notes = _notes(business, keys)
    return {key: words for key, note in notes.items() if (words := str(note.get("words") or ""))}


def red_flags_of_documents(business: Business, keys: Sequence[str]) -> dict[str, list[Flag]]:
    """The red flags that documents gave their items when they were last compared, by the item's key: one look for all.

    Of a document that nobody has opened there is none.
    """
    notes = _notes(business, keys)
    return {key: [Flag("!", text, True) for text in note["red"]] for key, note in notes.items() if note.get("red")}


def _notes(business: Business, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
    names = {_line_name(business, key): key for key in keys}
    notes = load_many(names) if names else {}
    # What an older version has remembered are the words alone.
    return {names[name]: note if isinstance(note, dict) else {"words": note, "red": []} for name, note in notes.items()}


def _reading_name(business: Business, document: Document) -> str:
    return f"document-reading:{business.pk}:{document.kind}:{document.remote_id}:{document.file_id}"


def _line_name(business: Business, key: str) -> str:
    return f"document-note:{business.pk}:{key}"
