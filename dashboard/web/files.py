"""Files as they leave us: a stranger's bytes are saved and never shown, and what is shown was drawn by us; both sandboxed."""

from django.http import HttpResponse

from dashboard.web.respond import private

# Whoever opens such an answer by itself has a document without scripts, forms, frames, or an origin.
SANDBOX = "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def saved_file(content: bytes, name: str) -> HttpResponse:
    """The bytes as they were uploaded, to be saved under this name: no browser opens them on our origin."""
    response = _sandboxed(HttpResponse(content, content_type="application/octet-stream"))
    quoted = "".join(letter for letter in name if letter.isalnum() or letter in "._- ") or "document"
    ascii_name = quoted.encode("ascii", "ignore").decode().strip() or "document"
    response["Content-Disposition"] = f'attachment; filename="{ascii_name}"'
    return response


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
