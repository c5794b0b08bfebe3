"""One schedule at work of all that are started: it holds a lease in Redis, where the jobs go that it asks for.

Where Redis is away, no schedule works: there would be nobody to ask. Where Redis lost what it had, the first that comes has
the lease; were two to ask for a job in that moment, it is done once all the same: what is due is claimed in PostgreSQL.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import redis

from config.scheduler import WorkScheduler

log = logging.getLogger(__name__)

# A holder that died is followed after at most this, and looks itself a third of it after its last renewal.
LEASE_S = 9.0
RENEW_S = LEASE_S / 3
# In the program's database of jobs.
LEASE_NAME = "countersign:schedule:{program}"
# Ours or nobody's: then it is ours for another LEASE_S. Somebody else's: 0.
TAKE = """
local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
# Given back where it is ours, in one step: between a look and the deletion another one may have got it.
GIVE_BACK = """
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
return 0
"""


class Lease:
    """A lease that one of many has, under a name; `now` is a clock in seconds that nobody sets back."""

    def __init__(self, store: redis.Redis, name: str, now: Callable[[], float] = time.monotonic) -> None:
        self.store, self.name, self.now = store, name, now
        # Whoever looks sees which process of which machine it is.
        self.holder = f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex}"
        self.until = 0.0
        self.renew_at = 0.0
        # As the last answer had it; False where there was none.
        self.is_held_elsewhere = False

    def hold(self) -> bool:
        """Whether it is ours now; asks again in time. Without an answer it is ours only for what is left of it."""
        began = self.now()
        if self.until > began and self.renew_at > began:
            return True
        try:
            got = self.store.eval(TAKE, 1, self.name, self.holder, str(int(LEASE_S * 1000)))
        except redis.RedisError as error:
            log.warning("the lease of the schedule cannot be asked for (%s)", type(error).__name__)
            self.is_held_elsewhere = False
            return self.until > self.now()
        # From before it was asked: our own clock never gives us longer than Redis does.
        self.until = began + LEASE_S if got else 0.0
        self.renew_at = began + RENEW_S
        self.is_held_elsewhere = not got
        return bool(got)

    def release(self) -> None:
        """Lets the next one have it at once."""
        if self.until > self.now():
            self.until = 0.0
            try:
                self.store.eval(GIVE_BACK, 1, self.name, self.holder)
            except redis.RedisError:
                log.warning("the lease of the schedule could not be given back: it ends by itself")


class LeasedScheduler(WorkScheduler):
    """The schedule of both programs for more than one machine: `celery -A config.celery beat -S config.cluster.schedules:LeasedScheduler`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._lease: Lease | None = None
        self._works = False
        super().__init__(*args, **kwargs)

    @property
    def lease(self) -> Lease:
        """Of the program whose jobs these are."""
        if self._lease is None:
            store = redis.Redis.from_url(self.app.conf.broker_url, socket_timeout=3, socket_connect_timeout=3)
            self._lease = Lease(store, LEASE_NAME.format(program=self.app.main))
        return self._lease

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Asks for what is due, where the lease is ours; in how many seconds to look again."""
        if (works := self.lease.hold()) != self._works:
            self._works = works
            if works:
                log.warning("this schedule works from now on")
            elif self.lease.is_held_elsewhere:
                log.warning("another schedule works from now on")
            else:
                log.warning("this schedule works no more: nobody answers whose the lease is")
        if not works:
            return RENEW_S
        due: float = super().tick(*args, **kwargs)
        return min(due, RENEW_S)

    def close(self) -> None:
        """At a peaceful end the other one need not wait."""
        self.lease.release()
        super().close()
