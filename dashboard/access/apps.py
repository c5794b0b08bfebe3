from django.apps import AppConfig

from dashboard.access import converters


class AccessConfig(AppConfig):
    name = "dashboard.access"
    label = "access"

    def ready(self) -> None:
        """Makes the shapes of addresses known before any urls.py is read."""
        converters.register()
