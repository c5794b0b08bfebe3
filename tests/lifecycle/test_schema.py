"""A database that is filled from the snapshot of a program's tables is the one that its migrations make, in all that it holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from config import DATABASES, PROGRAMS
from config.dev_stack import House
from config.embedded import free_port
from config.schema import dump, snapshot
from tests import catalogue
from tests.lifecycle.newcomer import bare

# As many lines at least: a catalogue that cannot be read has none, and is equal to any other of that kind.
LEAST_LINES = {"dashboard": 2_000, "service": 3_000}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Of each program a database that its migrations have made, and one with `_filled` behind its name that is still empty."""
    folder = tmp_path_factory.mktemp("schema")
    house = House(folder, free_port(), free_port(), durable=False, environ=bare(folder))
    house.open_folder()
    try:
        house.start_stores()
        assert house.postgres is not None
        for program in PROGRAMS:
            house.postgres.prepare(program, f"{program}_filled")
        house.run_migrations()
        yield house
    finally:
        house.close()


def url_of(house: House, program: str, database: str = "", role: str = "owner") -> str:
    assert house.postgres is not None
    return house.postgres.url(f"{program}_{role}", database or program)


def tables_in(url: str) -> int:
    with psycopg.connect(url.replace("postgres://", "postgresql://", 1)) as database:
        (count,) = database.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() or (0,)
    return int(count)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_snapshot_of_other_migrations_fills_nothing_and_says_how_it_is_written_anew(
    house: House, program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(snapshot, "digest", lambda _: "0" * 64)
    url = url_of(house, program, f"{program}_filled")
    assert snapshot.fill(url, program) is False
    assert tables_in(url) == 0
    said = capsys.readouterr().out
    assert len(said.splitlines()) == 1
    assert f"config/schema/{program}.sql" in said
    assert "manage.py write_schema" in said


@pytest.mark.parametrize("program", PROGRAMS)
def test_one_that_is_refused_in_the_middle_leaves_the_database_empty_for_the_migrations(
    house: House, program: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.sql"
    broken.write_text(f"{snapshot.file_of(program).read_text()}SELECT 1 / 0;\n")
    monkeypatch.setattr(snapshot, "ROOT", tmp_path)
    monkeypatch.setattr(snapshot, "digest", lambda _: snapshot.digest_in(broken.read_text()))
    monkeypatch.setattr(snapshot, "file_of", lambda _: broken)
    url = url_of(house, program, f"{program}_filled")
    assert snapshot.fill(url, program) is False
    assert tables_in(url) == 0
    assert "broken.sql is refused (division by zero)" in capsys.readouterr().out


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_filled_database_is_the_one_that_the_migrations_make(house: House, program: str) -> None:
    url = url_of(house, program, f"{program}_filled")
    assert snapshot.fill(url, program) or tables_in(url) > 0
    migrated = catalogue.lines_of(url_of(house, program), as_read_again=True)
    assert len(migrated) > LEAST_LINES[program]
    filled = catalogue.lines_of(url)
    assert sorted(set(filled) - set(migrated)) == []
    assert sorted(set(migrated) - set(filled)) == []
    assert len(filled) == len(migrated)


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_snapshot_is_written_again_to_the_letter(house: House, program: str) -> None:
    assert dump.text_of(house, program) == snapshot.file_of(program).read_text()


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_has_tables_is_not_filled_again(house: House, program: str) -> None:
    before = catalogue.lines_of(url_of(house, program))
    assert snapshot.fill(url_of(house, program), program) is False
    assert catalogue.lines_of(url_of(house, program)) == before


@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_is_left_to_migrate_in_a_filled_one(house: House, program: str) -> None:
    url = url_of(house, program, f"{program}_filled")
    assert snapshot.fill(url, program) or tables_in(url) > 0
    name, before = f"{DATABASES[program]}_OWNER_URL", dict(house.env)
    house.env[name] = url
    command = house.manage(program, "migrate", "--check", owner=True)
    house.env = before
    # Raises CannotStart where the command finds a migration that has not run.
    house.finish("Looking for what is left to migrate", command, program)


def test_a_lost_right_is_seen(house: House) -> None:
    url = url_of(house, "service")
    before = catalogue.lines_of(url)
    with psycopg.connect(url.replace("postgres://", "postgresql://", 1)) as database:
        database.execute("REVOKE SELECT ON ledger_entry FROM service_app")
    try:
        assert len(set(catalogue.lines_of(url)) ^ set(before)) == 2
    finally:
        with psycopg.connect(url.replace("postgres://", "postgresql://", 1)) as database:
            database.execute("GRANT SELECT ON ledger_entry TO service_app")
    assert catalogue.lines_of(url) == before
