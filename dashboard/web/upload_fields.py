"""Fields for several files, and what a file is by how its bytes begin: receipts, and documents of the seven formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

MOST_FILES = 10
LARGEST_BYTES = 10 * 1024 * 1024
TOO_LARGE = "The file is larger than 10 MB."
RECEIPTS_ACCEPTED = ".png,.jpg,.jpeg,.pdf,image/png,image/jpeg,application/pdf"
DOCUMENTS_ACCEPTED = f"{RECEIPTS_ACCEPTED},.xls,.xlsx,.docx,.csv,text/csv"
# What a receipt can be, by how its bytes begin.
RECEIPT_TYPES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"%PDF-": "application/pdf"}
# Office files say by their name which kind they are: the old ones begin alike, the new ones are archives.
OLD_OFFICE, ARCHIVE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"PK\x03\x04"
OFFICE_TYPES: Mapping[tuple[bytes, str], str] = {
    (OLD_OFFICE, ".xls"): "application/vnd.ms-excel",
    (ARCHIVE, ".xlsx"): "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    (ARCHIVE, ".docx"): "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
CSV, CSV_TYPE = ".csv", "text/csv"
SNIFFED_BYTES = 4096


class SeveralFiles(forms.FileInput):
    """A field for several files; a phone offers its camera for the pictures among them."""

    allow_multiple_selected = True


class SeveralFilesField(forms.FileField):
    """Files: cleaned, a list of them, empty and large ones among them (the media type says what each is)."""

    default_error_messages = {"required": "Choose a file.", "many": f"At most {MOST_FILES} files at a time."}

    def __init__(self, *, accept: str, **options: Any) -> None:
        super().__init__(widget=SeveralFiles(attrs={"multiple": True, "accept": accept}), **options)

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        """The files; ValidationError for none, and for more than MOST_FILES."""
        files = [file for file in (data if isinstance(data, list) else [data]) if file is not None]
        if not files:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        if len(files) > MOST_FILES:
            raise forms.ValidationError(self.error_messages["many"], code="many")
        return files


def receipt_type(file: UploadedFile[Any]) -> str:
    """The media type of a receipt by what it holds; ValidationError, as a sentence, for what is none."""
    begins = _beginning(file)
    if not (media_type := _picture_type(begins)):
        raise forms.ValidationError("The content is not a PDF, PNG or JPEG, whatever the name says.", code="type")
    return media_type


def document_type(file: UploadedFile[Any]) -> str:
    """The media type of a document of the seven formats by what it holds, and among office files by its name;
    ValidationError, as a sentence, for what is none."""
    begins, name = _beginning(file), (file.name or "").lower()
    media_type = _picture_type(begins) or next(
        (mime for (magic, ending), mime in OFFICE_TYPES.items() if begins.startswith(magic) and name.endswith(ending)),
        "",
    )
    if not media_type and name.endswith(CSV) and _is_text(begins):
        media_type = CSV_TYPE
    if not media_type:
        raise forms.ValidationError("The content is not a PDF, PNG, JPEG, XLS, XLSX, DOCX or CSV.", code="type")
    return media_type


def _beginning(file: UploadedFile[Any]) -> bytes:
    if not file.size:
        raise forms.ValidationError("The file is empty.", code="empty")
    if file.size > LARGEST_BYTES:
        raise forms.ValidationError(TOO_LARGE, code="too_large")
    file.seek(0)
    begins = bytes(file.read(SNIFFED_BYTES))
    file.seek(0)
    return begins


def _picture_type(begins: bytes) -> str:
    return next((mime for magic, mime in RECEIPT_TYPES.items() if begins.startswith(magic)), "")


def _is_text(begins: bytes) -> bool:
    # What was cut in the middle of a letter is text all the same.
    text = begins.decode("utf-8", errors="ignore")
    return bool(text.strip()) and "\0" not in text and len(text.encode()) >= len(begins) - 3
