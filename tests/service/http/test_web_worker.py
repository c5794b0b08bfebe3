"""A thread of the service's web server stays for the next request of its connection, and never all of them do."""

from __future__ import annotations

import io
import socket
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from config.web_worker import FREE_THREADS, NEXT_REQUEST_MS, ProblemWorker

THREADS = 4


@pytest.fixture
def worker() -> ProblemWorker:
    worker = ProblemWorker.__new__(ProblemWorker)
    worker.cfg = SimpleNamespace(threads=THREADS)
    return worker


@pytest.fixture
def ends() -> Iterator[tuple[SimpleNamespace, socket.socket]]:
    """A connection as gunicorn has it, and the client's end of it."""
    server, client = socket.socketpair()
    parser = SimpleNamespace(unreader=SimpleNamespace(buf=io.BytesIO()))
    with server, client:
        yield SimpleNamespace(sock=server, parser=parser), client


def test_a_request_that_is_there_is_answered_by_the_same_thread(
    worker: ProblemWorker, ends: tuple[SimpleNamespace, socket.socket]
) -> None:
    connection, client = ends
    client.send(b"GET /")
    assert worker.has_next(connection)
    assert worker.waiting == 0


def test_one_that_was_read_with_the_last_is_not_waited_for(
    worker: ProblemWorker, ends: tuple[SimpleNamespace, socket.socket]
) -> None:
    connection, _ = ends
    connection.parser.unreader.buf.write(b"GET /")
    worker.waiting = THREADS
    assert worker.has_next(connection)


def test_without_one_the_thread_is_free_again(
    worker: ProblemWorker, ends: tuple[SimpleNamespace, socket.socket]
) -> None:
    connection, _ = ends
    began = time.monotonic()
    assert not worker.has_next(connection)
    assert time.monotonic() - began >= NEXT_REQUEST_MS / 1000
    assert worker.waiting == 0


def test_the_last_threads_never_wait(worker: ProblemWorker, ends: tuple[SimpleNamespace, socket.socket]) -> None:
    connection, client = ends
    client.send(b"GET /")
    worker.waiting = THREADS - FREE_THREADS
    assert not worker.has_next(connection)
