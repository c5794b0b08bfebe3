"""Six wallets' balances asked for at once, against the slowest of them asked for alone, by the same client.

The finance service is a small one of our own in another process: each wallet answers after a delay of its own.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from measure import House, house, in_turn, report

if TYPE_CHECKING:
    from dashboard.access.actor import Actor

# Seconds by wallet.
DELAYS = {"w0": 0.120, "w1": 0.150, "w2": 0.180, "w3": 0.220, "w4": 0.260, "w5": 0.300}
MOVEMENT_S = 0.250
MOVED = {"money_in": 1200.5, "money_out": 200.25, "net": 1000.25}
MOVEMENT = {"docs": [{"currency": "KES", **MOVED, "trend": [{"month": f"2026-{n:02}", **MOVED} for n in (9, 10, 11)]}]}


class Wallets(BaseHTTPRequestHandler):
    """Tokens at once, balances each in its time; connections stay open."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        """A token."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer({"access_token": "benchmark", "token_type": "Bearer", "expires_in": 3600})

    def do_GET(self) -> None:
        """GET /accounts/{id}/balance, or what moved."""
        if "/money-movement" in self.path:
            time.sleep(MOVEMENT_S)
            self.answer(MOVEMENT)
            return
        wallet = self.path.split("/")[-2]
        time.sleep(DELAYS[wallet])
        self.answer({"currency": "KES", "balances": {"available": 1200.5, "available_minor": 120050}})

    def answer(self, document: dict[str, Any]) -> None:
        """Headers and body in one packet."""
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self._headers_buffer.append(b"\r\n" + body)  # type: ignore[attr-defined]
        self.flush_headers()

    def log_message(self, *_: Any) -> None:
        """Nothing."""


def serve(port_to: Connection) -> None:
    """The small service, in its own process; says its port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Wallets)
    port_to.send(server.server_port)
    server.serve_forever()


@contextmanager
def upstream() -> Iterator[str]:
    """The small service's address."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=serve, args=(there,), daemon=True)
    process.start()
    try:
        yield f"http://localhost:{here.recv()}"
    finally:
        process.terminate()
        process.join()


def timed(run: Callable[[], object]) -> float:
    """Seconds that something takes."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def admin_at(made: House, address: str) -> Actor:
    """Makes this process the dashboard, with a business at the small service; its admin, Ada."""
    os.environ.update(made.program_env("dashboard") | {"LOG_LEVEL": "WARNING"})
    import django

    django.setup()
    from dashboard.access.actor import Actor
    from dashboard.access.models import Business, Membership, User
    from dashboard.access.secrets import seal
    from dashboard.client.models import ServiceAccount

    business = Business.objects.create(slug="bench", name="Benchmark")
    user = User.objects.create_user("ada@bench.example", name="Ada")
    ServiceAccount.objects.create(
        business=business, base_url=address, remote_business_id="b", client_id="c", client_secret_sealed=seal("s")
    )
    return Actor.for_membership(Membership.objects.create(user=user, business=business, role="ADMIN"))


def main() -> int:
    """Prints the ratio; the exit code says whether the goal is met."""
    with house("dashboard") as made, upstream() as address:
        actor = admin_at(made, address)
        from dashboard import operations
        from dashboard.client.reads import ReadCall, all_ok, read_live, read_together

        def at_once() -> float:
            balance = operations.READ_ACCOUNT_BALANCE
            calls = {wallet: ReadCall(balance, path={"id": wallet}) for wallet in DELAYS}
            results: dict[str, Any] = {}
            seconds = timed(lambda: results.update(read_together(actor, calls)))
            assert len(results) == len(DELAYS), results
            assert all_ok(results), results
            return seconds

        def alone(wallet: str) -> float:
            return timed(lambda: read_live(actor, operations.READ_ACCOUNT_BALANCE, path={"id": wallet}))

        def slowest() -> float:
            return max(alone(wallet) for wallet in DELAYS)

        print(f"the first time: {at_once() * 1000:.0f} ms at once, {slowest() * 1000:.0f} ms the slowest alone")
        good = report("six wallets at once / the slowest alone", in_turn(at_once, slowest, 15), 1.15, at_most=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
