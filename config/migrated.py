"""Which migrations a database has that this version does not: data of a version whose tables are no longer continued."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import psycopg

ROOT = Path(__file__).resolve().parent.parent


def tables_digest() -> str:
    """What our tables are made of, the migrations and the SQL that they load: 64 characters, others for other tables.

    Before the first release an app's one migration is changed in place: by its name alone nobody sees that it was.
    """
    folders = (ROOT / program for program in ("dashboard", "service"))
    files = [file for folder in folders for kind in ("migrations/*.py", "*.sql") for file in folder.rglob(kind)]
    return _digest(sorted(files))


def packages_digest() -> str:
    """Which packages are installed, which have migrations of their own: 64 characters."""
    return _digest([ROOT / "requirements.txt"])


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def unknown_migrations(url: str, program: str) -> list[str]:
    """Migrations of the program's own apps that were applied there and have no file here, as "app.name"; by the owner."""
    apps = {folder.parent.name: folder for folder in (ROOT / program).glob("*/migrations")}
    with psycopg.connect(url.replace("postgres://", "postgresql://", 1)) as database:
        if database.execute("SELECT to_regclass('public.django_migrations')").fetchone() == (None,):
            return []
        applied = database.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall()
    return [f"{app}.{name}" for app, name in applied if app in apps and not (apps[app] / f"{name}.py").exists()]
