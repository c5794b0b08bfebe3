"""A house with real commits: seals are for committed lines."""

import os
from pathlib import Path

import psycopg
import pytest
from pytest_django import Settings

from tests.dashboard.access.house import House, build

TABLES = ("audit_auditentry", "audit_auditseal", "audit_audithead")


@pytest.fixture
def house(committed: None) -> House:
    return build()


@pytest.fixture(autouse=True)
def anchor_folder(settings: Settings, tmp_path: Path) -> Path:
    """A folder of its own for each test: chains are numbered anew in each database."""
    settings.AUDIT_ANCHOR_FOLDER = str(tmp_path / "anchors")
    return tmp_path / "anchors"


def by_the_owner(statement: str, *values: object) -> None:
    """Runs a statement as somebody who may do everything to the tables, and first turns off what refuses."""
    if "DATABASE_OWNER_URL" not in os.environ:
        pytest.skip("the owner's role is not known here")
    url = os.environ["DATABASE_OWNER_URL"].replace("postgres://", "postgresql://", 1)
    with psycopg.connect(url, autocommit=True) as database:
        for table in TABLES:
            database.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")  # type: ignore[arg-type]  # one of three names
        try:
            database.execute(statement, values)  # type: ignore[arg-type]  # written out in the tests
        finally:
            for table in TABLES:
                database.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")  # type: ignore[arg-type]
