"""Which migrations a database has that this version does not: data of a version whose tables are no longer continued."""

from pathlib import Path

import psycopg

ROOT = Path(__file__).resolve().parent.parent


def unknown_migrations(url: str, program: str) -> list[str]:
    """Migrations of the program's own apps that were applied there and have no file here, as "app.name"; by the owner."""
    apps = {folder.parent.name: folder for folder in (ROOT / program).glob("*/migrations")}
    with psycopg.connect(url.replace("postgres://", "postgresql://", 1)) as database:
        if database.execute("SELECT to_regclass('public.django_migrations')").fetchone() == (None,):
            return []
        applied = database.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall()
    return [f"{app}.{name}" for app, name in applied if app in apps and not (apps[app] / f"{name}.py").exists()]
