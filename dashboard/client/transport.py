"""HTTP to the service: timeouts, one total deadline, careful retries, no secrets
in any log. Only what stands behind the gateway may use it."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import requests
import structlog
from urllib3.exceptions import HTTPError, NewConnectionError

from dashboard.client.address import require_address
from dashboard.client.breaker import Breaker
from dashboard.client.http import Call, Deadline, Download, Reply
from dashboard.client.refusals import parse_refusal, refusal, retry_after
from dashboard.client.sessions import session_for
from dashboard.errors import CircuitOpen, FinanceError, TimedOut, Unavailable, Unknown
from telemetry import tracing

log = structlog.get_logger(__name__)

CONNECT_S = 3.0
LARGEST_ANSWER = 32 * 1024 * 1024
LARGEST_DOWNLOAD = 8 * 1024 * 1024 * 1024
PIECE = 64 * 1024
LONGEST_WAIT_S = 60.0
RETRIED = frozenset({408, 425, 429, 502, 503, 504})
# Answers given before the key is looked at: they say nothing of what an earlier try did.
INCONCLUSIVE_STATUSES = frozenset({401, 403, 408, 425, 429})
RETRIED_CONFLICTS = frozenset({"idempotency_in_progress", "concurrent_update"})


class _NotSent(Exception):
    """The call failed before a byte of it left."""


class _Lost(Exception):
    """Bytes had left when it failed: nobody knows what the service did with them."""


def perform(
    call: Call,
    deadline: Deadline,
    breaker: Breaker,
    bearer: Callable[[], str],
    drop: Callable[[str], None],
    *,
    in_doubt: bool = False,
) -> Reply:
    """Performs a call and returns its successful answer.

    `bearer` gives the token, `drop` takes back one that was answered with 401 (then there is one more try); `in_doubt`
    says that the same write may have been done by an earlier call. Raises the FinanceError of the answer, with
    `has_left` where anything of the call left us; Unknown where a write may have been done.
    """
    require_address(call.base_url)
    if not breaker.allows():
        raise CircuitOpen
    performance = _Performance(call, deadline, breaker, bearer, drop, doubtful=in_doubt)
    try:
        return performance.run()
    except FinanceError as error:
        error.has_left = error.has_left or performance.has_left
        raise
    finally:
        breaker.release()


@dataclass
class _Performance:
    call: Call
    deadline: Deadline
    breaker: Breaker
    bearer: Callable[[], str]
    drop: Callable[[str], None]
    # True once a write may have reached the service without an answer that says what became of it.
    doubtful: bool = False
    has_left: bool = False
    renewed: bool = False
    proof_requested: bool = False

    def run(self) -> Reply:
        attempt = 0
        while True:
            attempt += 1
            try:
                token = self.bearer()
            except FinanceError as refused:
                self.breaker.failed(auth=not refused.retryable)
                raise self._error_in_doubt(refused) from None
            try:
                reply = self._attempt(token, attempt)
            except (_NotSent, _Lost) as failed:
                self.breaker.failed()
                lost = isinstance(failed, _Lost)
                self.doubtful, self.has_left = self.doubtful or lost, self.has_left or lost
                if not self._wait_to_retry(attempt, None, sent=lost):
                    raise self._error_without_reply(failed) from None
                continue
            self.has_left = True
            if reply.status == 401 and not self.renewed:
                self.renewed = True
                self.drop(token)
                attempt -= 1
                continue
            self._count(reply)
            if 200 <= reply.status < 300:
                return replace(reply, after_doubt=self.doubtful and not _is_replay(reply))
            if not (self._is_retryable(reply) and self._wait_to_retry(attempt, reply, sent=True)):
                failure = self._refusal(reply)
                if not self._needs_proof(failure):
                    raise failure
            self.doubtful = self.doubtful or reply.status >= 500

    def _refusal(self, reply: Reply) -> FinanceError:
        refused = refusal(reply.status, reply.body, reply.headers, is_read=self.call.is_read)
        if not self.doubtful or self.call.is_read or _is_replay(reply):
            return refused
        # It may speak of what our own earlier try has done, or of nothing that was tried before.
        return refused if isinstance(refused, Unknown) else Unknown(refusal=refused)

    def _needs_proof(self, failure: FinanceError) -> bool:
        """Whether to ask once more: a refusal that is kept under the key comes again marked as its replay, and then it
        is what became of the key."""
        refused = failure.refusal if isinstance(failure, Unknown) else None
        if refused is None or self.proof_requested or self.deadline.left <= 0:
            return False
        status = refused.upstream_status or 0
        self.proof_requested = status < 500 and status not in INCONCLUSIVE_STATUSES
        return self.proof_requested

    def _count(self, reply: Reply) -> None:
        if reply.status == 401:
            self.breaker.failed(auth=True)
        elif reply.status >= 500:
            self.breaker.failed()
        else:
            self.breaker.succeeded()

    def _is_retryable(self, reply: Reply) -> bool:
        if reply.status == 409:
            return parse_refusal(reply.body).code in RETRIED_CONFLICTS
        return reply.status in RETRIED

    def _wait_to_retry(self, attempt: int, reply: Reply | None, *, sent: bool) -> bool:
        # Full jitter; the service's own wish first; the deadline before everything.
        if attempt >= self.call.tries or (sent and not self.call.safe):
            return False
        advised = retry_after(reply.headers) if reply else None
        pause = random.uniform(0, min(8.0, 0.3 * 2**attempt)) if advised is None else advised  # noqa: S311 - no secret
        if pause > LONGEST_WAIT_S or pause >= self.deadline.left:
            return False
        time.sleep(pause)
        return True

    def _error_without_reply(self, failed: Exception) -> FinanceError:
        if self.doubtful and not self.call.is_read:
            return Unknown()
        return TimedOut() if isinstance(failed, _Lost) else Unavailable()

    def _error_in_doubt(self, refused: FinanceError) -> FinanceError:
        return Unknown(refusal=refused) if self.doubtful and not self.call.is_read else refused

    def _attempt(self, token: str, attempt: int) -> Reply:
        started = time.monotonic()
        status: int | str = "no answer"
        name = f"{self.call.method} {self.call.template}"
        attributes: tracing.Attributes = {
            "http.request.method": self.call.method,
            "url.template": self.call.template,
            "attempt": attempt,
        }
        with tracing.span(name, tracing.Kind.CLIENT, attributes) as span:
            try:
                reply = self._exchange(token, started)
                status = reply.status
                span.set({"http.response.status_code": reply.status})
            finally:
                log.info(
                    "upstream",
                    method=self.call.method,
                    path=self.call.template,
                    status=status,
                    ms=int((time.monotonic() - started) * 1000),
                    upstream_request_id=self.call.headers.get("X-Request-Id", ""),
                    tried=attempt,
                )
        return reply

    def _exchange(self, token: str, started: float) -> Reply:
        left = self.deadline.left
        if left <= 0.01:
            raise _NotSent
        try:
            response = session_for(self.call.base_url).request(
                self.call.method,
                self.call.base_url + self.call.path,
                params=dict(self.call.query),
                data=self.call.body,
                headers={**self.call.headers, **({"traceparent": header} if (header := tracing.traceparent()) else {})},
                auth=_Bearer(token),
                timeout=(min(CONNECT_S, left), min(self.call.read_s, left)),
                allow_redirects=False,
                stream=True,
            )
        except requests.exceptions.ConnectTimeout:
            raise _NotSent from None
        except requests.exceptions.RequestException as error:
            raise (_NotSent if _never_connected(error) else _Lost) from None
        with response:
            try:
                if self.call.download is not None and 200 <= response.status_code < 300:
                    save_body(response, self.deadline, self.call.download)
                    body = b""
                else:
                    body = read_body(response, self.deadline)
            except Truncated:
                raise _Lost from None
        return Reply(response.status_code, response.headers, body, int((time.monotonic() - started) * 1000))


def _is_replay(reply: Reply) -> bool:
    """Whether the service says that this is the kept answer to the key (decisions B.2)."""
    return reply.headers.get("Idempotency-Replayed", "").lower() == "true"


class _Bearer(requests.auth.AuthBase):
    """Our own way to attach the token: never in a URL, never by an OAuth session."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


