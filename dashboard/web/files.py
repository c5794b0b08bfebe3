"""Files as they leave us: a stranger's bytes are saved and never shown, and what is shown was drawn by us; both sandboxed."""

import unicodedata
from urllib.parse import quote

from django.http import HttpResponse, HttpResponseBase

from dashboard.web.respond import private

# File systems take 255 bytes of a name; a browser may add " (1)" to it.
LONGEST_NAME = 200
LONGEST_ENDING = 10
NAMELESS = "document"

# Whoever opens such an answer by itself has a document without scripts, forms, frames, or an origin.
SANDBOX = "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def saved_file(content: bytes, name: str) -> HttpResponse:
    """The bytes as they were uploaded, to be saved under this name: no browser opens them on our origin."""
    response = _sandboxed(HttpResponse(content, content_type="application/octet-stream"))
    save_as(response, name)
    return response


def save_as(response: HttpResponseBase, name: str) -> None:
    """Has the answer saved as a file of this name, as far as `file_name` keeps it: in ASCII, and where it has other letters
    as it is (RFC 6266, RFC 5987)."""
    name = file_name(name)
    stem, ending = _parted(name.encode("ascii", "ignore").decode().strip())
    header = f'attachment; filename="{stem or NAMELESS}{ending}"'
    response["Content-Disposition"] = header if name.isascii() else f"{header}; filename*=UTF-8''{quote(name, safe='')}"


def file_name(name: str) -> str:
    """The letters, digits, dots, dashes and spaces of a name, at most LONGEST_NAME bytes in UTF-8, its ending kept: no
    control, no sign that a file system or a header reads otherwise, none that turns around what stands beside it."""
    plain = "".join(letter if _may_stand(letter) else " " for letter in unicodedata.normalize("NFC", name))
    stem, ending = _parted(" ".join(plain.split()).rstrip(". "))
    room = LONGEST_NAME - len(ending.encode())
    stem = stem.strip(". ").encode()[:room].decode(errors="ignore").strip()
    return f"{stem or NAMELESS}{ending}"


def _may_stand(letter: str) -> bool:
    return letter.isalnum() or letter in "._-" or unicodedata.category(letter) in {"Mn", "Mc"}


def _parted(name: str) -> tuple[str, str]:
    """A name before its ending, and the ending with its dot: "" where it has none."""
    stem, dot, ending = name.rpartition(".")
    return (stem.strip(), dot + ending) if dot and ending.isalnum() and len(ending) <= LONGEST_ENDING else (name, "")


def drawn_picture(content: bytes) -> HttpResponse:
    """A WebP that we have drawn."""
    response = _sandboxed(HttpResponse(content, content_type="image/webp"))
    response["Content-Disposition"] = 'inline; filename="page.webp"'
    return response


def _sandboxed(response: HttpResponse) -> HttpResponse:
    response["Content-Security-Policy"] = SANDBOX
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    return private(response)
