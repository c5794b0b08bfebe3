"""Running a piece of work in a transaction again where PostgreSQL broke it off for a reason that passes by itself."""

import functools
import logging
import random
import time
from collections import Counter
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction

log = logging.getLogger(__name__)

DEADLOCK, SERIALIZATION = "40P01", "40001"
TRIES = 5
# How often each SQLSTATE was tried again in this process: exported as a metric.
RETRIED: Counter[str] = Counter()

P = ParamSpec("P")
T = TypeVar("T")


def sqlstate_of(error: BaseException) -> str:
    """The SQLSTATE that PostgreSQL gave, or the empty text."""
    cause = error.__cause__
    return getattr(cause, "sqlstate", None) or ""


def retried(work: Callable[P, T]) -> Callable[P, T]:
    """`work` again (up to 5 times, with jitter) after a deadlock; inside a transaction once only: it is lost anyway."""

    @functools.wraps(work)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        for attempt in range(1, TRIES + 1):
            try:
                return work(*args, **kwargs)
            except OperationalError as error:
                state = sqlstate_of(error)
                if connection.in_atomic_block or state not in (DEADLOCK, SERIALIZATION) or attempt == TRIES:
                    raise
                RETRIED[state] += 1
                log.warning("transaction broken off (%s), try %d", state, attempt + 1)
                time.sleep(random.uniform(0, 0.01 * 2**attempt))  # noqa: S311  jitter, not a secret
        raise AssertionError("unreachable")

    return run


def retried_transaction(work: Callable[P, T]) -> Callable[P, T]:
    """`work` in a transaction, run again after a deadlock where this is the outermost one; joins one that is open."""

    @functools.wraps(work)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with transaction.atomic():
            return work(*args, **kwargs)

    return retried(run)
