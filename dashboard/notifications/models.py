"""What people are told, in the app and by mail, and what each of them wants to be told."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone


class Notice(models.Model):
    """Something one person is told, once: `key` says what of, so that telling it again changes nothing.

    `kind` and `remote_id` name the item it is about, where there is one. `shown` in the app's list, `mail_wanted` by
    mail; `mailed_at` when that went out, or was found to be of no use any more.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey("access.Membership", on_delete=models.CASCADE, related_name="notices")
    topic = models.CharField(max_length=20)
    key = models.CharField(max_length=150)
    sentence = models.CharField(max_length=500)
    kind = models.CharField(max_length=40, blank=True)
    remote_id = models.CharField(max_length=64, blank=True)
    told_at = models.DateTimeField(default=timezone.now)
    shown = models.BooleanField(default=True)
    read_at = models.DateTimeField(null=True)
    mail_wanted = models.BooleanField(default=False)
    mailed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["membership", "key"], name="told_once")]
        indexes = [
            models.Index(fields=["membership", "-told_at", "-id"], condition=Q(shown=True), name="notices_of_person"),
            models.Index(fields=["membership"], condition=Q(shown=True, read_at=None), name="notices_unread"),
            models.Index(fields=["told_at"], condition=Q(mail_wanted=True, mailed_at=None), name="notices_to_mail"),
        ]

    def __str__(self) -> str:
        return self.sentence


class Choice(models.Model):
    """What one person has chosen for one topic; without a row the topic's own default holds."""

    membership = models.ForeignKey("access.Membership", on_delete=models.CASCADE, related_name="+")
    topic = models.CharField(max_length=20)
    in_app = models.BooleanField()
    by_mail = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["membership", "topic"], name="one_choice_per_topic")]

    def __str__(self) -> str:
        return f"{self.topic}: {'app' if self.in_app else ''} {'mail' if self.by_mail else ''}"


class Digest(models.Model):
    """When one person wants the daily mail of what waits, on the business's clock, and the last day it was seen to."""

    membership = models.OneToOneField("access.Membership", on_delete=models.CASCADE, related_name="digest")
    wanted = models.BooleanField(default=True)
    hour = models.PositiveSmallIntegerField(default=8)
    last_on = models.DateField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(hour__lt=24), name="an_hour_of_the_day")]
        indexes = [models.Index(fields=["hour"], condition=Q(wanted=True), name="digests_wanted")]

    def __str__(self) -> str:
        return f"at {self.hour}:00" if self.wanted else "not wanted"
