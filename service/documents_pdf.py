"""PDF files that would do something by themselves: refused, never cleaned, so that what is kept is what was sent.

Refused are scripts, actions that run when a file or page is opened, programs that are launched, forms that send
themselves, media players, and encryption. Attached files are no harm by themselves (an electronic invoice carries its
XML so), and neither are ordinary links.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any

from service.documents_archives import Hostile

if TYPE_CHECKING:
    from pypdf import PdfReader

MOST_OBJECTS = 50_000
DEEPEST = 40
# Actions (ISO 32000-2, 12.6.4) that reach outside the page, and annotations that play something.
ACTIONS = frozenset(
    {
        "/JavaScript", "/Launch", "/SubmitForm", "/ImportData", "/ResetForm", "/Rendition", "/Movie", "/Sound",
        "/RichMediaExecute", "/GoToE", "/GoToR", "/Hide", "/Trans", "/SetOCGState",
    }
)  # fmt: skip
PLAYERS = frozenset({"/RichMedia", "/Screen", "/Movie", "/Sound", "/3D"})


def check(content: bytes) -> None:
    """Raises Hostile, with a sentence for the sender, for a PDF that does something by itself or cannot be read."""
    # Loaded by the first PDF: an eighth of what a web process takes to load without it.
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        _check_objects(PdfReader(BytesIO(content), strict=False))
    except Hostile:
        raise
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, MemoryError):
        # Whatever a broken file makes the reader stumble over: what cannot be read cannot be checked.
        raise Hostile("The PDF cannot be read to its end.") from None


def _check_objects(reader: PdfReader) -> None:
    if reader.is_encrypted:
        raise Hostile("An encrypted file cannot be read by those who check it.")
    for dictionary in _dictionaries(reader):
        _check_dictionary(dictionary)


def _check_dictionary(dictionary: dict[Any, Any]) -> None:
    if "/JS" in dictionary or "/JavaScript" in dictionary or dictionary.get("/S") == "/JavaScript":
        raise Hostile("A PDF with a script is not taken.")
    if dictionary.get("/S") in ACTIONS and dictionary.get("/Type", "/Action") == "/Action":
        raise Hostile("A PDF that runs something is not taken.")
    if "/AA" in dictionary:
        raise Hostile("A PDF that runs something when it is opened is not taken.")
    opens = _resolved(dictionary.get("/OpenAction"))
    # A place in the file to begin at, as every word processor writes it, is no action.
    if isinstance(opens, dict) and opens.get("/S") != "/GoTo":
        raise Hostile("A PDF that runs something when it is opened is not taken.")
    if dictionary.get("/Subtype") in PLAYERS and dictionary.get("/Type", "/Annot") == "/Annot":
        raise Hostile("A PDF that plays something is not taken.")
    if "/XFA" in dictionary:
        raise Hostile("A PDF with an XFA form is not taken.")


def _dictionaries(reader: PdfReader) -> Iterator[dict[Any, Any]]:
    """Every dictionary that the file's objects hold, those that nothing refers to included."""
    from pypdf.generic import IndirectObject

    numbers = {(number, generation) for generation, known in reader.xref.items() for number in known}
    numbers |= {(number, 0) for number in reader.xref_objStm}
    if len(numbers) > MOST_OBJECTS:
        raise Hostile(f"A PDF of more than {MOST_OBJECTS:,} objects is not taken.")
    yield from _within(reader.trailer, 0)
    for number, generation in sorted(numbers):
        yield from _within(reader.get_object(IndirectObject(number, generation, reader)), 0)


def _within(value: Any, depth: int) -> Iterator[dict[Any, Any]]:
    if depth > DEEPEST:
        raise Hostile("The PDF is nested too deeply.")
    if isinstance(value, dict):
        yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        # What is referred to is an object of its own, and comes by itself; all else holds nothing.
        if isinstance(part, dict | list):
            yield from _within(part, depth + 1)


def _resolved(value: Any) -> Any:
    from pypdf.generic import IndirectObject

    return value.get_object() if isinstance(value, IndirectObject) else value
