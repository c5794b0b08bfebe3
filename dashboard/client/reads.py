"""Reads of the service for whoever shows or compares something: one, several at once, or the same of several wallets.

Everybody but a change reads here; what changes anything is refused, and goes through dashboard/commands/.
"""

from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connections
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.client.gateway import WEB_TRIES, Prepared, ServiceResponse, prepare, read, send
from dashboard.client.http import Deadline, Download
from dashboard.errors import FinanceError
from telemetry import tracing

MAX_CONCURRENT = 8


@dataclass(frozen=True)
class ReadCall:
    """One read among several: its operation with what `read_live` takes, `deadline` in seconds."""

    operation: Operation
    path: Mapping[str, str] | None = None
    query: Mapping[str, str | int] | None = None
    body: Mapping[str, Any] | None = None
    subject: object | None = None
    deadline: float = 1.5


@dataclass(frozen=True)
class Ok:
    """What one read answered, and when."""

    answer: ServiceResponse
    as_of: datetime


@dataclass(frozen=True)
class Err:
    """Why one read was not answered, and when we gave up."""

    error: FinanceError
    as_of: datetime


def read_live(
    actor: Actor,
    operation: Operation,
    *,
    path: Mapping[str, str] | None = None,
    query: Mapping[str, str | int] | None = None,
    body: Mapping[str, Any] | None = None,
    subject: object | None = None,
    deadline: float | None = None,
    tries: int = WEB_TRIES,
    as_bytes: bool = False,
    download: Download | None = None,
) -> ServiceResponse:
    """Asks the service as it is now, if the gate lets the actor; the answer's `data` is JSON, or bytes where asked for, or
    saved as the file of `download`.

    `deadline` is in seconds. Raises the FinanceError tree as `gateway.send` does, NotAllowed and NotFound (audited as
    a denial) before anything is sent; TypeError for an operation that changes anything.
    """
    _only_reads([operation])
    return send(
        actor, operation, path=path, query=query, body=body, subject=subject, deadline=deadline, tries=tries,
        as_bytes=as_bytes, download=download,
    )  # fmt: skip


def read_together(actor: Actor, reads: Mapping[str, ReadCall]) -> dict[str, Ok | Err]:
    """Makes several reads at once; each one's result by its name, in the order given.

    The gate is asked for each one, here, before any is sent: NotAllowed and NotFound (audited as a denial) and
    NotConnected are raised, whatever goes wrong later is that read's Err. TypeError for what changes anything.
    """
    _only_reads(spec.operation for spec in reads.values())
    prepared = {
        name: prepare(
            actor, spec.operation, path=spec.path, query=spec.query, body=spec.body, subject=spec.subject,
            deadline=spec.deadline,
        )
        for name, spec in reads.items()
    }  # fmt: skip
    if not prepared:
        return {}
    with ThreadPoolExecutor(min(MAX_CONCURRENT, len(prepared)), thread_name_prefix="wallet") as pool:
        futures: dict[str, Future[Ok | Err]] = {
            name: pool.submit(tracing.in_this_trace(_perform_read), spec) for name, spec in prepared.items()
        }
        return {name: future.result() for name, future in futures.items()}


def _only_reads(operations: Iterable[Operation]) -> None:
    if writes := [operation.name for operation in operations if not operation.is_read]:
        raise TypeError(f"only reads are made here: {', '.join(writes)} is a command")


def _perform_read(prepared: Prepared) -> Ok | Err:
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
