"""A file on its way to the service, as a form of one field and what else it names. Its bytes pass through: what is stored and logged of them is
their name, size and digest."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypedDict

from urllib3.filepost import encode_multipart_formdata

FIELD = "file"


class UploadDescription(TypedDict):
    """What the outbox and the audit keep of a file; `size` is in bytes, `sha256` in hexadecimal."""

    file_name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Upload:
    """A file: its name, its media type, its bytes; `fields` are the other fields of the form, such as what it belongs to."""

    file_name: str
    mime: str
    content: bytes = field(repr=False)
    fields: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def sha256(self) -> str:
        """The digest of the bytes, in hexadecimal: the same file is known by it under any name."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def description(self) -> UploadDescription:
        """Its name, size and digest."""
        return {"file_name": self.file_name, "size": len(self.content), "sha256": self.sha256}

    def encode(self) -> tuple[bytes, str]:
        """The body and its Content-Type, the same bytes for the same file: sent again it is the same request."""
        parts: dict[str, str | bytes | tuple[str, str | bytes, str]] = dict(self.fields)
        parts[FIELD] = (self.file_name, self.content, self.mime)
        return encode_multipart_formdata(parts, boundary=f"countersign-{self.sha256}")
