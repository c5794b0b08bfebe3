"""A document as templates/documents/viewer.html shows it: at first its place with what the transaction says, then itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.decisions.desk_items import Paper
from dashboard.documents import limits
from dashboard.documents.comparison import ComparedField, Expectation, ReadField, compared
from dashboard.documents.readings import PROBLEMS, Opened, Reading
from dashboard.documents.reasons import lines_by_document, note_for_line, opened_before, remember_reading
from dashboard.documents.recognition import MISSING, tesseract
from dashboard.documents.sources import Document

ADDRESSES = {
    "expense": ("documents_receipt", "expenses_receipt"),
    "payment": ("documents_payment", "approvals_bill_file"),
    "bill": ("bills_file", "bills_file_original"),
    "vendor": ("vendors_document", "vendors_document_original"),
    "transaction": ("transactions_document", "transactions_document_original"),
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page: its number from 1, its addresses in three widths, and its size in the middle one, in pixels."""

    number: int
    thumbnail: str
    readable: str
    enlarged: str
    width: int
    height: int


@dataclass(frozen=True)
class Viewer(Paper):
    """A document in its place. `href` is the page of it alone, `original` saves the file; `sheets` are its pages once it
    was opened, `problem` why there are none, `more` what is not shown, `unread` why nothing was read, or what was not."""

    original: str = ""
    first: str = ""
    noun: str = ""
    side: str = ""
    lines: Sequence[ReadField] = ()
    is_open: bool = False
    sheets: Sequence[Sheet] = ()
    page_count: int = 0
    problem: str = ""
    more: str = ""
    unread: str = ""
    source: str = ""


def viewers_of(actor: Actor, documents: Sequence[Document], expectation: Expectation) -> list[Paper]:
    """The documents of an item, each with its address: those that were opened before stand open at once, as far as the
    actor may read them; the others ask for themselves."""
    before = opened_before(actor.business, documents)
    lines_of = lines_by_document(actor.business, documents, expectation) if before else {}
    papers: list[Paper] = []
    for document in documents:
        opened = before.get(document.file_id)
        if opened is not None and can(actor, document.operation, document.subject):
            lines = lines_of.get(document.file_id) or compared(opened.reading, expectation)
            papers.append(_open(actor, document, expectation, opened, lines))
        else:
            papers.append(_closed(actor, document, expectation))
    return papers


def _closed(actor: Actor, document: Document, expectation: Expectation) -> Viewer:
    page, original = ADDRESSES[document.kind]
    given = [actor.business.slug, document.remote_id, document.file_id]
    href = reverse(page, args=given)
    first = reverse(f"{page}_page", args=[*given, 1])
    return Viewer(
        href=href, name=document.name, picture=True, original=reverse(original, args=given), first=first,
        noun=expectation.noun, side=expectation.side, lines=compared(Reading(), expectation),
    )  # fmt: skip


def viewer_of(
    actor: Actor, document: Document, beside: Sequence[Document], expectation: Expectation, opened: Opened
) -> Viewer:
    """The document once it was opened, compared; what was read of it is remembered. `beside` are all documents of the
    subject."""
    remember_reading(actor.business, document, opened)
    lines_of = lines_by_document(actor.business, beside, expectation)
    # Where nothing can be remembered, what was just read is compared all the same.
    lines = lines_of.get(document.file_id) or compared(opened.reading, expectation)
    note_for_line(
        actor.business,
        document,
        [line for document_lines in (lines_of or {"": lines}).values() for line in document_lines],
    )
    return _open(actor, document, expectation, opened, lines)


def _open(
    actor: Actor, document: Document, expectation: Expectation, opened: Opened, lines: Sequence[ComparedField]
) -> Viewer:
    closed = _closed(actor, document, expectation)
    hidden = opened.page_count - len(opened.sizes)
    return Viewer(
        href=closed.href, name=closed.name, picture=True, original=closed.original, first=closed.first,
        noun=closed.noun, side=closed.side, lines=lines, is_open=True,
        sheets=_sheets(actor, document, opened), page_count=opened.page_count,
        problem=PROBLEMS.get(opened.problem, ""),
        more=f"{opened.page_count} pages; the first {len(opened.sizes)} are shown. Download it for all of them." if hidden > 0 else "",
        unread=_why_unread(opened), source=opened.reading.source,
    )  # fmt: skip


def plain_viewer_of(actor: Actor, document: Document, opened: Opened) -> Viewer:
    """The document once it was opened, compared with nothing: there is no transaction that it could differ from."""
    page, original = ADDRESSES[document.kind]
    given = [actor.business.slug, document.remote_id, document.file_id]
    hidden = opened.page_count - len(opened.sizes)
    return Viewer(
        href=reverse(page, args=given), name=document.name, picture=True, original=reverse(original, args=given),
        is_open=True, sheets=_sheets(actor, document, opened), page_count=opened.page_count,
        problem=PROBLEMS.get(opened.problem, ""), source=opened.reading.source,
        more=f"The first {len(opened.sizes)} of {opened.page_count} pages are shown. Download it for all of them." if hidden > 0 else "",
    )  # fmt: skip


def _why_unread(opened: Opened) -> str:
    if opened.reading.source == "recognised" and opened.page_count > 1:
        return f"Only the first of {opened.page_count} pages was read."
    if opened.problem or opened.reading.source:
        return ""
    return "No text was found in this document." if tesseract() else MISSING


def _sheets(actor: Actor, document: Document, opened: Opened) -> list[Sheet]:
    page, _ = ADDRESSES[document.kind]
    sheets = []
    for number, (width, height) in enumerate(opened.sizes, start=1):
        address = reverse(f"{page}_page", args=[actor.business.slug, document.remote_id, document.file_id, number])
        thumbnail, readable, enlarged = (f"{address}?width={pixels}" for pixels in limits.WIDTHS)
        high = max(1, round(limits.READABLE * height / width))
        sheets.append(Sheet(number, thumbnail, readable, enlarged, limits.READABLE, high))
    return sheets
