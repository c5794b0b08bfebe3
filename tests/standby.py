"""A standby by streaming replication of the PostgreSQL that the tests run on: its replay can be held, and it can be killed."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psycopg

from config.embedded.postgres import Postgres, not_root
from config.embedded.processes import spawn

# A base backup copies every database of the tests, on machines that do much else.
BACKUP_S = 300
HANG_S = 30


class Standby(Postgres):
    """A copy of the cluster behind a socket, made the first time it is started, that follows it from then on."""

    def __init__(self, data: Path, primary_socket: str) -> None:
        super().__init__(data, durable=False)
        self.primary_socket = primary_socket

    def _make(self, log: Path) -> None:
        command = [
            str(self.programs / "pg_basebackup"), "-D", str(self.cluster), "-h", self.primary_socket, "-U", "postgres",
            "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync",
        ]  # fmt: skip
        shutil.rmtree(self.cluster, ignore_errors=True)
        # As whoever PostgreSQL runs as, whose files they are then.
        assert spawn(command, log=log, prepare=not_root(self.cluster, self.run, log)).wait(BACKUP_S) == 0, (
            log.read_text()
        )
        self.cluster.chmod(0o700)

    def ask(self, statement: str) -> object:
        """The one value that the standby answers to its superuser."""
        with psycopg.connect(self.url("postgres", "postgres"), autocommit=True) as connection:
            row = connection.execute(statement).fetchone()
        assert row is not None
        return row[0]

    def hold(self) -> None:
        """From here on nothing is replayed, until it is let go on."""
        self.ask("select pg_wal_replay_pause()::text")
        self._until(lambda: self.ask("select pg_get_wal_replay_pause_state()") == "paused")

    def go_on(self) -> None:
        """Goes on with the replay."""
        self.ask("select pg_wal_replay_resume()::text")

    def catch_up(self, position: int) -> None:
        """Waits until it has the log up to a position, in bytes from the log's beginning."""
        replayed = "select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint"
        self._until(lambda: int(str(self.ask(replayed))) >= position)

    def kill(self) -> None:
        """Ends all of its processes as a power cut does."""
        assert self.process is not None
        # The kernel ends the children when the postmaster's socket goes; the group is theirs alone (spawn).
        subprocess.run(["kill", "-9", "--", f"-{self.process.pid}"], check=False)
        self.process.wait(HANG_S)

    def stop(self, seconds: float = HANG_S) -> None:
        """Stops it at once, whatever state it is in."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(seconds)

    @staticmethod
    def _until(true: Callable[[], bool]) -> None:
        ends = time.monotonic() + HANG_S
        while not true():
            assert time.monotonic() < ends
            time.sleep(0.02)
