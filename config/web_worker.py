"""The service's gunicorn worker: what the web server itself refuses is said in the interface's shape, not in HTML."""

import json
from socket import socket
from typing import Any

from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine  # type: ignore[import-untyped]
from gunicorn.util import write_nonblock  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

# What no view gets to see, because the request is never taken apart: status, reason, code, title.
TOO_LONG = (414, "URI Too Long", "uri_too_long", "The address is too long")
TOO_LARGE = (431, "Request Header Fields Too Large", "headers_too_large", "The headers are too large")


class ProblemWorker(ThreadWorker):  # type: ignore[misc]  # it comes without types
    """Threads, as `gthread`; an address or headers over the limit are answered with problem+json."""

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
