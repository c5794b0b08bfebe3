"""A document as it is shown: opened once per content, its pages drawn once per width, both kept by the content's hash."""

import json
from dataclasses import replace

from dashboard.documents import cache, limits
from dashboard.documents.process import draw_page, open_document
from dashboard.documents.readings import READER, Opened
from dashboard.documents.recognition import recognise, tesseract

# What says nothing of the file is asked again the next time.
PASSING = frozenset({"busy", "costly"})


def opened(content: bytes) -> Opened:
    """What the document is and says; never raises for what it holds."""
    hashed = cache.digest(content)
    return replace(_opened(content, hashed), content_hash=hashed, reader=reader_version())


def reader_version() -> str:
    """The version of what reads documents here: with Tesseract it reads more."""
    return f"{READER}+tesseract" if tesseract() else READER


def _opened(content: bytes, hashed: str) -> Opened:
    name = cache.digest("opened", READER, hashed, str(bool(tesseract())))
    stored = cache.load(name)
    if stored is not None:
        return Opened.of(json.loads(stored))
    answer = open_document(content)
    document = answer.opened
    if answer.picture:
        cache.store(_page_name(hashed, 1, limits.READABLE, 0), answer.picture)
    if not document.problem and not document.reading.source:
        document = replace(document, reading=replace(recognise(content), unread=document.reading.unread))
    if document.problem not in PASSING:
        cache.store(name, json.dumps(document.as_data()).encode())
    return document


def page_picture(content: bytes, page: int, width: int, turns: int) -> tuple[bytes, str]:
    """Page `page` (from 1) as WebP in one of `limits.WIDTHS`, turned by quarters; b"" and a key of PROBLEMS where it
    cannot be drawn."""
    name = _page_name(cache.digest(content), page, width, turns)
    stored = cache.load(name)
    if stored is not None:
        return stored, ""
    answer = draw_page(content, page, width, turns)
    if answer.picture:
        cache.store(name, answer.picture)
    return answer.picture, answer.opened.problem


def _page_name(hashed: str, page: int, width: int, turns: int) -> str:
    return cache.digest("page", READER, hashed, f"{page} {width} {turns}")
