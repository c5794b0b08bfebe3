"""What a body may be before anything reads it: its size, its media type, and a form that can be read."""

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParserError

from service import errors
from service.inputs import whole_number

BODY_LIMIT = 1024 * 1024
# A file of 10 MB, and what the form around it takes.
UPLOAD_LIMIT = 10 * 1024 * 1024 + 64 * 1024


def check_form(request: HttpRequest) -> None:
    """400 malformed_request for a form that cannot be read, before anything asks for its fields."""
    try:
        _ = request.FILES
    except (MultiPartParserError, SuspiciousOperation, UnreadablePostError):
        raise errors.malformed_request("The body is no form that can be read.") from None


def check_body(request: HttpRequest, *, limit_bytes: int = BODY_LIMIT, media_type: str = "application/json") -> None:
    """413 for a body over the limit, 415 for one of another media type; before anything reads it."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    length_bytes = whole_number(length, limit_bytes)
    if length_bytes is None and any(character.isdecimal() for character in length):
        # Beyond the limit, however many digits say so. What holds no digit Django reads as no body.
        raise errors.file_too_large(limit_bytes)
    if not length_bytes:
        return
    if request.method not in ("GET", "HEAD") and request.content_type != media_type:
        raise errors.unsupported_media_type(media_type)
