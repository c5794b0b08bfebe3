"""What is read of received messages: those of the actor's business."""

from uuid import UUID

from django.conf import settings
from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404

from dashboard.access.actor import Actor
from dashboard.inbound_mail.models import ReceivedAttachment, ReceivedMessage


def bills_mail_address(actor: Actor) -> str:
    """Where bills of the business are sent to by e-mail; "" where no mail is taken in."""
    domain = settings.INBOUND_MAIL_DOMAIN
    has_mailbox = domain and (settings.INBOUND_MAIL_SECRETS or settings.INBOUND_MAIL_FOLDER)
    return f"bills+{actor.business.slug}@{domain}" if has_mailbox else ""


def messages(actor: Actor) -> QuerySet[ReceivedMessage]:
    """Those of the business with their attachments, the newest first; the bytes of files are not loaded."""
    attachments = ReceivedAttachment.objects.defer("content").order_by("position")
    rows = ReceivedMessage.objects.filter(business=actor.business).order_by("-received_at", "pk")
    return rows.prefetch_related(Prefetch("attachments", queryset=attachments))


def get_message(actor: Actor, message_id: UUID) -> ReceivedMessage:
    """One of the business; Http404 for any other."""
    message: ReceivedMessage = get_object_or_404(messages(actor), pk=message_id)
    return message


def get_attachment(actor: Actor, attachment_id: UUID) -> ReceivedAttachment:
    """One that was sent to the business; Http404 for any other."""
    rows = ReceivedAttachment.objects.select_related("message")
    attachment: ReceivedAttachment = get_object_or_404(rows, pk=attachment_id, message__business_id=actor.business.pk)
    return attachment


def others_with(actor: Actor, hashes: set[str]) -> list[tuple[str, UUID, str]]:
    """Each attachment with one of these contents: its SHA-256, its message, and the subject of that."""
    rows = ReceivedAttachment.objects.filter(message__business=actor.business, sha256__in=hashes)
    return list(rows.order_by("message__received_at").values_list("sha256", "message_id", "message__subject"))
