"""The Django app of bulk actions: its tables store their batches, with a row for each item."""

from django.apps import AppConfig


class BulkConfig(AppConfig):
    name = "dashboard.bulk"
    label = "bulk"
