"""The Django app of the pages: it has no tables."""

from importlib import import_module

from django.apps import AppConfig
from django.conf import settings


class PagesConfig(AppConfig):
    name = "dashboard.pages"
    label = "pages"

    def ready(self) -> None:
        """Reads the rooms: as they are read, their lists, importers and presenters register, and a worker needs them too."""
        import_module(settings.ROOT_URLCONF)
