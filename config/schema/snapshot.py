"""Fills an empty database from the snapshot of its program's tables, where that is of these very migrations."""

from __future__ import annotations

import ast
import hashlib
import sys
from importlib.metadata import version
from pathlib import Path

import psycopg

ROOT = Path(__file__).resolve().parent.parent.parent
HEADER = "-- digest "
# What writes the file anew, once tables have changed.
COMMAND = "python3 manage.py write_schema"
# Of the packages, those whose apps have tables of their own.
PACKAGES = {"dashboard": ("django", "django-allauth"), "service": ("django", "django-oauth-toolkit")}
# Beside migrations and SQL files: modules of ours whose expressions or rows a migration puts into the database.
MODULES = {
    "dashboard": ("dashboard/mirror/models/weights.py",),
    "service": ("service/wallet_policies/catalogue.py",),
}


def file_of(program: str) -> Path:
    """The snapshot of a program's tables."""
    return Path(__file__).with_name(f"{program}.sql")


def digest(program: str) -> str:
    """What a program's tables are made of: its migrations, what these load, its apps, the packages' versions. 64 characters,
    read from the files alone: Django is not loaded for it."""
    folder = ROOT / program
    files = sorted(
        [*folder.rglob("migrations/*.py"), *folder.rglob("*.sql"), *(ROOT / name for name in MODULES[program])]
    )
    parts = [f"{name} {version(name)}" for name in PACKAGES[program]] + installed_apps(program)
    total = hashlib.sha256("\n".join(parts).encode())
    for file in files:
        total.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    return total.hexdigest()


def installed_apps(program: str) -> list[str]:
    """INSTALLED_APPS as it stands in the program's settings."""
    settings = ast.parse((ROOT / "config" / "settings" / f"{program}.py").read_text(encoding="utf-8"))
    for line in settings.body:
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "INSTALLED_APPS":
            apps: list[str] = ast.literal_eval(line.value)
            return apps
    raise LookupError(f"The settings of the {program} have no INSTALLED_APPS.")


def digest_in(text: str) -> str:
    """The digest of what a snapshot was made of, from its header; nothing where there is none."""
    return next((line.removeprefix(HEADER) for line in text.splitlines()[:5] if line.startswith(HEADER)), "")


def fill(url: str, program: str) -> bool:
    """Fills a program's database, as its owner, whole or not at all; whether it did.

    It does not where tables are there already. Where the snapshot is of other migrations, or PostgreSQL refuses it, it says
    so in one line.
    """
    file = file_of(program)
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    with psycopg.connect(url.replace("postgres://", "postgresql://", 1)) as database:
        tables = database.execute("SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace LIMIT 1")
        if tables.fetchone() is not None:
            return False
        why = "is of others" if digest_in(text) != digest(program) else ""
        try:
            if not why:
                database.execute(text.encode())
        except psycopg.Error as refusal:
            database.rollback()
            why = f"is refused ({str(refusal).splitlines()[0]})"
    if why:
        sys.stdout.write(
            f"The {program}'s tables are made by its migrations, which takes longer: {file.relative_to(ROOT)} {why}. "
            f"`{COMMAND}` writes it anew.\n"
        )
        sys.stdout.flush()
    return not why
