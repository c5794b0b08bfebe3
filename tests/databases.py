"""Loaded before Django: gives each of pytest's workers the database that was cloned for it, and what goes with one."""

import gc
import os
from pathlib import Path

import pytest

from tests import rewritten

worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
# The audit's anchors belong to one database: chains have the same numbers in each.
NAMES = (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "SERVICE_DATABASE_URL",
    "SERVICE_DATABASE_OWNER_URL",
    "AUDIT_ANCHOR_FOLDER",
)
for name in NAMES:
    # A worker inherits what the process that started it has made of its own address: the pattern is handed on beside.
    pattern = os.environ.get(f"{name}_PATTERN") or os.environ.get(name, "")
    if "_WORKER" in pattern:
        os.environ[f"{name}_PATTERN"] = pattern
        os.environ[name] = pattern.replace("_WORKER", f"_{worker}")

# While tests are read, what is made stays: to look for garbage among it, time and again, finds none.
THRESHOLD = gc.get_threshold()
gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Before workers are started, the bytecode that all of them read is there."""
    if not hasattr(session.config, "workerinput"):
        rewritten.write(
            session.config, [folder for name in session.config.args if (folder := Path(name).resolve()).is_dir()]
        )


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end, and is not looked through again: as a web server's (config/gunicorn.py)."""
    gc.freeze()
    gc.set_threshold(*THRESHOLD)
