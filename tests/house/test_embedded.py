"""PostgreSQL and Redis of our own: they start anywhere, keep their data, and end with whoever started them."""

import base64
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import psycopg
import pytest

from config.embedded import Postgres, Redis, die_with_parent, saved_secrets, write_private

STARTER = """
import sys, time
from pathlib import Path
from config.embedded import Postgres, Redis
folder = Path(sys.argv[1])
postgres, redis = Postgres(folder), Redis(folder, "secret")
postgres.start(); redis.start()
print(postgres.process.pid, redis.process.pid, flush=True)
time.sleep(60)
"""


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    # A child that nobody has waited for yet is gone all the same.
    return "Z" in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[-1].split()[0]


def test_what_was_written_is_there_after_a_restart(tmp_path: Path) -> None:
    postgres = Postgres(tmp_path)
    postgres.start()
    try:
        postgres.prepare("service")
        with psycopg.connect(postgres.url("service_owner", "service")) as connection:
            connection.execute("CREATE TABLE kept (n int)")
            connection.execute("INSERT INTO kept VALUES (7)")
        postgres.stop()
        postgres.start()
        with psycopg.connect(postgres.url("service_app", "service")) as connection:
            assert connection.execute("SELECT n FROM kept").fetchone() == (7,)
    finally:
        postgres.stop()


def test_the_app_role_owns_nothing_and_may_make_nothing(tmp_path: Path) -> None:
    postgres = Postgres(tmp_path, durable=False)
    postgres.start()
    try:
        postgres.prepare("dashboard")
        with (
            psycopg.connect(postgres.url("dashboard_app", "dashboard")) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute("CREATE TABLE mine (n int)")
    finally:
        postgres.stop()


def test_killed_hard_it_leaves_nothing_running_and_starts_again(tmp_path: Path) -> None:
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        preexec_fn=partial(die_with_parent, parent=os.getpid()),
    )
    assert starter.stdout is not None
    pids = [int(pid) for pid in starter.stdout.readline().split()]
    assert len(pids) == 2
    starter.send_signal(signal.SIGKILL)
    starter.wait()
    deadline = time.monotonic() + 5
    while not all(gone(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert all(gone(pid) for pid in pids)
    postgres, redis = Postgres(tmp_path), Redis(tmp_path, "secret")
    try:
        postgres.start()
        redis.start()
        assert postgres.process is not None
        assert redis.process is not None
    finally:
        redis.stop()
        postgres.stop()


def test_a_private_file_is_its_owners_alone(tmp_path: Path) -> None:
    write_private(tmp_path / "demo.json", "{}")
    assert (tmp_path / "demo.json").stat().st_mode & 0o777 == 0o600


def test_a_folder_of_an_earlier_version_gets_the_secrets_that_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "secrets.json").write_text('{"SECRET_KEY": "of before"}')
    stored = saved_secrets(tmp_path)
    assert stored["SECRET_KEY"] == "of before"
    key = base64.urlsafe_b64decode(stored["VAPID_PRIVATE_KEY"] + "=")
    assert len(key) == 32
    assert saved_secrets(tmp_path) == stored
    assert (tmp_path / "secrets.json").stat().st_mode & 0o077 == 0
