"""Several files of a form, sent on one by one, each with what became of it: as a page and as JSON for the page's script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse

from dashboard.client.multipart import Upload
from dashboard.errors import FAILED, NotFound, TooMany, Unavailable, Unknown
from dashboard.web import upload_fields, upload_limit
from dashboard.web.form_outcome import SubmissionState, with_outcome
from dashboard.web.respond import json_to_print
from dashboard.web.upload_limit import files_cut, is_too_large

LONGEST_NAME = 120
# What became of a file. UNKNOWN: it was sent, and no answer came.
ADDED, REFUSED, UNKNOWN, NOT_SENT = "added", "refused", "unknown", "not_sent"
IN_DOUBT = "No answer came: it is not known yet whether it was added. Send the same file again: it is kept once."
AFTER_OUTAGE = "Not sent, because the one before it was not answered. Send it again."
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class AddedFile:
    """What became of one file of a form: its name, its state (ADDED and so on), and a sentence where it was not added.

    `status` is the HTTP status that says so.
    """

    name: str
    state: str
    sentence: str = ""
    status: int = 200


def files_refused(request: HttpRequest, form: forms.BaseForm, field: str) -> list[AddedFile]:
    """Why nothing of a form is sent: it was too large to be read, a file of it was cut, or `field` is refused; else []."""
    if is_too_large(request):
        return [AddedFile("", REFUSED, upload_limit.TOO_LARGE, 413)]
    if names := files_cut(request):
        return [
            AddedFile(name[-LONGEST_NAME:], REFUSED, f"{upload_fields.TOO_LARGE} Nothing was sent.", 413)
            for name in names
        ]
    if form.is_valid():
        return []
    problem = " ".join(str(error) for error in form.errors.get(field, []))
    return [AddedFile("", REFUSED, f"{problem} Nothing was sent.".strip(), 422)]


def send_files(
    files: Sequence[UploadedFile[Any]],
    media_type_of: Callable[[UploadedFile[Any]], str],
    send: Callable[[Upload], object],
) -> list[AddedFile]:
    """Sends the files one by one; each ends by itself, but none is sent after one that was not answered.

    `media_type_of` raises ValidationError for a file that is not sent; `send` the FinanceError tree. Raises NotAllowed,
    before anything is sent.
    """
    results: list[AddedFile] = []
    for file in files:
        if results and results[-1].state in {UNKNOWN, NOT_SENT}:
            results.append(AddedFile(name_of(file), NOT_SENT, AFTER_OUTAGE, 503))
        else:
            results.append(_send_file(file, media_type_of, send))
    return results


def name_of(file: UploadedFile[Any]) -> str:
    """The name of a file, shortened from the left."""
    return (file.name or "document")[-LONGEST_NAME:]


def _send_file(
    file: UploadedFile[Any], media_type_of: Callable[[UploadedFile[Any]], str], send: Callable[[Upload], object]
) -> AddedFile:
    name = name_of(file)
    try:
        upload = Upload(name, media_type_of(file), file.read())
    except forms.ValidationError as refused:
        status = 413 if refused.code == "too_large" else 422
        return AddedFile(name, REFUSED, f"{refused.message} It was not sent.", status)
    try:
        send(upload)
    except Unknown as doubt:
        return AddedFile(name, UNKNOWN, IN_DOUBT, doubt.status)
    except NotFound as gone:
        return AddedFile(name, REFUSED, gone.user_message, gone.status)
    except FAILED as trouble:
        if trouble.changed:
            return AddedFile(name, ADDED)
        outage = isinstance(trouble, Unavailable | TooMany)
        return AddedFile(name, NOT_SENT if outage else REFUSED, trouble.user_message, trouble.status)
    return AddedFile(name, ADDED)


def accepts_json(request: HttpRequest) -> bool:
    """Whether the page's own script asks (static/js/uploads.js)."""
    return request.headers.get("Accept") == JSON


def files_as_json(added: Sequence[AddedFile], noun: str) -> HttpResponse:
    """{"files": [{"name", "state", "sentence"}]}, under the status of the worst of them."""
    files = [{"name": file.name, "state": file.state, "sentence": file.sentence} for file in added]
    response = json_to_print({"files": files}, status=max(file.status for file in added))
    return with_outcome(response, *outcome_of_files(added, noun))


def outcome_of_files(added: Sequence[AddedFile], noun: str) -> tuple[str, SubmissionState]:
    """How the form ended: with one file in doubt, or one added among others that were not, nobody says "refused"."""
    sentence = " ".join(f"{file.name}: {file.sentence}".removeprefix(": ") for file in added if file.sentence)
    states = {file.state for file in added}
    if UNKNOWN in states:
        return sentence, SubmissionState.UNKNOWN
    return sentence or files_added(
        len(added), noun
    ), SubmissionState.ANSWERED if ADDED in states else SubmissionState.REFUSED


def files_added(count: int, noun: str) -> str:
    """What was added, as a sentence: "Receipt added.", "3 receipts added."."""
    return f"{noun.capitalize()} added." if count == 1 else f"{count} {noun}s added."
