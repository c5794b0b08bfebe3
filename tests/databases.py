"""Loaded before Django: gives each process of pytest the database that was cloned for it, and what goes with one."""

import gc
import os
import sys

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
    from django.conf import settings
    from django.db import connections

    for database in connections.settings.values():
        database["NAME"] = _renamed(str(database["NAME"]), worker)
    if hasattr(settings, "AUDIT_ANCHOR_FOLDER"):
        settings.AUDIT_ANCHOR_FOLDER = _renamed(settings.AUDIT_ANCHOR_FOLDER, worker)


def _renamed(name: str, worker: str) -> str:
    return f"{name.removesuffix(f'_{MAIN}')}_{worker}" if name.endswith(f"_{MAIN}") else name


os.environ.update(_of(MAIN))
# While tests are read, what is made stays: to look for garbage among it, time and again, finds none.
THRESHOLD = gc.get_threshold()
gc.set_threshold(50_000, 20, 20)


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end, and is not looked through again: as a web server's (config/gunicorn.py)."""
    gc.freeze()
    gc.set_threshold(*THRESHOLD)