def _never_connected(error: requests.exceptions.RequestException) -> bool:
    """Whether it certainly failed before the request; `sessions.TLSConnection` says so of TLS, no other TLS error does."""
    if isinstance(error, requests.exceptions.InvalidSchema | requests.exceptions.InvalidURL):
        return True
    cause = error.args[0] if error.args else None
    return isinstance(getattr(cause, "reason", cause), NewConnectionError)


class Truncated(Exception):
    """An answer that broke off, grew too large, or did not end in time."""


def read_body(response: requests.Response, deadline: Deadline) -> bytes:
    """The answer's body, by pieces as they arrive, so that one that drips cannot outlast the deadline."""
    return b"".join(_pieces(response, deadline, LARGEST_ANSWER))


def save_body(response: requests.Response, deadline: Deadline, download: Download) -> None:
    """Saves the answer's body as a file, by pieces as they arrive: no more of it than a piece is in memory."""
    size = 0
    with download.path.open("wb") as file:
        for piece in _pieces(response, deadline, LARGEST_DOWNLOAD):
            file.write(piece)
            size += len(piece)
            download.on_bytes(size)


def _pieces(response: requests.Response, deadline: Deadline, most: int) -> Iterator[bytes]:
    size = 0
    while piece := _next_piece(response):
        size += len(piece)
        if size > most or deadline.left <= 0:
            raise Truncated
        yield piece


def _next_piece(response: requests.Response) -> bytes:
    try:
        piece: bytes = response.raw.read1(PIECE, decode_content=True)
    except (HTTPError, OSError):
        raise Truncated from None
    return piece
