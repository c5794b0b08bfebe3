"""The Django app of the lists: its tables store saved views, exports, imports and bulk actions."""

from importlib import import_module

from django.apps import AppConfig


class ListsConfig(AppConfig):
    name = "dashboard.lists"
    label = "lists"

    def ready(self) -> None:
        """Reads the module that registers what an export of receipts is to the gate."""
        import_module("dashboard.lists.subjects")
