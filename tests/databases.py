"""Loaded before Django: gives each of pytest's workers the database that was cloned for it."""

import os

worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "SERVICE_DATABASE_URL", "SERVICE_DATABASE_OWNER_URL"):
    if "_WORKER" in os.environ.get(name, ""):
        os.environ[name] = os.environ[name].replace("_WORKER", f"_{worker}")
