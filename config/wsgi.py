"""The WSGI entry points: `config.wsgi:dashboard` and `config.wsgi:service`, one per process."""

import os
from importlib import import_module
from typing import Any


def _application(settings: str) -> Any:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", settings)
    import_module("config.celery")  # jobs that a request sends must find their queue
    from django.core.wsgi import get_wsgi_application

    return get_wsgi_application()


def __getattr__(name: str) -> Any:
    # Made when asked for: one module serves both programs, and a process must only ever load one of them.
    if name in {"dashboard", "service"}:
        return _application(f"config.settings.{name}")
    raise AttributeError(name)
