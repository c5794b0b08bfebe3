"""Loaded before Django: gives each process of pytest the database that was cloned for it, and what goes with one."""

import gc
import os
import sys
from contextlib import suppress
from typing import Any

# The audit's anchors belong to one database: chains have the same numbers in each.
NAMES = (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "SERVICE_DATABASE_URL",
    "SERVICE_DATABASE_OWNER_URL",
    "AUDIT_ANCHOR_FOLDER",
)
# Whose they are of the process that reads the tests, and plays them where it is alone.
MAIN = "main"
PATTERNS = {name: value for name in NAMES if "_WORKER" in (value := os.environ.get(name, ""))}


def _of(worker: str) -> dict[str, str]:
    return {name: pattern.replace("_WORKER", f"_{worker}") for name, pattern in PATTERNS.items()}


def work_with_those_of(worker: str) -> None:
    """From now on a process that was forked of the first one uses the databases of a worker, "gw0"; no connection is open."""
    os.environ.update(_of(worker))
    if "django" in sys.modules and os.environ.get("DJANGO_SETTINGS_MODULE"):
        _change_settings(worker)


def _change_settings(worker: str) -> None:
    """Whatever the settings have by the first process's name: the database, the keys of the cache, a folder."""
    from django.conf import settings
    from django.core.cache import caches

    for name in filter(str.isupper, dir(settings)):
        value = getattr(settings, name)
        if (renamed := _renamed(value, worker)) is not value:
            setattr(settings, name, renamed)
    # A cache that was used before the fork has its prefix in itself: the next use makes one by the settings of now.
    for alias in settings.CACHES:
        with suppress(AttributeError):
            del caches[alias]


def _renamed(value: Any, worker: str) -> Any:
    # Dictionaries are changed where they are: the handlers of databases and caches hold them.
    if isinstance(value, dict):
        value |= {key: _renamed(each, worker) for key, each in value.items()}
        return value
    if isinstance(value, str) and value.endswith(f"_{MAIN}"):
        return f"{value.removesuffix(f'_{MAIN}')}_{worker}"
    return value


os.environ.update(_of(MAIN))
# While tests are read, what is made stays: to look for garbage among it, time and again, finds none.
THRESHOLD = gc.get_threshold()
gc.set_threshold(50_000, 20, 20)


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end, and is not looked through again: as a web server's (config/gunicorn.py)."""
    gc.freeze()
    gc.set_threshold(*THRESHOLD)
