"""The Django app of the lists: saved views and exports are kept in its tables."""

from django.apps import AppConfig


class ListsConfig(AppConfig):
    name = "dashboard.lists"
    label = "lists"

    def ready(self) -> None:
        """Tells the gate what an export of receipts is."""
        import dashboard.lists.subjects  # noqa: F401 - registers as it is read
