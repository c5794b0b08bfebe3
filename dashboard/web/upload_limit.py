"""Files that are too large are refused before they are read, and no file is stored past its limit.

A form that declares more bytes than its view takes is answered without a look at its body: 413, by the view itself in
words at its control where it declares that (`limits_upload`), by a page in our words elsewhere. Within a form, a file is
cut once it is larger than any file may be: what is read and dropped of it is little, else reading stops there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.utils.datastructures import MultiValueDict

from dashboard.access.converters import AddressParts
from dashboard.inputs import whole_number
from dashboard.web.errors import refusal_response
from dashboard.web.upload_fields import LARGEST_BYTES, MOST_FILES

MULTIPART = "multipart/form-data"
# What a form holds beside its files: fields, and what separates them.
FIELDS_BYTES = 1024 * 1024
SINGLE_FILE_BYTES = LARGEST_BYTES + FIELDS_BYTES
SEVERAL_FILES_BYTES = MOST_FILES * LARGEST_BYTES + FIELDS_BYTES
# So much of a form that holds too large a file is read on, for the fields behind it.
READ_ON_BYTES = 4 * 1024 * 1024
TOO_LARGE = "The upload is too large: a file may have 10 MB. Nothing was sent."
NO_LENGTH = "The upload did not say how large it is. Nothing was sent."
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def limits_upload(most_bytes: int) -> Callable[[View], View]:
    """Marks a view whose form may have so many bytes, and which answers one that is too large itself.

    It asks `is_too_large` before anything else: the fields of such a form were not read, nor was its CSRF token, since
    nothing is done with it.
    """

    def mark(view: View) -> View:
        view.most_upload_bytes = most_bytes  # type: ignore[attr-defined]
        return view

    return mark


def is_too_large(request: HttpRequest) -> bool:
    """Whether the form was refused unread."""
    return getattr(request, "upload_refused", False)


def files_cut(request: HttpRequest) -> list[str]:
    """The names of files that were too large and at which reading stopped: they are not among the request's files."""
    names: list[str] = getattr(request, "files_cut", [])
    return names


class UploadLimit:
    """Stands before everything that reads a form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: AddressParts
    ) -> HttpResponse | None:
        """The refusal where the view does not answer itself; None lets the form through, or an empty one in its place."""
        if request.method != "POST" or request.content_type != MULTIPART:
            return None
        if "CONTENT_LENGTH" not in request.META or not request.META["CONTENT_LENGTH"]:
            return refusal_response(request, 411, NO_LENGTH)
        most = getattr(view, "most_upload_bytes", 0)
        if whole_number(request.META["CONTENT_LENGTH"], most or SINGLE_FILE_BYTES) is not None:
            return None
        _leave_unread(request)
        if not most:
            return refusal_response(request, 413, TOO_LARGE)
        request.upload_refused = True  # type: ignore[attr-defined]
        # Its token is in the body; the view only says that it was refused.
        request.csrf_processing_done = True  # type: ignore[attr-defined]
        return None


def _leave_unread(request: HttpRequest) -> None:
    request._post = QueryDict()  # type: ignore[attr-defined]
    request._files = MultiValueDict()  # type: ignore[attr-defined]


class LimitedUpload(FileUploadHandler):
    """Cuts each file at its limit: the first of FILE_UPLOAD_HANDLERS.

    A cut file is a little larger than a file may be, so that whoever looks at its size refuses it.
    """

    received = 0

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803 - the name that Django calls it by
        content_length: int,
        boundary: Any,
        encoding: Any = None,
    ) -> None:
        """Notes how long the form is."""
        self.left = content_length

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begins to count the bytes of a file anew."""
        super().new_file(*args, **kwargs)
        self.received = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """The chunk, or None beyond the limit; stops reading where much would still come."""
        self.left -= len(raw_data)
        if self.received > LARGEST_BYTES:
            if self.left > READ_ON_BYTES:
                self._stop()
            return None
        self.received += len(raw_data)
        return raw_data

    def file_complete(self, file_size: int) -> UploadedFile[Any] | None:
        """The next handler has the file."""
        return None

    def _stop(self) -> NoReturn:
        request = self.request
        assert request is not None
        request.files_cut = [*files_cut(request), self.file_name or "document"]  # type: ignore[attr-defined]
        raise StopUpload(connection_reset=True)
