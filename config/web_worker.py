"""The service's gunicorn worker: what the web server itself refuses is said in the interface's shape, not in HTML."""

import json
import select
from socket import socket
from typing import Any

from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine  # type: ignore[import-untyped]
from gunicorn.util import write_nonblock  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

# What no view gets to see, because the request is never taken apart: status, reason, code, title.
TOO_LONG = (414, "URI Too Long", "uri_too_long", "The address is too long")
TOO_LARGE = (431, "Request Header Fields Too Large", "headers_too_large", "The headers are too large")


# How long a thread waits for the next request of a connection that stays open, and how many threads never do.
NEXT_REQUEST_MS, FREE_THREADS = 2, 2


class ProblemWorker(ThreadWorker):  # type: ignore[misc]  # it comes without types
    """Threads, as `gthread`; an address or headers over the limit are answered with problem+json."""

    waiting = 0

    def handle(self, conn: Any) -> Any:
        """A request, and those that follow it at once on the same connection.

        Who asks again as soon as the answer is there, as a dashboard does that fills its copy or a machine that posts, is
        answered by the same thread: to give the connection back to the loop wakes two threads for each request.
        """
        outcome = super().handle(conn)
        while outcome is True and self.alive and self.has_next(conn):
            outcome = super().handle(conn)
        return outcome

    def has_next(self, conn: Any) -> bool:
        """Whether the next request on a connection is there, or comes within NEXT_REQUEST_MS while threads are free."""
        if conn.parser.unreader.buf.getvalue():
            return True
        if self.waiting >= self.cfg.threads - FREE_THREADS:
            return False
        self.waiting += 1
        try:
            poll = select.poll()
            poll.register(conn.sock, select.POLLIN)
            return bool(poll.poll(NEXT_REQUEST_MS))
        finally:
            self.waiting -= 1

    def handle_error(self, req: Any, client: socket, addr: Any, exc: BaseException) -> None:
        """414 and 431 in our own words; everything else as gunicorn has it."""
        problem = TOO_LONG if isinstance(exc, LimitRequestLine) else TOO_LARGE
        if not isinstance(exc, LimitRequestLine | LimitRequestHeaders):
            super().handle_error(req, client, addr, exc)
            return
        try:
            write_nonblock(client, refusal(*problem))
        except OSError:
            self.log.debug("The refusal could not be sent.")


def refusal(status: int, reason: str, code: str, title: str) -> bytes:
    """A whole HTTP answer with a problem of decisions B.1; the address and the request id are not known."""
    problem = {
        "type": f"/errors/{code}", "title": title, "status": status, "detail": f"{title}.", "instance": "",
        "code": code, "errorMessage": f"{title}.", "errors": [], "request_id": "", "retryable": False,
    }  # fmt: skip
    body = json.dumps(problem).encode()
    head = (
        f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\n"
        f"Content-Type: application/problem+json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("ascii") + body
