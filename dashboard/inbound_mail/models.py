"""Messages to bills+<business>@…, and what is attached to them: kept until somebody enters or dismisses them."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone


class MailProblem(models.TextChoices):
    """What is wrong with a message or an attachment, as the page says it; the rest of PROBLEMS is the reader's."""

    NOTHING_USABLE = "NOTHING_USABLE", "It has no PDF, picture or XML attached."
    TOO_LARGE = "TOO_LARGE", "It is larger than 25 MB and was not taken in. Ask for the bill in a smaller message."
    ENCRYPTED = "ENCRYPTED", "It is encrypted and cannot be opened here. Ask for it without encryption."
    BROKEN = "BROKEN", "It is damaged and could not be read. Ask for the bill again."
    TOO_MANY = "TOO_MANY", "It has more than 20 attachments: only the first 20 were taken in."


class ReceivedMessage(models.Model):
    """An e-mail as it was received, once per Message-ID and content. `sender` is what the message claims and proves nothing.

    `content_hash` is the SHA-256 of what the sender wrote, without what servers put on top on the way. It waits while
    `is_open`: until each attachment was entered, or somebody dismissed it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    message_id = models.CharField(max_length=255, blank=True)
    content_hash = models.CharField(max_length=64)
    sender = models.CharField(max_length=254, blank=True)
    sender_name = models.CharField(max_length=200, blank=True)
    subject = models.CharField(max_length=300, blank=True)
    problem = models.CharField(max_length=20, choices=MailProblem.choices, blank=True)
    received_at = models.DateTimeField(default=timezone.now)
    is_open = models.BooleanField(default=True)
    dismissed_by = models.CharField(max_length=254, blank=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "message_id", "content_hash"], name="message_received_once")
        ]
        indexes = [
            models.Index(fields=["business", "-received_at"], condition=Q(is_open=True), name="message_waiting"),
            models.Index(fields=["business", "-received_at"], name="message_newest"),
        ]

    def __str__(self) -> str:
        return self.subject or self.message_id


class ReceivedAttachment(models.Model):
    """A file that came with a message. `reading` is what was read from it, as readings.Reading is stored, once `read_at`;
    `file_id` is its id at the service once somebody began to enter it, `bill_id` the bill that it became."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    message = models.ForeignKey(ReceivedMessage, on_delete=models.CASCADE, related_name="attachments")
    position = models.PositiveSmallIntegerField()
    file_name = models.CharField(max_length=150)
    # Empty for XML, which no bill at the service takes as its file: the bill is filled in from it all the same.
    mime = models.CharField(max_length=40, blank=True)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()
    problem = models.CharField(max_length=20, blank=True)
    reading = models.JSONField(default=dict)
    read_at = models.DateTimeField(null=True)
    file_id = models.CharField(max_length=64, blank=True)
    bill_id = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message", "position"], name="attachment_position_once")]
        indexes = [
            models.Index(fields=["message"], condition=Q(read_at__isnull=True), name="attachment_to_read"),
            models.Index(fields=["sha256"], name="attachment_by_content"),
        ]

    def __str__(self) -> str:
        return self.file_name
