"""What people are told, in the app, by mail and on their devices, and what each of them wants to be told."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone


class Notice(models.Model):
    """Something one person is told, once: `key` says what of, so that telling it again changes nothing.

    `kind` and `remote_id` name the item it is about, where there is one. `shown` in the app's list, `mail_wanted` by
    mail, `push_wanted` on the person's devices; `mailed_at` and `pushed_at` when that went out, or was found to be of no
    use any more.
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
    push_wanted = models.BooleanField(default=False)
    pushed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["membership", "key"], name="told_once")]
        indexes = [
            models.Index(fields=["membership", "-told_at", "-id"], condition=Q(shown=True), name="notices_of_person"),
            models.Index(fields=["membership"], condition=Q(shown=True, read_at=None), name="notices_unread"),
            models.Index(fields=["told_at"], condition=Q(mail_wanted=True, mailed_at=None), name="notices_to_mail"),
            models.Index(fields=["told_at"], condition=Q(push_wanted=True, pushed_at=None), name="notices_to_push"),
        ]

    def __str__(self) -> str:
        return self.sentence


class TopicChoice(models.Model):
    """What one person has chosen for one topic; without a row the topic's own default holds."""

    membership = models.ForeignKey("access.Membership", on_delete=models.CASCADE, related_name="+")
    topic = models.CharField(max_length=20)
    in_app = models.BooleanField()
    by_mail = models.BooleanField()
    # None where it was chosen before there were push notifications: the topic's own default holds.
    by_push = models.BooleanField(null=True)

    class Meta:
        db_table = "notifications_choice"
        constraints = [models.UniqueConstraint(fields=["membership", "topic"], name="one_choice_per_topic")]

    def __str__(self) -> str:
        channels = (("app", self.in_app), ("mail", self.by_mail), ("push", self.by_push))
        return f"{self.topic}: {' '.join(channel for channel, chosen in channels if chosen)}"


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


class PushDevice(models.Model):
    """A browser in which one person has switched push notifications on for one business.

    `browser_hash` is of the cookie that names the browser, `endpoint_hash` of where its push service takes messages;
    `subscription_sealed` holds that address and the keys that messages are encrypted with. `session` is the one in which
    it was switched on, or its person last signed in on it: signing out ends both.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    membership = models.ForeignKey("access.Membership", on_delete=models.CASCADE, related_name="+")
    session = models.ForeignKey("usersessions.UserSession", on_delete=models.SET_NULL, null=True, related_name="+")
    browser_hash = models.CharField(max_length=64)
    endpoint_hash = models.CharField(max_length=64)
    subscription_sealed = models.BinaryField()
    host = models.CharField(max_length=253)
    label = models.CharField(max_length=80)
    added_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["membership", "endpoint_hash"], name="one_device_per_endpoint")]
        indexes = [
            models.Index(fields=["browser_hash"], name="devices_of_browser"),
            models.Index(fields=["endpoint_hash"], name="devices_of_endpoint"),
        ]

    def __str__(self) -> str:
        return self.label


class PushMessage(models.Model):
    """What the devices of one person show: a sentence without names or amounts, and the URL path that it opens.

    `key` is the inbox's name of an item that waits ("expense/…"), `kind` and `remote_id` those of any other item: asked
    again each time before it is sent. `topic` is "" where it stands for several.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    membership = models.ForeignKey("access.Membership", on_delete=models.CASCADE, related_name="+")
    topic = models.CharField(max_length=20, blank=True)
    kind = models.CharField(max_length=40, blank=True)
    remote_id = models.CharField(max_length=64, blank=True)
    text = models.CharField(max_length=200)
    path = models.CharField(max_length=300)
    composed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["membership", "composed_at"], name="messages_of_person"),
            models.Index(fields=["composed_at"], name="messages_by_age"),
        ]

    def __str__(self) -> str:
        return self.text


class PushDelivery(models.Model):
    """A message on its way to one device: gone when it has arrived, or nobody tries any more."""

    message = models.ForeignKey(PushMessage, on_delete=models.CASCADE, related_name="deliveries")
    device = models.ForeignKey(PushDevice, on_delete=models.CASCADE, related_name="+")
    due_at = models.DateTimeField(default=timezone.now)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["due_at"], name="deliveries_due")]

    def __str__(self) -> str:
        return f"{self.message_id} to {self.device_id}"


class InboxWatch(models.Model):
    """Somebody who is told of each item that comes to wait for them: what waited before they asked for it is not news."""

    membership = models.OneToOneField("access.Membership", on_delete=models.CASCADE, related_name="+")
    began_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"since {self.began_at:%Y-%m-%d %H:%M}"


class InboxWatchItem(models.Model):
    """An item that waits for whoever watches, and was seen to: `key` is its name in the inbox, "expense/…"."""

    watch = models.ForeignKey(InboxWatch, on_delete=models.CASCADE, related_name="items")
    key = models.CharField(max_length=110)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["watch", "key"], name="item_watched_once")]

    def __str__(self) -> str:
        return self.key
