"""A small proxy of ours between the dashboard and the service: passes on, records what was sent, and fails on request.

with FaultProxy("http://localhost:8001") as proxy:
    proxy.fail("lost reply", path="/expenses/approve")   # until proxy.heal(), or `times` times
    ... proxy.sent("POST")  # what reached it, oldest first: a refused action must send nothing

With `tls` (tests/certificates.py) it listens on https, and can fail as TLS does.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import socket
import ssl
import struct
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

MODES = (
    "slow", "hang", "reset", "truncated", "bad json", "401", "403", "429", "500", "lost reply", "refused",
)  # fmt: skip
# Records that are no part of the connection's cipher, once the service has answered: instead of its answer, or in it.
TLS_MODES = ("tls alert", "bad record", "bad record in the answer")
ALERT = b"\x15\x03\x03\x00\x02\x02\x28"
BAD_RECORD = b"\x17\x03\x03\x00\x40" + bytes(range(64))
SLOW_S = 3.0
HANG_S = 20.0
# Posted, and yet a question: what is asked for stands in the body.
QUESTIONS = ("/oauth/token", "/subscriptions/amount-spent", "/payments/duplicates")


@dataclass
class Sent:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    passed_on: bool = False
    status: int | None = None
    # When it arrived (seconds since the epoch), and whether the service answered with what it had answered before.
    at: float = field(default_factory=time.time)
    replayed: bool = False

    @property
    def json(self) -> Any:
        return json.loads(self.body or b"null")

    @property
    def is_write(self) -> bool:
        """Whether it asks for something to be done."""
        return self.method != "GET" and not self.path.partition("?")[0].endswith(QUESTIONS)


@dataclass
class Fault:
    mode: str
    path: str = ""
    method: str = ""
    left: int | None = None
    # How long what is slow takes, where not as long as all.
    seconds: float | None = None

    def hits(self, method: str, path: str) -> bool:
        return self.path in path and self.method in ("", method) and self.left != 0


@dataclass
class FaultProxy:
    """Listens on a loopback port of its own; `address` is what the dashboard is pointed at."""

    upstream: str
    record: list[Sent] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    tls: ssl.SSLContext | None = None

    def __post_init__(self) -> None:
        handler = type("Handler", (_Handler,), {"proxy": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def address(self) -> str:
        return f"{'https' if self.tls else 'http'}://localhost:{self.server.server_address[1]}"

    def __enter__(self) -> FaultProxy:
        self.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()

    def fail(
        self, mode: str, *, path: str = "", method: str = "", times: int | None = None, seconds: float | None = None
    ) -> None:
        """From now on requests whose path contains `path` go wrong in this way, `times` times or until `heal`; what is slow
        takes so many seconds."""
        assert mode in (MODES + TLS_MODES if self.tls else MODES), mode
        self.faults.append(Fault(mode, path, method, times, seconds))

    def heal(self) -> None:
        """Everything passes again."""
        self.faults.clear()

    def sent(self, method: str = "", path: str = "", *, since: int = 0) -> list[Sent]:
        """What arrived, oldest first, but for the first so many of the record; token requests are not counted."""
        with self.lock:
            return [
                one
                for one in itertools.islice(self.record, since, None)
                if method in ("", one.method) and path in one.path and "/oauth/" not in one.path
            ]

    def fault_for(self, method: str, path: str) -> Fault | None:
        with self.lock:
            for fault in self.faults:
                if fault.hits(method, path):
                    if fault.left is not None:
                        fault.left -= 1
                    return fault
        return None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 64 * 1024
    proxy: FaultProxy

    def setup(self) -> None:
        if self.proxy.tls:
            self.request = self.proxy.tls.wrap_socket(self.request, server_side=True, do_handshake_on_connect=False)
        super().setup()

    def handle(self) -> None:
        # A client that does not want our certificate, or speaks plainly, is gone before it has asked for anything.
        with contextlib.suppress(ssl.SSLError):
            super().handle()

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        sent = Sent(self.command, self.path, dict(self.headers), self.rfile.read(length) if length else b"")
        with self.proxy.lock:
            self.proxy.record.append(sent)
        fault = self.proxy.fault_for(self.command, self.path)
        mode = fault.mode if fault else ""
        if fault and mode == "slow":
            self.proxy.stopping.wait(SLOW_S if fault.seconds is None else fault.seconds)
        elif mode == "hang":
            self.proxy.stopping.wait(HANG_S)
            self.close_connection = True
            return
        elif mode in {"reset", "refused"}:
            self._reset()
            return
        elif mode in {"401", "403", "429", "500"}:
            self._problem(int(mode))
            sent.status = int(mode)
            return
        status, headers, body = self._pass_on(sent)
        sent.status = status
        sent.replayed = any(name.lower() == "idempotency-replayed" for name, _ in headers)
        if mode == "lost reply":
            self._reset()
        elif mode == "truncated":
            self._answer(status, headers, body[: max(1, len(body) // 2)], claimed=len(body) + 10)
            self._reset()
        elif mode in {"tls alert", "bad record"}:
            self._break_in(ALERT if mode == "tls alert" else BAD_RECORD)
        elif mode == "bad record in the answer":
            self._answer(status, headers, body[: max(1, len(body) // 2)], claimed=len(body))
            self._break_in(BAD_RECORD)
        elif mode == "bad json":
            self._answer(status, headers, b"<html>oops</html>")
        else:
            self._answer(status, headers, body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815

    def _pass_on(self, sent: Sent) -> tuple[int, list[tuple[str, str]], bytes]:
        target = urlsplit(self.proxy.upstream)
        connection = http.client.HTTPConnection(target.hostname or "localhost", target.port or 80, timeout=30)
        try:
            kept = {name: value for name, value in sent.headers.items() if name.lower() not in {"host", "connection"}}
            sent.passed_on = True
            connection.request(sent.method, self.path, sent.body or None, kept)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()

    def _answer(self, status: int, headers: list[tuple[str, str]], body: bytes, *, claimed: int | None = None) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in {"content-length", "transfer-encoding", "connection"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(claimed if claimed is not None else len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def _problem(self, status: int) -> None:
        code = {401: "token_invalid", 403: "insufficient_scope", 429: "rate_limited", 500: "internal"}[status]
        body = json.dumps(
            {"status": status, "code": code, "title": code, "detail": code, "request_id": "fault"}
        ).encode()
        headers = [
            ("Content-Type", "application/problem+json"),
            ("Date", time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime())),
        ]
        if status == 429:
            headers.append(("Retry-After", "1"))
        self._answer(status, headers, body)

    def _break_in(self, record: bytes) -> None:
        """Writes past the cipher onto the wire, as whatever stands between could, and hangs up."""
        with socket.socket(fileno=os.dup(self.connection.fileno())) as wire:
            wire.sendall(record)
        self.close_connection = True

    def _reset(self) -> None:
        # A close with unsent data and no lingering is a reset on the wire.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def finish(self) -> None:
        with contextlib.suppress(OSError):
            super().finish()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Quiet: the record says what was sent."""
