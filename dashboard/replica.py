"""Where lists and exports are read from: the replica, as long as it has what its reader last wrote; else the primary.

A position is a place in the primary's write-ahead log, in bytes from its beginning: a replica that has replayed the log
up to there has all that was committed before. Decisions, and whatever is read under a lock or to be written, never come
here: they read the primary. Without DATABASE_REPLICA_URL everything is the primary.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from typing import TypeVar

import psycopg
import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from django.db.models import Model
from django.db.utils import DatabaseErrorWrapper

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
# So many positions of the primary are kept for each stretch of time that a replica may lag.
PAIRS_PER_LAG = 8
# Beyond every position that there is: no replica has it.
READ_PRIMARY = 2**63 - 1
# The trouble of a replica of which nothing is known yet, good or bad.
NOT_KNOWN = "not known yet"
REPLAYED = "select pg_is_in_recovery(), pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint"
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
        # When the primary was at which position, by the clock of this process alone: two machines' clocks may differ by
        # more than the lag that is allowed.
        self._pairs: deque[tuple[float, int]] = deque()
        self.replayed = 0
        self._trouble = NOT_KNOWN

    @property
    def trouble(self) -> str:
        """Why it is not read, "" where it is. What was known is no knowledge any more, once a look at it takes too long."""
        if not self._trouble and time.monotonic() - self._checked_at > LOOK_EVERY_S + settings.DATABASE_REPLICA_LAG_S:
            return NOT_KNOWN
        return self._trouble

    def look(self) -> None:
        """Compares the two, if nobody just did."""
        if time.monotonic() - self._checked_at < LOOK_EVERY_S or not self._lock.acquire(blocking=False):
            return
        try:
            self._look()
        finally:
            self._lock.release()

    def _look(self) -> None:
        began = time.monotonic()
        # A primary that does not answer is no fault of the replica's: whoever reads is told.
        position = write_position()
        try:
            trouble = self._lag(began, position)
        except (OperationalError, InterfaceError) as error:
            return self.put_aside("away", error)
        if trouble == "behind":
            return self.put_aside(trouble)
        if self._trouble not in ("", NOT_KNOWN):
            if trouble:
                # It was put aside for something: that it is near again has to be seen.
                trouble = self._trouble
            else:
                log.info("replica is read again")
        self._trouble = trouble
        self._checked_at = time.monotonic()

    def _lag(self, now: float, position: int) -> str:
        """Nothing where it is where the primary is now, or was within the lag allowed; "behind" where it is not where that was
        before; else NOT_KNOWN: after a quiet hour a write of just now is on its way, and nobody looked when. So it is waited
        for, by whom nothing bad is known yet."""
        allowed_s = settings.DATABASE_REPLICA_LAG_S
        ends = time.monotonic() + (SETTLES_S if self._trouble in ("", NOT_KNOWN) else 0.0)
        if self._pairs and self._pairs[-1][1] > position:
            # Another server is the primary now: what the former one had says nothing of it.
            self._pairs.clear()
        while self._pairs and now - self._pairs[0][0] > 2 * allowed_s:
            self._pairs.popleft()
        while True:
            self.replayed = _replayed()
            if self.replayed >= position or any(
                then >= now - allowed_s and at <= self.replayed for then, at in self._pairs
            ):
                trouble = ""
                break
            if time.monotonic() >= ends:
                is_behind = any(then < now - allowed_s and at > self.replayed for then, at in self._pairs)
                trouble = "behind" if is_behind else NOT_KNOWN
                break
            time.sleep(WAIT_STEP_S)
        if not self._pairs or now - self._pairs[-1][0] >= allowed_s / PAIRS_PER_LAG:
            self._pairs.append((now, position))
        return trouble

    def put_aside(self, trouble: str, error: Exception | None = None) -> None:
        """From here on, until a look finds it well, the primary is read; said once."""
        if self._trouble in ("", NOT_KNOWN):
            log.warning("replica is not read", trouble=trouble, error=type(error).__name__ if error else "")
        self._trouble = trouble
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


def _replayed() -> int:
    """How far the replica is; OperationalError where it does not answer, or is no replica any more."""
    with connections[REPLICA].cursor() as cursor:
        cursor.execute(REPLAYED)
        is_replica, position = cursor.fetchone()
    if not is_replica or position is None:
        raise OperationalError("what DATABASE_REPLICA_URL names is not a replica")
    return int(position)


def note_write(user_id: int | None) -> None:
    """Notes that something was just committed in somebody's name, for the next list that they look at. It never raises: where
    the primary does not say how far it is, they read the primary for a while."""
    if user_id is None or not is_configured():
        return
    try:
        position = write_position()
    except (OperationalError, InterfaceError) as error:
        log.warning("primary did not say how far it is", error=type(error).__name__)
        position = READ_PRIMARY
    cache.raise_to(_name(user_id), position, WRITES_LIFETIME_S)


def noted_write(user_id: int) -> int:
    """The position of what was last written in somebody's name; 0 where none is noted, READ_PRIMARY where the cache is away."""
    return int(cache.load(_name(user_id), away=READ_PRIMARY) or 0)


def _name(user_id: int) -> str:
    return f"written-for:{user_id}"


def alias_for(position: int, *, wait_s: float = 0.0) -> str:
    """The database to read what was written until the position: "replica" where it answers, has that, and lags no more
    than DATABASE_REPLICA_LAG_S; else "default". `wait_s`: so long it is waited for."""
    if not is_configured():
        return PRIMARY
    if position >= READ_PRIMARY:
        LIST_READS.labels("primary: not known what was written").inc()
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
            _watch.replayed = _replayed()
        except (OperationalError, InterfaceError) as error:
            _watch.put_aside("away", error)
            return False
    return _watch.replayed >= position


def read_behind(position: int, read: Callable[[str], Answer], *, wait_s: float = 0.0) -> Answer:
    """What `read` answers, given the alias of a database that has all that was written until the position. It is called
    again with the primary where the replica went away under it; what took too long is not tried again, nor what failed on
    another connection than the replica's."""
    alias = alias_for(position, wait_s=wait_s)
    if alias == PRIMARY:
        return read(PRIMARY)
    try:
        return read(alias)
    except (OperationalError, InterfaceError) as error:
        if _failed_on(error) != REPLICA or isinstance(error.__cause__, psycopg.errors.QueryCanceled):
            raise
        if not isinstance(error.__cause__, psycopg.errors.SerializationFailure):
            # Cancelled since it stood in the way of what was to be replayed: it is there, and well.
            _watch.put_aside("away", error)
        connections[REPLICA].close()
    LIST_READS.labels("primary: lost while reading").inc()
    return read(PRIMARY)


def _failed_on(error: Exception) -> str:
    """The alias of the connection that an error of the database came from: every one passes its connection's wrapper."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code is DatabaseErrorWrapper.__exit__.__code__:
            return str(frame.f_locals["self"].wrapper.alias)
    return ""
