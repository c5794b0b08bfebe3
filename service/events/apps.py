"""The Django app of service/events."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "service.events"
    label = "events"

    def ready(self) -> None:
        """Says by the number of its last event whether a business has changed since a list of it was counted."""
        from service import totals
        from service.events.relay import last_sequence

        totals.register(last_sequence)
