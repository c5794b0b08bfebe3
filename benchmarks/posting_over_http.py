"""Postings per second over HTTP, each with credentials, an idempotency key and validation, against the minimal
reference of ledger.py in the same PostgreSQL.

The posting is POST /v1/expenses: the published operation that moves money while its caller waits. It takes the money
in the ledger and writes the expense, its event, its audit line and the kept answer, in one transaction. It goes
through gunicorn as `up` runs it, with a worker per core, driven from another process at 8 connections that stay open.
The reference is driven by pgbench at 8 connections.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context

import psycopg
from ledger import SECONDS as REFERENCE_SECONDS
from ledger import holds, per_second, prepare, scripts
from measure import ROOT, House, cpu_seconds, house, in_turn, report

CONNECTIONS = 8
SECONDS = 6
BUSINESSES = 50

KEYS = f"""
import json
from service.sandbox.businesses import BusinessSpec, open_business
print(json.dumps([open_business(BusinessSpec(name=f"Business {{n}}")).credentials()["api_key"] for n in range({BUSINESSES})]))
"""


def api_keys(made: House) -> list[str]:
    """Businesses whose wallets the postings go out of, by their API keys."""
    out = subprocess.run(
        [sys.executable, "manage.py", "service", "shell", "--no-imports", "-c", KEYS],
        env=made.program_env("service"), cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    keys: list[str] = json.loads(out.strip().splitlines()[-1])
    return keys


@dataclass(frozen=True)
class Driven:
    """What a run of the clients came to."""

    posted: int
    seconds: float
    # CPU seconds of the client, which works on the same cores; and of the web server and of PostgreSQL, noted by whoever
    # started them.
    client: float
    web: float = 0
    postgres: float = 0

    @property
    def per_second(self) -> float:
        return self.posted / self.seconds


def requests(keys: list[str], run: str) -> Iterator[bytes]:
    """Requests without end, each with a business, a reference, an amount and a key of its own."""
    for number in itertools.count():
        body = json.dumps(
            {
                "amount": random.randint(1, 10_000) / 100,
                "currency": "KES",
                "org_wallet_ref": "1",
                "transaction_ref": f"{run}-{number}",
                "description": f"Taxi to customer {number}",
                "receiver": f"Taxi {number % 500}",
                "payment_type": "CARD",
            }
        )
        yield (
            f"POST /v1/expenses HTTP/1.1\r\nHost: localhost\r\nx-api-key: {random.choice(keys)}\r\n"
            f"Idempotency-Key: {run}-{number}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}"
        ).encode()


def read_answer(connection: socket.socket) -> bytes:
    """One whole answer; what is no 201 ends the benchmark."""
    answer = connection.recv(65536)
    while (end := answer.find(b"\r\n\r\n")) < 0:
        answer += connection.recv(65536)
    length = answer[:end].lower().split(b"content-length:", 1)[1].split(b"\r\n", 1)[0]
    while len(answer) < end + 4 + int(length):
        answer += connection.recv(65536)
    if not answer.startswith(b"HTTP/1.1 201"):
        raise AssertionError(answer.decode())
    return answer


def drive(port: int, keys: list[str], run: str) -> Driven:
    """Posts for SECONDS over connections that stay open, each with one request on its way; runs in another process."""
    fresh = requests(keys, run)
    posted, used = 0, time.process_time()
    with selectors.DefaultSelector() as ready:
        for _ in range(CONNECTIONS):
            connection = socket.create_connection(("localhost", port))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            ready.register(connection, selectors.EVENT_READ)
            connection.sendall(next(fresh))
        began = time.monotonic()
        open_ones = CONNECTIONS
        while open_ones:
            for key, _ in ready.select():
                connection = key.fileobj  # type: ignore[assignment]
                read_answer(connection)
                posted += 1
                if time.monotonic() - began < SECONDS:
                    connection.sendall(next(fresh))
                else:
                    ready.unregister(connection)
                    connection.close()
                    open_ones -= 1
    return Driven(posted, time.monotonic() - began, time.process_time() - used)


def posted_in_ledger(made: House) -> int:
    """How many expenses the ledger has taken money for."""
    assert made.postgres is not None
    with psycopg.connect(made.postgres.url("service_owner", "service")) as owner:
        row = owner.execute("SELECT count(*) FROM ledger_transaction WHERE kind = 'EXPENSE'").fetchone()
    assert row is not None
    return int(row[0])


def cpu(made: House) -> tuple[float, float]:
    """CPU seconds so far of the service's web server and of PostgreSQL."""
    assert made.postgres is not None
    assert made.postgres.process is not None
    return cpu_seconds(made.processes["service"].pid), cpu_seconds(made.postgres.process.pid)


def main() -> int:
    """Prints the ratio; the exit code says whether the goal is met, every answer has its posting and the ledger holds."""
    with house("service") as made:
        business, first = prepare(made)
        keys = api_keys(made)
        made.env["WEB_WORKERS"] = str(os.cpu_count())
        made.serve("service", made.service_port)
        made.wait_ready(made.service_address, "the service")
        _, reference = scripts(business, first, hot=False)
        runs: list[Driven] = []
        reference_s: list[float] = []
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as client:

            def ours() -> float:
                before = cpu(made)
                run = client.submit(drive, made.service_port, keys, f"run{len(runs)}").result()
                web, postgres = (after - first for after, first in zip(cpu(made), before, strict=True))
                runs.append(replace(run, web=web, postgres=postgres))
                return run.per_second

            def theirs() -> float:
                before = cpu(made)
                speed = per_second(made, reference)
                reference_s.append((cpu(made)[1] - before[1]) / (speed * REFERENCE_SECONDS))
                return speed

            ours(), theirs()
            ratio = in_turn(ours, theirs)
        good = posted_in_ledger(made) == sum(run.posted for run in runs)
        good &= holds(made)
        best = max(runs, key=lambda run: run.per_second)
        print(
            f"{best.per_second:,.0f} postings a second over HTTP at best; each takes {1000 * best.web / best.posted:.2f} ms"
            f" of the web server's CPU and {1000 * best.postgres / best.posted:.2f} ms of PostgreSQL's, beside"
            f" {1000 * best.client / best.posted:.2f} ms of the client's; one of the reference"
            f" {1000 * min(reference_s):.2f} ms of PostgreSQL's"
        )
        good &= report("posting over HTTP / minimal reference", ratio, 0.12, at_most=False)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
