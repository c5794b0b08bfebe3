"""What a process remembers for some seconds, and the marks by which another process makes it forget at once.

Looking up a token or a key in the shared cache on each request would cost a round trip. So a process keeps what it
looked up, and asks for one thing only, in the same round trip as the rate limit: whether there is a mark on it.
"""

import logging
import os
import threading
import time
from collections.abc import Sequence
from functools import cache
from typing import Any, Generic, TypeVar

import redis
from django.conf import settings

log = logging.getLogger(__name__)

T = TypeVar("T")

SECONDS = 20
MOST = 10_000


class TtlCache(Generic[T]):
    """Values by key, each for SECONDS; thread-safe, because each step is one operation on a dictionary."""

    def __init__(self) -> None:
        self._values: dict[str, tuple[float, T]] = {}

    def get(self, key: str) -> T | None:
        """The value while it is fresh."""
        entry = self._values.get(key)
        return entry[1] if entry and entry[0] > time.monotonic() else None

    def put(self, key: str, value: T) -> None:
        """Keeps a value under its key for SECONDS."""
        if len(self._values) >= MOST:
            self._values.clear()
        self._values[key] = (time.monotonic() + SECONDS, value)

    def clear(self) -> None:
        """Forgets all that is kept, in this process."""
        self._values.clear()


_opening = threading.Lock()


def shared() -> "redis.Redis":
    """The shared store of marks and counters; short time-outs, because requests wait for it."""
    # A process's first requests come in several threads at once: of two stores made side by side one would be thrown
    # away, and would close its connections under the request that uses them.
    with _opening:
        return _store()


@cache
def _store() -> "redis.Redis":
    store: redis.Redis = redis.Redis.from_url(
        settings.CACHES["default"]["LOCATION"], socket_timeout=0.5, socket_connect_timeout=0.5
    )
    return store


class _Line(threading.local):
    """The connection to a store that this thread keeps; none of a process that this one was forked from."""

    owner: tuple[int, "redis.Redis"] | None = None
    connection: Any = None


_line = _Line()


def send_together(store: "redis.Redis", commands: Sequence[tuple[str | int, ...]]) -> list[Any]:
    """What a store answers to commands that are sent at once. RedisError where it cannot be reached.

    On a connection that the thread keeps: to take one out of the pool and put it back costs more than the commands. One
    that was ended meanwhile is opened again, once.
    """
    if _line.owner is None or _line.owner[0] != os.getpid() or _line.owner[1] is not store:
        _line.connection = store.connection_pool.make_connection()
        _line.owner = (os.getpid(), store)
    try:
        return _journey(_line.connection, commands)
    except redis.ConnectionError:
        return _journey(_line.connection, commands)


def _journey(connection: Any, commands: Sequence[tuple[str | int, ...]]) -> list[Any]:
    try:
        connection.send_packed_command(connection.pack_commands(commands), check_health=False)
        return [connection.read_response() for _ in commands]
    except BaseException:
        # Answers may be on their way still, which the next to ask would take for theirs.
        connection.disconnect()
        raise


def invalidation_key(key: str) -> str:
    """Where the mark on a key stands."""
    return f"dead:{key}"


def invalidate(key: str) -> None:
    """Makes every process drop what it remembers under the key; the mark outlives what they remember."""
    try:
        shared().set(invalidation_key(key), 1, ex=2 * SECONDS)
    except redis.RedisError:
        log.exception("a revocation could not be told to the other processes: they learn of it in %s s", SECONDS)
