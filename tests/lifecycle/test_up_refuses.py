"""What `manage.py up` says where it cannot start: one clear line with what to do about it, and code 1."""

from __future__ import annotations

import ast
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from config import ROOT
from config.dev_stack import House
from config.embedded import free_port
from config.migrated import packages_digest
from tests.lifecycle.newcomer import Newcomer, bare, one_line


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    newcomer = Newcomer(tmp_path)
    (tmp_path / "a file").write_text("")
    below = tmp_path / "a file" / "data"
    line = newcomer.refused("--data", str(below))
    assert str(below) in line
    assert "--data" in line
    # Root may write wherever it likes.
    if os.getuid() != 0:
        closed = tmp_path / "closed"
        closed.mkdir(0o500)
        assert str(closed) in newcomer.refused("--data", str(closed / "data"))
        assert str(closed) in newcomer.refused("--data", str(closed))


def test_data_of_an_older_postgresql_is_left_as_it_is(tmp_path: Path) -> None:
    cluster = tmp_path / "data" / "postgres"
    cluster.mkdir(parents=True)
    (cluster / "PG_VERSION").write_text("16\n")
    line = Newcomer(tmp_path).refused("--data", str(tmp_path / "data"))
    assert "of PostgreSQL 16, and this is 18" in line
    assert "--data" in line
    assert [path.name for path in cluster.iterdir()] == ["PG_VERSION"]


@pytest.mark.parametrize(
    ("options", "word"),
    [(["--port", "70000"], "70000"), (["--port", "0"], "0"), (["--port", "8765", "--service-port", "8765"], "8765")],
)
def test_an_impossible_port_is_named(tmp_path: Path, options: list[str], word: str) -> None:
    assert word in Newcomer(tmp_path).refused(*options)
    assert not (tmp_path / "data" / "postgres").exists()


def test_a_full_disk_is_told_before_anything_is_made(tmp_path: Path) -> None:
    full = (
        "import shutil, sys; from collections import namedtuple; sys.path.insert(0, sys.argv[1])\n"
        "shutil.disk_usage = lambda path: namedtuple('Usage', 'total used free')(10, 10, 0)\n"
        "from config.dev_stack import run; sys.exit(run(sys.argv[2:]))"
    )
    options = ["--data", str(tmp_path / "data"), "--port", str(free_port()), "--service-port", str(free_port())]
    run = subprocess.run(
        [sys.executable, "-c", full, str(ROOT), *options],
        env=bare(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "500 MB are needed" in one_line(run)
    assert not (tmp_path / "data" / "postgres").exists()


def test_an_old_python_is_told_which_one_is_needed(tmp_path: Path) -> None:
    source = (ROOT / "manage.py").read_text()
    # It must be able to read the file to say so.
    ast.parse(source, feature_version=(3, 6))
    old = (
        "import runpy, sys; sys.version_info = (3, 8, 10, 'final', 0); sys.version = '3.8.10 (default)'\n"
        "runpy.run_path(sys.argv[1], run_name='__main__')"
    )
    run = subprocess.run(
        [sys.executable, "-c", old, str(ROOT / "manage.py"), "up"],
        env=bare(tmp_path), capture_output=True, text=True, check=False,
    )  # fmt: skip
    line = one_line(run)
    assert "3.11" in line
    assert "3.8.10" in line


def test_a_python_without_venv_is_told_what_to_install(tmp_path: Path) -> None:
    for name in ("manage.py", "requirements.txt", "requirements-test.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    without = "import runpy, sys; sys.modules['ensurepip'] = None\nrunpy.run_path(sys.argv[1], run_name='__main__')"
    run = subprocess.run(
        [sys.executable, "-c", without, str(tmp_path / "manage.py"), "up"],
        env=bare(tmp_path), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "python3-venv" in one_line(run)
    assert not (tmp_path / ".venv").exists()


def test_a_port_that_somebody_took_first_is_named_by_its_option(tmp_path: Path) -> None:
    newcomer = Newcomer(tmp_path)
    with socket.socket() as somebody:
        somebody.bind(("127.0.0.1", newcomer.service_port))
        somebody.listen()
        line = newcomer.refused()
    assert f"Port {newcomer.service_port} is taken" in line
    assert "--service-port" in line


def test_data_of_a_version_before_the_first_release_is_told_to_begin_anew(tmp_path: Path) -> None:
    data = tmp_path / "data"
    house = House(data, free_port(), free_port(), durable=False, environ=bare(tmp_path))
    house.open_folder()
    try:
        house.start_stores()
        url = house.env["DATABASE_OWNER_URL"].replace("postgres://", "postgresql://", 1)
        with psycopg.connect(url) as database:
            database.execute("CREATE TABLE django_migrations (id serial, app text, name text)")
            database.execute("INSERT INTO django_migrations (app, name) VALUES ('lists', '0004_default_views_move')")
    finally:
        house.close()
    line = Newcomer(tmp_path).refused("--data", str(data))
    assert f"The data in {data} was made by a version before the first release" in line
    assert "--data" in line


def test_data_whose_tables_were_made_by_other_migrations_of_the_same_names_is_told_so_too(tmp_path: Path) -> None:
    data = tmp_path / "data"
    house = House(data, free_port(), free_port(), durable=False, environ=bare(tmp_path))
    house.open_folder()
    try:
        house.start_stores()
    finally:
        house.close()
    (data / "migrated").write_text(f"{'0' * 64} {packages_digest()}")
    line = Newcomer(tmp_path).refused("--data", str(data))
    assert f"The data in {data} was made by a version before the first release" in line
