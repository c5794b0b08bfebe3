"""What comes in when somebody chooses what they are notified of, and how."""

from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from dashboard.access.models import Membership
from dashboard.notifications.digest import digest_of
from dashboard.notifications.models import Choice
from dashboard.notifications.topics import TOPICS, Topic

HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]


class ChoicesForm(forms.Form):
    """Per topic and channel, and the daily mail with its hour."""

    digest = forms.BooleanField(required=False, label="Send me a daily digest of items that wait for me")
    hour = forms.TypedChoiceField(choices=HOURS, coerce=int, label="Time")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for topic in TOPICS.values():
            for channel, word in (("app", "in the app"), ("mail", "by email")):
                label = f"{topic.title}, {word}"
                self.fields[f"{topic.name}_{channel}"] = forms.BooleanField(required=False, label=label)

    @property
    def rows(self) -> list[tuple[Topic, BoundField, BoundField]]:
        """Each topic with its two boxes."""
        return [(topic, self[f"{topic.name}_app"], self[f"{topic.name}_mail"]) for topic in TOPICS.values()]

    @staticmethod
    def initial_for(membership: Membership) -> dict[str, bool | int]:
        """What holds for somebody now, by the names of the form's fields."""
        digest = digest_of(membership)
        values: dict[str, bool | int] = {"digest": digest.wanted, "hour": digest.hour}
        chosen = {choice.topic: choice for choice in Choice.objects.filter(membership=membership)}
        for topic in TOPICS.values():
            choice = chosen.get(topic.name)
            values[f"{topic.name}_app"] = choice.in_app if choice else topic.in_app
            values[f"{topic.name}_mail"] = choice.by_mail if choice else topic.by_mail
        return values

    def save(self, membership: Membership) -> None:
        """Writes the choices of the topics down; the daily mail is no topic, and not among them."""
        for topic in TOPICS.values():
            values = self.cleaned_data
            chosen = {"in_app": values[f"{topic.name}_app"], "by_mail": values[f"{topic.name}_mail"]}
            Choice.objects.update_or_create(membership=membership, topic=topic.name, defaults=chosen)
