"""Where lists and exports are read from: the replica, as long as it has what its reader last wrote; else the primary.

A position is a place in the primary's write-ahead log, in bytes from its beginning: a replica that has replayed the log
up to there has all that was committed before. Decisions, and whatever is read under a lock or to be written, never come
here: they read the primary. Without DATABASE_REPLICA_URL everything is the primary.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

import psycopg
import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from django.db.models import Model

from dashboard import cache
from dashboard.metrics import LIST_READS

log = structlog.get_logger(__name__)

Answer = TypeVar("Answer")

PRIMARY = DEFAULT_DB_ALIAS
REPLICA = "replica"
# How often a process compares the two at most; a read between two looks goes by the last one.
LOOK_EVERY_S = 1.0
# So long a job waits for the replica to come up to it. A page never does: it reads the primary at once.
JOB_WAITS_S = 2.0
WAIT_STEP_S = 0.05
# How long the position of what a job has written for somebody is kept: far longer than a replica that is read lags.
WRITES_LIFETIME_S = 900
# So long a look waits for what was written a moment ago, before it calls the replica behind.
SETTLES_S = 0.2
# The position, and how many seconds ago the primary committed what the replica has replayed last.
REPLAYED = """
select pg_is_in_recovery(), pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint,
       extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float
"""
# The insert position and not the write position: a commit that need not be on disk yet is before it, too.
WRITTEN = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"


class ReplicaRouter:
    """What is read of the replica is written, and migrated, in the primary alone."""

    def db_for_write(self, model: type[Model], **hints: object) -> str:
        """The primary, whatever a row was read from."""
        return PRIMARY

    def allow_relation(self, row: Model, other: Model, **hints: object) -> bool:
        """Whatever two rows were read from, they are rows of one database."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: object) -> bool:
        """The replica gets its tables from the primary."""
        return db == PRIMARY


class _Watch:
    """What a process knows of the replica: how far it was at the last look, and whether it was near enough to be read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._checked_at = float("-inf")
        self.replayed = 0
        # Why it is not read, "" where it is.
        self.trouble = ""

    def look(self) -> None:
        """Compares the two, if nobody just did."""
        if time.monotonic() - self._checked_at < LOOK_EVERY_S or not self._lock.acquire(blocking=False):
            return
        try:
            self._look()
            self._checked_at = time.monotonic()
        finally:
            self._lock.release()

    def _look(self) -> None:
        try:
            is_near = self._comes_near(write_position())
        except (OperationalError, InterfaceError) as error:
            self.put_aside("away", error)
            return
        if not is_near:
            self.put_aside("behind")
        elif self.trouble:
            log.info("replica is read again")
            self.trouble = ""

    def _comes_near(self, position: int) -> bool:
        """Whether it is where the primary is, or has replayed something that is not older than the lag allowed. After a
        quiet hour that is old, and a write of just now on its way: it is waited for, by whom nothing is known yet."""
        ends = time.monotonic() + (0.0 if self.trouble else SETTLES_S)
        while True:
            self.replayed, age_s = _replayed()
            if self.replayed >= position or age_s <= settings.DATABASE_REPLICA_LAG_S:
                return True
            if time.monotonic() >= ends:
                return False
            time.sleep(WAIT_STEP_S)

    def put_aside(self, trouble: str, error: Exception | None = None) -> None:
        """From here on, until a look finds it well, the primary is read; said once."""
        if not self.trouble:
            log.warning("replica is not read", trouble=trouble, error=type(error).__name__ if error else "")
        self.trouble = trouble
        self._checked_at = time.monotonic()


_watch = _Watch()


def is_configured() -> bool:
    """Whether there is a replica at all."""
    return REPLICA in connections.settings


def write_position() -> int:
    """The position of the primary now: all that was committed until now is before it."""
    with connections[PRIMARY].cursor() as cursor:
        cursor.execute(WRITTEN)
        return int(cursor.fetchone()[0])


def _replayed() -> tuple[int, float]:
    """How far the replica is, and how old in seconds what it replayed last; OperationalError where it does not answer, or is
    no replica any more."""
    with connections[REPLICA].cursor() as cursor:
        cursor.execute(REPLAYED)
        is_replica, position, age_s = cursor.fetchone()
    if not is_replica or position is None:
        raise OperationalError("what DATABASE_REPLICA_URL names is not a replica")
    return int(position), float("inf") if age_s is None else float(age_s)


def note_write(member_id: int | None) -> None:
    """Notes that a job has just committed something in somebody's name, for the next list that they look at."""
    if member_id is not None and is_configured():
        cache.store(_name(member_id), write_position(), WRITES_LIFETIME_S)


def noted_write(member_id: int) -> int:
    """The position of what a job last wrote for somebody; 0 where nothing is known of any."""
    return int(cache.load(_name(member_id)) or 0)


def _name(member_id: int) -> str:
    return f"written-for:{member_id}"


def alias_for(position: int, *, wait_s: float = 0.0) -> str:
    """The database to read what was written until the position: "replica" where it answers, has that, and lags no more
    than DATABASE_REPLICA_LAG_S; else "default". `wait_s`: so long it is waited for."""
    if not is_configured():
        return PRIMARY
    ends = time.monotonic() + wait_s
    _watch.look()
    while not _watch.trouble:
        if _has(position):
            LIST_READS.labels("replica").inc()
            return REPLICA
        if _watch.trouble or time.monotonic() >= ends:
            break
        time.sleep(WAIT_STEP_S)
    LIST_READS.labels(f"primary: {_watch.trouble or 'not there yet'}").inc()
    return PRIMARY


def _has(position: int) -> bool:
    if _watch.replayed < position:
        try:
            _watch.replayed, _ = _replayed()
        except (OperationalError, InterfaceError) as error:
            _watch.put_aside("away", error)
            return False
    return _watch.replayed >= position


def read_behind(position: int, read: Callable[[str], Answer], *, wait_s: float = 0.0) -> Answer:
    """What `read` answers, given the alias of a database that has all that was written until the position. It is called
    again with the primary where the replica went away under it; what took too long is not tried again."""
    alias = alias_for(position, wait_s=wait_s)
    if alias == PRIMARY:
        return read(PRIMARY)
    try:
        return read(alias)
    except (OperationalError, InterfaceError) as error:
        if isinstance(error.__cause__, psycopg.errors.QueryCanceled):
            raise
        if not isinstance(error.__cause__, psycopg.errors.SerializationFailure):
            # Cancelled since it stood in the way of what was to be replayed: it is there, and well.
            _watch.put_aside("away", error)
        connections[REPLICA].close()
    LIST_READS.labels("primary: lost while reading").inc()
    return read(PRIMARY)
