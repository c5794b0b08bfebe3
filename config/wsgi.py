"""The WSGI entry points: `config.wsgi:dashboard` and `config.wsgi:service`, one per process."""

import gc
import os
from importlib import import_module
from typing import Any


def _application(settings: str) -> Any:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", settings)
    # Of what is loaded nothing is garbage: looking for some takes a fifth of the time.
    gc.disable()
    try:
        import_module("config.celery")  # jobs that a request sends must find their queue
        from django.conf import settings as program
        from django.core.wsgi import get_wsgi_application

        application = get_wsgi_application()
        # Its operations now, not in each worker at its first request.
        import_module(program.ROOT_URLCONF)
        return application
    finally:
        gc.enable()


def __getattr__(name: str) -> Any:
    # Made when asked for: one module serves both programs, and a process must only ever load one of them.
    if name in {"dashboard", "service"}:
        return _application(f"config.settings.{name}")
    raise AttributeError(name)
