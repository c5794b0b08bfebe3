"""Loaded before Django: gives each of pytest's workers the database that was cloned for it, and what goes with one."""

import os

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
