"""What goes wrong with TLS: before a byte of the request has left nothing was done; afterwards nobody knows."""

import socket
import threading
from collections.abc import Iterator

import pytest

from dashboard import errors, operations
from dashboard.client.breaker import Breaker
from dashboard.client.gateway import ServiceResponse, send
from dashboard.client.http import Call, Deadline
from dashboard.client.models import OutboundOperation
from dashboard.client.sessions import session_for
from dashboard.client.transport import perform
from dashboard.mirror.models import Expense
from tests.dashboard.client.conftest import Town
from tests.faults import TLS_MODES


def approve(town: Town, deadline: float = 1.5, row: Expense | None = None) -> ServiceResponse:
    row = row or town.house.expense("Carla")
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


def entry(town: Town) -> OutboundOperation:
    return OutboundOperation.objects.get(business=town.house.business)


@pytest.mark.parametrize("mode", TLS_MODES)
def test_a_write_that_tls_broke_after_it_was_sent_is_unknown(tls_town: Town, mode: str) -> None:
    tls_town.proxy.fail(mode, path="/approve")
    with pytest.raises(errors.Unknown) as failure:
        approve(tls_town)
    assert tls_town.service.effects
    assert (failure.value.has_left, failure.value.changed) == (True, None)
    assert (entry(tls_town).state, entry(tls_town).has_left) == ("UNKNOWN", True)


@pytest.mark.parametrize("mode", TLS_MODES)
def test_one_such_break_is_survived_and_the_effect_is_one(tls_town: Town, mode: str) -> None:
    tls_town.proxy.fail(mode, path="/approve", times=1)
    assert approve(tls_town, deadline=5.0).data["status"] == "APPROVED"
    assert len(tls_town.service.effects) == 1
    assert entry(tls_town).state == "CONFIRMED"


def test_a_certificate_that_is_trusted_no_more_gets_nothing(tls_town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    send(tls_town.house.actor("Ada"), operations.LIST_EXPENSES, query={"limit": 1})
    monkeypatch.undo()
    session_for(f"{tls_town.proxy.address}/v2").close()
    with pytest.raises(errors.Unavailable) as failure:
        approve(tls_town)
    assert (failure.value.has_left, failure.value.changed) == (False, False)
    assert (entry(tls_town).state, entry(tls_town).has_left) == ("PENDING", False)
    assert tls_town.proxy.sent("POST") == []


def test_a_doubt_stays_where_tls_fails_when_it_is_asked_again(tls_town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    row = tls_town.house.expense("Carla")
    tls_town.proxy.fail("tls alert", path="/approve")
    with pytest.raises(errors.Unknown):
        approve(tls_town, row=row)
    monkeypatch.undo()
    session_for(f"{tls_town.proxy.address}/v2").close()
    with pytest.raises(errors.Unknown):
        approve(tls_town, row=row)
    assert (entry(tls_town).state, entry(tls_town).has_left) == ("UNKNOWN", True)


def hang_up(client: socket.socket) -> None:
    client.recv(8)


def speak_plainly(client: socket.socket) -> None:
    client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def say_nothing(client: socket.socket) -> None:
    while client.recv(65536):
        pass


@pytest.fixture(params=[hang_up, speak_plainly, say_nothing])
def without_handshake(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of something that takes connections and never comes to speak TLS."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client:
                    request.param(client)

        threading.Thread(target=serve, daemon=True).start()
        yield f"https://localhost:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


def test_where_no_handshake_comes_to_its_end_nothing_was_sent(without_handshake: str) -> None:
    call = Call(without_handshake, "POST", "/x", "/x", {}, body=b"{}", tries=1)
    with pytest.raises(errors.Unavailable) as failure:
        perform(call, Deadline(0.8), Breaker(), lambda: "t", lambda _: None)
    assert (failure.value.has_left, failure.value.changed) == (False, False)
