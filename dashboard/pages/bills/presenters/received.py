"""How bills that came by e-mail are shown: each message with what was read from its attachments, and what to be careful of."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import InvalidOperation
from typing import TypedDict
from uuid import UUID

from dashboard.access.actor import Actor
from dashboard.documents.bill_fields import credit_note_in, number_in
from dashboard.documents.readings import PROBLEMS, Reading
from dashboard.inbound_mail.models import ReceivedAttachment, ReceivedMessage
from dashboard.inbound_mail.selectors import bills_mail_address, messages, others_with
from dashboard.inbound_mail.services import problem_text
from dashboard.mirror.models import Bill
from dashboard.mirror.scopes import visible_bills, visible_vendors
from dashboard.money import text, to_minor
from dashboard.pages.bills.presenters.lists import BillsTab, bills_tabs
from dashboard.pages.bills.selectors.entry import Received
from dashboard.times import day_and_time
from dashboard.web.submission import new_key

MAX_MESSAGES = 100
UNTRUSTED = "A sender's address can be forged: check the bill itself and its payment details."


@dataclass(frozen=True, slots=True)
class AttachmentRow:
    """An attachment: what was read from it, what is wrong with it, what else has the same content, and its bill once it
    is entered."""

    id: UUID
    name: str
    read: str
    problem: str
    same: list[Bill]
    also: str
    bill: Bill | None
    is_entered: bool


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message: who says they sent it and what is known of that address, its subject, what is wrong with it."""

    id: UUID
    sender: str
    known: str
    subject: str
    when: str
    problem: str
    attachments: list[AttachmentRow]
    is_open: bool
    closed: str


class ReceivedContext(TypedDict):
    """What bills/received.html reads; `address` is "" where no mail is taken in, `left_out` how many are not recent."""

    parts: list[BillsTab]
    address: str
    rows: list[MessageRow]
    shows_all: bool
    left_out: int
    untrusted: str
    key: str


def received_context(actor: Actor, *, shows_all: bool) -> ReceivedContext:
    """The messages that wait, or all of the last 90 days."""
    rows = messages(actor) if shows_all else messages(actor).filter(is_open=True)
    recent = list(rows[:MAX_MESSAGES])
    return {
        "parts": bills_tabs(actor, ""),
        "address": bills_mail_address(actor),
        "rows": _message_rows(actor, recent),
        "shows_all": shows_all,
        "left_out": rows.count() - len(recent) if len(recent) == MAX_MESSAGES else 0,
        "untrusted": UNTRUSTED,
        "key": new_key(),
    }


@dataclass(frozen=True, slots=True)
class ReceivedNote:
    """What stands above the form of a bill that came by e-mail: the attachment, whom its message says it is from and of
    what, what is known of that address, and whether the attachment was entered already."""

    id: UUID
    name: str
    sender: str
    subject: str
    known: str
    untrusted: str
    is_entered: bool


def received_note(actor: Actor, received: Received | None) -> ReceivedNote | None:
    """The note about an attachment; None for none."""
    if received is None:
        return None
    attachment, message = received.attachment, received.attachment.message
    known = _sender_note(message.sender, _vendors_by_email(actor, [message.sender]))
    subject = message.subject or "without a subject"
    return ReceivedNote(
        attachment.pk, attachment.file_name, sender_text(message), subject, known, UNTRUSTED, bool(attachment.bill_id)
    )


def sender_text(message: ReceivedMessage) -> str:
    """ "Otieno & Sons <bills@otieno.example>"."""
    named = f"{message.sender_name} <{message.sender}>" if message.sender_name else message.sender
    return named or "an unknown sender"


def _sender_note(sender: str, vendors: dict[str, str]) -> str:
    name = vendors.get(sender.casefold()) if sender else None
    return f"The address of {name}." if name else "This is not the address of a known vendor."


def _vendors_by_email(actor: Actor, senders: Iterable[str]) -> dict[str, str]:
    """The names of vendors by their e-mail address in lower case, of those who are among the senders."""
    known = {sender.casefold() for sender in senders if sender}
    vendors = (
        visible_vendors(actor).filter(status="ACTIVE").exclude(email="") if known else visible_vendors(actor).none()
    )
    emails = vendors.values_list("email", "name").order_by("sort_name", "pk")
    return {email.casefold(): name for email, name in emails if email.casefold() in known}


def _message_rows(actor: Actor, recent: list[ReceivedMessage]) -> list[MessageRow]:
    attachments = [attachment for message in recent for attachment in message.attachments.all()]
    hashes = {attachment.sha256 for attachment in attachments}
    same = (
        list(visible_bills(actor).filter(file_hashes__overlap=list(hashes)).exclude(status="CANCELLED"))
        if hashes
        else []
    )
    ids = [attachment.bill_id for attachment in attachments if attachment.bill_id]
    bills = {bill.remote_id: bill for bill in visible_bills(actor).filter(remote_id__in=ids)}
    others = others_with(actor, hashes) if hashes else []
    vendors = _vendors_by_email(actor, (message.sender for message in recent))

    def row(attachment: ReceivedAttachment) -> AttachmentRow:
        subjects = [
            subject or "without a subject"
            for sha256, message_id, subject in others
            if sha256 == attachment.sha256 and message_id != attachment.message_id
        ]
        return AttachmentRow(
            id=attachment.pk,
            name=attachment.file_name,
            read=_read(attachment, actor.business.locale),
            problem=PROBLEMS.get(attachment.problem, ""),
            same=[b for b in same if attachment.sha256 in b.file_hashes and b.remote_id != attachment.bill_id],
            also=subjects[0] if subjects else "",
            bill=bills.get(attachment.bill_id),
            is_entered=bool(attachment.bill_id),
        )

    return [
        MessageRow(
            id=message.pk,
            sender=sender_text(message),
            known=_sender_note(message.sender, vendors),
            subject=message.subject or "Without a subject",
            when=day_and_time(message.received_at, actor.business),
            problem=problem_text(message.problem),
            attachments=[row(attachment) for attachment in message.attachments.all()],
            is_open=message.is_open,
            closed=_closed(message),
        )
        for message in recent
    ]


def _closed(message: ReceivedMessage) -> str:
    if message.is_open:
        return ""
    return f"Dismissed by {message.dismissed_by}" if message.dismissed_by else "Entered"


def _read(attachment: ReceivedAttachment, locale: str) -> str:
    """What was read of it in one line; a value that is not certain is for its form to say."""
    if attachment.read_at is None:
        return "Not read yet"
    reading = Reading.of(attachment.reading)
    words = [value.text for value in (reading.merchant, number_in(reading)) if value]
    words = ["Credit note", *words] if credit_note_in(reading) == "exact" else words
    amount = _amount(reading, locale)
    return " · ".join([*words, *([amount] if amount else [])]) or "Nothing could be read from it."


def _amount(reading: Reading, locale: str) -> str:
    """The total as money is printed; as it was read where its currency was not."""
    total, currency = reading.total, reading.currency
    if total is None or currency is None:
        return total.text if total else ""
    try:
        return text(to_minor(total.decimal, currency.text), currency.text, locale)
    except (ValueError, InvalidOperation):
        return f"{currency.text} {total.text}"
