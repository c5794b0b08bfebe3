"""A raw MIME message taken apart: who says they sent it, to which business, and what is attached. Nothing in it is believed.

Whatever a stranger sends, an answer comes back: what cannot be read is BROKEN, and nothing is raised.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage, Message
from email.parser import BytesHeaderParser, BytesParser
from email.utils import getaddresses, parseaddr

from dashboard.inbound_mail.models import MailProblem

LARGEST_MESSAGE_BYTES = 25 * 1024 * 1024
LARGEST_ATTACHMENT_BYTES = 10 * 1024 * 1024
# What of a message that is too large is read, for its sender and subject.
HEAD_BYTES = 64 * 1024
MOST_ATTACHMENTS = 20
# A picture within the text that is smaller is a logo.
SMALLEST_INLINE_BYTES = 20 * 1024
# What a file of a bill can be, by how its bytes begin.
FILE_TYPES = {b"%PDF-": "application/pdf", b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
RECIPIENTS = ("delivered-to", "x-original-to", "envelope-to", "to", "cc")
ENCRYPTED_TYPES = {"application/pkcs7-mime", "application/x-pkcs7-mime", "multipart/encrypted"}
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")


@dataclass(frozen=True, slots=True)
class Attached:
    """A usable attachment; `mime` is "" for XML."""

    file_name: str
    mime: str
    content: bytes = field(repr=False)

    @property
    def sha256(self) -> str:
        """Of its bytes, in hexadecimal."""
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class Parsed:
    """A message: what its head says, the addresses it went to, its attachments, and what is wrong with it, "" for nothing."""

    message_id: str
    content_hash: str
    sender: str
    sender_name: str
    subject: str
    recipients: tuple[str, ...]
    attachments: tuple[Attached, ...] = ()
    problem: str = ""


def parse(raw: bytes, *, is_whole: bool = True) -> Parsed:
    """The message; `is_whole` False for the beginning of one that is too large, of which the head alone is read."""
    if not is_whole:
        return _of_head(raw[:HEAD_BYTES], MailProblem.TOO_LARGE)
    try:
        message = BytesParser(policy=policy.default).parsebytes(raw)
        attachments, problem = _attachments_of(message)
    except Exception:  # the email package raises whatever it stumbles over, RecursionError among it
        return _of_head(raw, MailProblem.BROKEN)
    return _of_head(raw, problem, attachments)


def _of_head(raw: bytes, problem: str, attachments: tuple[Attached, ...] = ()) -> Parsed:
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    try:
        message: Message = BytesHeaderParser(policy=policy.default).parsebytes(head)
    except Exception:  # as above: then nothing is known of its head
        message = EmailMessage()
    name, sender = parseaddr(_header(message, "from"))
    message_id, subject = _header(message, "message-id")[:255], _header(message, "subject")[:300]
    written = "\0".join((message_id, _header(message, "from"), subject, _header(message, "date"))).encode()
    addresses = [text for header in RECIPIENTS for text in _headers(message, header)]
    return Parsed(
        message_id=message_id,
        content_hash=hashlib.sha256(written + b"\0" + body).hexdigest(),
        sender=sender[:254],
        sender_name=name[:200],
        subject=subject,
        recipients=tuple(dict.fromkeys(address.casefold() for _, address in getaddresses(addresses) if address)),
        attachments=attachments,
        problem=problem,
    )


def _headers(message: Message, name: str) -> list[str]:
    try:
        return [printable(str(value)) for value in message.get_all(name, [])]
    except Exception:  # a header that cannot be parsed says nothing
        return []


def _header(message: Message, name: str) -> str:
    return next(iter(_headers(message, name)), "")


def printable(text: str) -> str:
    """The text in one line, without control characters and without what would turn the reading direction."""
    return UNPRINTABLE.sub(" ", text).strip()


def _attachments_of(message: EmailMessage) -> tuple[tuple[Attached, ...], str]:
    """The usable attachments, and what is wrong with the message."""
    usable: list[Attached] = []
    inline: list[Attached] = []
    for section in message.walk():
        if section.get_content_type() in ENCRYPTED_TYPES and section.get_param("smime-type") != "signed-data":
            return (), MailProblem.ENCRYPTED
    for part, content in _files_of(message):
        attached = _attached(part, content)
        if attached is not None:
            is_logo = attached.mime.startswith("image/") and bool(part.get("content-id"))
            (inline if is_logo else usable).append(attached)
    usable = usable or [image for image in inline if len(image.content) >= SMALLEST_INLINE_BYTES]
    if not usable:
        return (), MailProblem.NOTHING_USABLE
    distinct = list({file.sha256: file for file in usable}.values())
    return tuple(distinct[:MOST_ATTACHMENTS]), MailProblem.TOO_MANY if len(distinct) > MOST_ATTACHMENTS else ""


def _files_of(message: EmailMessage) -> Iterator[tuple[Message, bytes]]:
    for part in message.walk():
        if part.is_multipart():
            continue
        content = part.get_payload(decode=True)
        if isinstance(content, bytes) and content:
            yield part, content


def _attached(part: Message, content: bytes) -> Attached | None:
    """The part, where it is a PDF, a PNG, a JPEG or XML by what it holds; None for all others, such as the text."""
    name = printable((part.get_filename() or "").replace("/", " ").replace("\\", " "))[:150]
    mime = next((mime for magic, mime in FILE_TYPES.items() if content.startswith(magic)), "")
    if mime:
        return Attached(name or f"attachment.{mime.rpartition('/')[2]}", mime, content)
    is_xml = part.get_content_type() in {"application/xml", "text/xml"} or name.casefold().endswith(".xml")
    if is_xml and content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return Attached(name or "attachment.xml", "", content)
    if part.get_content_type() == "application/pdf" or name.casefold().endswith(".pdf"):
        # It calls itself a PDF and is none: shown with what is wrong, rather than left out in silence.
        return Attached(name or "attachment.pdf", "", content)
    return None
