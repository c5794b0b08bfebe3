"""The message rail: codes and notices to phones and mailboxes. The simulated one keeps them for GET /sandbox/messages."""

from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict

from django.conf import settings

from service import errors
from service.businesses.models import Business, Employee
from service.rails.models import Message


def send(
    business: Business,
    people: Iterable[Employee],
    channel: str,
    *,
    kind: str,
    subject_ref: str,
    text: str,
    code: str = "",
) -> int:
    """Sends a text (with its code, if any) to each person's phone or mailbox; answers to how many.

    Only the simulated rail exists here, and it keeps what it delivers: without the sandbox this is 503.
    """
    if not settings.SANDBOX:
        raise errors.unavailable("No message rail is set up.")
    rows = [
        Message(
            business=business,
            employee_id=person.id,
            channel=channel,
            address=person.phone if channel == Message.Channel.SMS else person.email,
            kind=kind,
            subject_ref=subject_ref,
            text=text,
            code=code,
        )
        for person in people
    ]
    return len(Message.objects.bulk_create(rows))


class MessageShape(TypedDict):
    """A message that was delivered; `to` is a phone number or an e-mail address."""

    _id: str
    employee_id: str
    channel: str
    to: str
    kind: str
    ref: str
    text: str
    code: str
    createdAt: datetime


def sent(business_id: str, *, limit: int = 50) -> list[MessageShape]:
    """The newest messages of a business, as GET /sandbox/messages shows them."""
    rows = Message.objects.filter(business_id=business_id).order_by("-created_at", "-id")[:limit]
    return [
        {
            "_id": row.id,
            "employee_id": row.employee_id,
            "channel": row.channel,
            "to": row.address,
            "kind": row.kind,
            "ref": row.subject_ref,
            "text": row.text,
            "code": row.code,
            "createdAt": row.created_at,
        }
        for row in rows
    ]
