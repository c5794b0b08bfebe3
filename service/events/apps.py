"""The Django app of service/events."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "service.events"
    label = "events"
