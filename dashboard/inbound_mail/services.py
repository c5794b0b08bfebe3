"""Taking messages in, reading their attachments, and closing them. Nothing is entered here: a person does that."""

import re
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.documents.opening import opened
from dashboard.enqueue import enqueue_on_commit
from dashboard.inbound_mail.models import MailProblem, ReceivedAttachment, ReceivedMessage
from dashboard.inbound_mail.parsing import LARGEST_ATTACHMENT_BYTES, LARGEST_MESSAGE_BYTES, Parsed, parse
from dashboard.notifications.bills import notify_of_received

READ = "dashboard.inbound_mail.read_waiting"
RETENTION = timedelta(days=90)
LOCAL_PART = re.compile(r"bills\+([a-z0-9-]{1,60})")


def receive(raw: bytes, envelope_to: str = "", *, is_whole: bool = True) -> bool:
    """Takes a message in for each business that it was sent to, once; False where it was sent to none.

    `envelope_to` is the recipient that the provider names, which a blind copy does not say itself.
    """
    parsed = parse(raw, is_whole=is_whole)
    businesses = _addressed((envelope_to.casefold(),) if envelope_to else parsed.recipients)
    for business in businesses:
        _store(business, parsed)
    return bool(businesses)


def _addressed(recipients: tuple[str, ...]) -> list[Business]:
    """The businesses whose address is among these: bills+<business> at our domain."""
    slugs = []
    for recipient in recipients:
        local, _, domain = recipient.strip("<> ").rpartition("@")
        match = LOCAL_PART.fullmatch(local)
        if match and domain == settings.INBOUND_MAIL_DOMAIN.casefold():
            slugs.append(match[1])
    return list(Business.objects.filter(slug__in=slugs, service_account__isnull=False).order_by("pk"))


@transaction.atomic
def _store(business: Business, parsed_mail: Parsed) -> None:
    message, created = ReceivedMessage.objects.get_or_create(
        business=business, message_id=parsed_mail.message_id, content_hash=parsed_mail.content_hash,
        defaults={
            "sender": parsed_mail.sender, "sender_name": parsed_mail.sender_name, "subject": parsed_mail.subject,
            "problem": parsed_mail.problem,
        },
    )  # fmt: skip
    if not created:
        return
    for position, attached in enumerate(parsed_mail.attachments):
        is_too_large = len(attached.content) > LARGEST_ATTACHMENT_BYTES
        ReceivedAttachment.objects.create(
            message=message,
            position=position,
            file_name=attached.file_name,
            mime=attached.mime,
            size=len(attached.content),
            sha256=attached.sha256,
            content=attached.content,
            problem="bytes" if is_too_large else "",
            read_at=timezone.now() if is_too_large else None,
        )
    notify_of_received(business, message.pk, parsed_mail.sender, len(parsed_mail.attachments))
    if parsed_mail.attachments:
        enqueue_on_commit(READ, expires_s=60)


def read_mailbox() -> int:
    """Takes in what lies in the mailbox folder as .eml files; how many. Each is moved aside: `received`, or `undelivered` where
    it is for nobody here."""
    count = 0
    for path in mailbox_files():
        with path.open("rb") as file:
            raw = file.read(LARGEST_MESSAGE_BYTES + 1)
        is_delivered = receive(raw, is_whole=len(raw) <= LARGEST_MESSAGE_BYTES)
        aside = path.parent / ("received" if is_delivered else "undelivered")
        aside.mkdir(exist_ok=True)
        path.replace(aside / path.name)
        count += 1
    return count


def mailbox_files() -> list[Path]:
    """The messages in the mailbox folder, in the order of their names; none where no folder is named."""
    folder = Path(settings.INBOUND_MAIL_FOLDER) if settings.INBOUND_MAIL_FOLDER else None
    return sorted(folder.glob("*.eml")) if folder and folder.is_dir() else []


def has_mail() -> bool:
    """Whether the mailbox folder holds a message."""
    return bool(mailbox_files())


def has_unread() -> bool:
    """Whether an attachment waits to be read."""
    return ReceivedAttachment.objects.filter(read_at__isnull=True).exists()


def read_waiting(most: int = 20) -> int:
    """Reads attachments that were not read yet, a file once however many workers come; how many."""
    count = 0
    while count < most and _read_next():
        count += 1
    return count


@transaction.atomic
def _read_next() -> bool:
    rows = ReceivedAttachment.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
    row = rows.filter(read_at__isnull=True).order_by("message__received_at", "position").first()
    if row is None:
        return False
    document = opened(bytes(row.content))
    if document.problem == "busy":
        return False  # it waits; what is too costly to open is written down, so that nothing waits behind it
    row.problem, row.reading, row.read_at = document.problem, asdict(document.reading), timezone.now()
    if not row.mime:
        # XML has no pages to be shown, which is nothing wrong with it; what calls itself a PDF and is none is broken.
        row.problem = "" if document.kind == "xml" else "broken"
    row.save(update_fields=["problem", "reading", "read_at"])
    return True


def remember_file(attachment: ReceivedAttachment, file_id: str) -> None:
    """Stores the id under which the service has the file, so that it is uploaded once however often it is opened."""
    ReceivedAttachment.objects.filter(pk=attachment.pk, file_id="").update(file_id=file_id)


@transaction.atomic
def mark_entered(attachment: ReceivedAttachment, bill_id: str) -> None:
    """Writes down which bill an attachment became; once all of them are, their message waits no more."""
    message = ReceivedMessage.objects.select_for_update(no_key=True, of=("self",)).get(pk=attachment.message_id)
    ReceivedAttachment.objects.filter(pk=attachment.pk, bill_id="").update(bill_id=bill_id)
    if not message.attachments.filter(bill_id="").exists():
        message.is_open, message.closed_at = False, timezone.now()
        message.save(update_fields=["is_open", "closed_at"])


@transaction.atomic
def dismiss_message(actor: Actor, message: ReceivedMessage) -> None:
    """Takes a message off the list without a bill of what is not entered yet, and writes into the audit who did."""
    locked = ReceivedMessage.objects.select_for_update(no_key=True, of=("self",)).get(pk=message.pk)
    if not locked.is_open:
        return
    locked.is_open, locked.closed_at, locked.dismissed_by = False, timezone.now(), actor.name[:254]
    locked.save(update_fields=["is_open", "closed_at", "dismissed_by"])
    sentence = f"dismissed the email “{message.subject[:200]}” of {message.sender or 'an unknown sender'}"
    record(actor, operations_payables.CREATE_BILL, None, Outcome.NOTED, sentence=sentence)


def forget_old() -> int:
    """Deletes messages that were entered or dismissed 90 days ago, with their attachments; how many."""
    closed = ReceivedMessage.objects.filter(is_open=False, closed_at__lt=timezone.now() - RETENTION)
    return closed.delete()[1].get("inbound_mail.ReceivedMessage", 0)


def problem_text(code: str) -> str:
    """What is wrong with a message, as the page says it."""
    return str(MailProblem(code).label) if code else ""
