"""The same read of several wallets at once: each with its own deadline, each with its own result."""

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connections
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.client.gateway import Answer, Prepared, prepare, read
from dashboard.client.http import Deadline
from dashboard.errors import FinanceError

MOST_AT_ONCE = 8


@dataclass(frozen=True)
class Ok:
    """What one wallet answered, and when."""

    answer: Answer
    as_of: datetime


@dataclass(frozen=True)
class Err:
    """Why one wallet did not answer, and when we gave up."""

    error: FinanceError
    as_of: datetime


def fan_out(
    actor: Actor, operation: Operation, calls: Mapping[str, Mapping[str, Any]], *, deadline: float = 1.5
) -> dict[str, Ok | Err]:
    """Asks for every wallet at once and returns each one's result by name, in the order given.

    `calls` are the keyword arguments of `gateway.send` by wallet. The gate is asked for each one, here, before any
    is sent. A total is complete only where every result is Ok. Reads only.
    """
    if not operation.is_read:
        raise TypeError("only reads are made in parallel")
    return at_once(
        {wallet: prepare(actor, operation, **{"deadline": deadline, **call}) for wallet, call in calls.items()}
    )


def at_once(prepared: Mapping[str, Prepared]) -> dict[str, Ok | Err]:
    """Makes several reads that have passed the gate, all at once; each one's result by name."""
    if not all(one.operation.is_read for one in prepared.values()):
        raise TypeError("only reads are made in parallel")
    if not prepared:
        return {}
    with ThreadPoolExecutor(min(MOST_AT_ONCE, len(prepared)), thread_name_prefix="wallet") as pool:
        asked: dict[str, Future[Ok | Err]] = {wallet: pool.submit(_ask, one) for wallet, one in prepared.items()}
        return {wallet: future.result() for wallet, future in asked.items()}


def _ask(prepared: Prepared) -> Ok | Err:
    try:
        return Ok(read(prepared, Deadline(prepared.deadline_s)), timezone.now())
    except FinanceError as error:
        return Err(error, timezone.now())
    finally:
        # A token that had to be fetched took a lock in the database, on this thread's own connection.
        connections.close_all()


def all_ok(results: Mapping[str, Ok | Err]) -> bool:
    """Whether every wallet answered: only then is a total a total and not a part of it."""
    return all(isinstance(result, Ok) for result in results.values())
