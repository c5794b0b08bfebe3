"""What goes wrong between the two programs: how long it takes, what is said of it, and that nothing happens twice."""

import contextlib
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from dashboard import errors, operations
from dashboard.client.breaker import Breaker
from dashboard.client.gateway import ServiceResponse, send
from dashboard.client.http import Call, Deadline
from dashboard.client.models import OutboundOperation
from dashboard.client.transport import perform
from tests.dashboard.client.conftest import Town

HANG_GUARD_S = 7.5


def read(town: Town, deadline: float = 1.0) -> ServiceResponse:
    return send(town.house.actor("Ada"), operations.LIST_EXPENSES, query={"limit": 1}, deadline=deadline)


def approve(town: Town, deadline: float = 3.0) -> ServiceResponse:
    row = town.house.expense("Carla")
    town.service.know(row)
    return send(
        town.house.actor("Rita"),
        operations.APPROVE_EXPENSE,
        path={"expenseId": row.remote_id},
        body={},
        subject=row,
        key=f"k-{row.remote_id}",
        deadline=deadline,
    )


def raised(call: Callable[[], ServiceResponse]) -> errors.FinanceError:
    began = time.monotonic()
    with pytest.raises(errors.FinanceError) as told:
        call()
    assert time.monotonic() - began < HANG_GUARD_S
    return told.value


@pytest.mark.parametrize(
    ("mode", "error"),
    [
        ("slow", errors.TimedOut),
        ("hang", errors.TimedOut),
        ("reset", errors.TimedOut),
        ("truncated", errors.TimedOut),
        ("bad json", errors.BadAnswer),
        ("401", errors.AuthFailed),
        ("403", errors.ScopeMissing),
        ("429", errors.TooMany),
        ("500", errors.ServerFailed),
    ],
)
def test_a_read_fails_in_time_and_in_words(town: Town, mode: str, error: type[errors.FinanceError]) -> None:
    read(town)
    town.proxy.fail(mode, path="/expenses")
    failure = raised(lambda: read(town))
    assert type(failure) is error
    assert failure.changed is False
    assert failure.user_message.count(".") >= 2
    town.proxy.heal()
    assert read(town).status == 200


@pytest.mark.parametrize("mode", ["reset", "truncated", "429", "401", "lost reply"])
def test_one_fault_is_survived_and_the_effect_is_one(town: Town, mode: str) -> None:
    town.proxy.fail(mode, path="/approve", times=1)
    assert approve(town).data["status"] == "APPROVED"
    assert len(town.service.effects) == 1
    keys = {sent.headers["Idempotency-Key"] for sent in town.proxy.sent("POST")}
    assert len(keys) == 1
    assert OutboundOperation.objects.get(business=town.house.business).state == "CONFIRMED"


@pytest.mark.parametrize("mode", ["hang", "reset", "truncated", "bad json", "500", "lost reply"])
def test_a_write_without_a_reliable_answer_is_unknown_and_never_failed(town: Town, mode: str) -> None:
    town.proxy.fail(mode, path="/approve")
    failure = raised(lambda: approve(town, deadline=1.5))
    assert type(failure) is errors.Unknown
    assert failure.changed is None
    assert "Do not repeat" in failure.user_message
    assert OutboundOperation.objects.get(business=town.house.business).state == "UNKNOWN"
    assert len(town.service.effects) <= 1


@pytest.mark.parametrize(
    ("mode", "error", "state"),
    [
        ("429", errors.TooMany, "DEFERRED"),
        ("403", errors.ScopeMissing, "REJECTED"),
        ("401", errors.AuthFailed, "DEFERRED"),
    ],
)
def test_a_write_that_was_certainly_not_done_says_so(
    town: Town, mode: str, error: type[errors.FinanceError], state: str
) -> None:
    town.proxy.fail(mode, path="/approve")
    failure = raised(lambda: approve(town))
    assert type(failure) is error
    assert failure.changed is False
    assert OutboundOperation.objects.get(business=town.house.business).state == state
    assert town.service.effects == []


def test_a_service_that_is_down_was_not_reached(town: Town) -> None:
    town.proxy.server.shutdown()
    town.proxy.server.server_close()
    failure = raised(lambda: approve(town, deadline=1.0))
    assert type(failure) is errors.Unavailable
    assert OutboundOperation.objects.get(business=town.house.business).state == "PENDING"


class Dripping(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        with contextlib.suppress(OSError):
            for _ in range(1000):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.05)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Says nothing."""


def test_an_answer_that_drips_does_not_outlast_the_deadline() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Dripping) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        call = Call(f"http://localhost:{server.server_address[1]}", "GET", "/", "/", {}, tries=1)
        began = time.monotonic()
        with pytest.raises(errors.TimedOut):
            perform(call, Deadline(0.4), Breaker(), lambda: "t", lambda _: None)
        assert time.monotonic() - began < 2.0
        server.shutdown()


def test_a_service_that_keeps_failing_is_left_alone_for_a_while_and_asked_again(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dashboard.client import breaker

    read(town)
    town.proxy.fail("500", path="/expenses")
    for _ in range(breaker.LEAST_CALLS + 1):
        raised(lambda: read(town))
    asked = len(town.proxy.sent())
    assert type(raised(lambda: read(town))) is errors.CircuitOpen
    assert len(town.proxy.sent()) == asked
    monkeypatch.setattr(breaker, "PAUSE_S", 0.0)
    town.proxy.heal()
    assert read(town).status == 200
    assert read(town).status == 200
