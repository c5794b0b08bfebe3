"""What comes in when somebody chooses what they are notified of, and how, and when they turn a device on."""

import base64
import binascii
import re
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from dashboard.access.models import Membership
from dashboard.notifications.devices import PushSubscription
from dashboard.notifications.digest import digest_of
from dashboard.notifications.models import TopicChoice
from dashboard.notifications.push_address import LONGEST_ENDPOINT, PushAddressRefused, check_endpoint
from dashboard.notifications.services import channels_of
from dashboard.notifications.topics import TOPICS, Topic
from dashboard.notifications.vapid import public_key
from dashboard.web.fields import Verbatim

HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]
# The column of each channel of a topic: its name in the form, what a label says, its head in the table.
CHANNELS = (("app", "in the app", "App"), ("mail", "by email", "Email"), ("push", "on my devices", "Push"))
# The two keys of a subscription: a point of P-256, and a secret of 16 bytes.
POINT_BYTES, SECRET_BYTES = 65, 16
BASE64URL = re.compile(r"[A-Za-z0-9_-]+={0,2}")


class ChoicesForm(forms.Form):
    """Per topic and channel, and the daily mail with its hour."""

    digest = forms.BooleanField(required=False, label="Send me a daily digest of items that wait for me")
    hour = forms.TypedChoiceField(choices=HOURS, coerce=int, label="Time")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.channels = [channel for channel in CHANNELS if channel[0] != "push" or public_key()]
        for topic in TOPICS.values():
            for channel, word, _ in self.channels:
                label = f"{topic.title}, {word}"
                self.fields[f"{topic.name}_{channel}"] = forms.BooleanField(required=False, label=label)

    @property
    def rows(self) -> list[tuple[Topic, list[BoundField]]]:
        """Each topic with its box of each channel; no push notifications where the installation sends none."""
        return [
            (topic, [self[f"{topic.name}_{channel}"] for channel, _, _ in self.channels]) for topic in TOPICS.values()
        ]

    @staticmethod
    def initial_for(membership: Membership) -> dict[str, bool | int]:
        """What holds for somebody now, by the names of the form's fields."""
        digest = digest_of(membership)
        values: dict[str, bool | int] = {"digest": digest.wanted, "hour": digest.hour}
        chosen = {choice.topic: choice for choice in TopicChoice.objects.filter(membership=membership)}
        for topic in TOPICS.values():
            channels = channels_of(topic, chosen.get(topic.name))
            values |= {f"{topic.name}_{name}": on for (name, _, _), on in zip(CHANNELS, channels, strict=True)}
        return values

    def save(self, membership: Membership) -> None:
        """Writes the choices of the topics down; the daily mail is no topic, and not among them."""
        for topic in TOPICS.values():
            values = self.cleaned_data
            chosen = {"in_app": values[f"{topic.name}_app"], "by_mail": values[f"{topic.name}_mail"]}
            # Where no push notifications are offered, what was chosen of them stays.
            chosen |= {"by_push": values[f"{topic.name}_push"]} if f"{topic.name}_push" in values else {}
            TopicChoice.objects.update_or_create(membership=membership, topic=topic.name, defaults=chosen)


class DeviceForm(forms.Form):
    """The subscription of a browser, as its script fills it in (static/js/push.js)."""

    endpoint = Verbatim(max_length=LONGEST_ENDPOINT)
    p256dh = Verbatim(max_length=100)
    auth = Verbatim(max_length=40)
    host = ""

    def clean_endpoint(self) -> str:
        """The endpoint as it was sent; refused where this server may not send there."""
        endpoint: str = self.cleaned_data["endpoint"]
        try:
            self.host = check_endpoint(endpoint).host
        except PushAddressRefused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return endpoint

    def clean_p256dh(self) -> str:
        """The device's public key: an uncompressed point."""
        return self._key("p256dh", POINT_BYTES, b"\x04")

    def clean_auth(self) -> str:
        """The device's secret."""
        return self._key("auth", SECRET_BYTES, b"")

    def subscription(self) -> PushSubscription:
        """What the browser sent, checked."""
        data = self.cleaned_data
        return PushSubscription(data["endpoint"], data["p256dh"], data["auth"])

    def refusal(self) -> str:
        """The first reason why it is refused, as a sentence."""
        return str(next(iter(self.errors.values()))[0])

    def _key(self, name: str, size: int, begins: bytes) -> str:
        value: str = self.cleaned_data[name]
        try:
            raw = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)) if BASE64URL.fullmatch(value) else b""
        except binascii.Error:
            raw = b""
        if len(raw) != size or not raw.startswith(begins):
            raise forms.ValidationError("The browser's subscription cannot be read. Turn it on again.")
        return value
