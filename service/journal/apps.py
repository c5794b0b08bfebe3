"""The Django app of service/journal."""

from django.apps import AppConfig


class JournalConfig(AppConfig):
    name = "service.journal"
    label = "journal"
