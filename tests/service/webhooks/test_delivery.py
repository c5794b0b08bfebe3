"""Deliveries: signed, in order, tried again on a schedule, given up in the end (decisions B.6)."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.utils import timezone
from standardwebhooks import Webhook

from service.events.models import AuditEvent
from service.events.outbox import record_event
from service.events.relay import relay
from service.webhooks import delivery as sending
from service.webhooks.delivery import SCHEDULE, Attempt, deliver_due, next_wait
from service.webhooks.models import Delivery, WebhookEndpoint
from service.webhooks.signatures import unseal
from tests.service.house import House

Received = list[tuple[dict[str, str], bytes]]


class Receiver:
    """A real server on loopback that keeps what it gets and answers what it is told."""

    def __init__(self) -> None:
        self.status, self.headers = 204, {}
        self.got: Received = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(outer.status)
                for name, value in outer.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Quiet."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}/hooks?x=1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    server = Receiver()
    yield server
    server.close()


@pytest.fixture
def hooked(committed: None, receiver: Receiver) -> House:
    """A business whose events go to the receiver."""
    from service.sandbox.businesses import BusinessSpec

    return House(BusinessSpec(webhook_url=receiver.url))


def happen(house: House, count: int = 1, kind: str = "expense.updated") -> None:
    for number in range(count):
        record_event(house.business, kind, {"_id": f"{number + 1}", "n": number, "amount": 12.5})
    relay()


def mine(house: House) -> Any:
    return Delivery.objects.filter(endpoint__business=house.business).order_by("id")


def deliver(house: House) -> None:
    """Only this business's deliveries are due: other tests leave theirs."""
    others = Delivery.objects.exclude(endpoint__business=house.business).filter(status="PENDING")
    others.update(status="DEAD")
    deliver_due()


def test_a_delivery_is_signed_and_holds_the_whole_object(hooked: House, receiver: Receiver) -> None:
    happen(hooked)
    deliver(hooked)
    [(headers, body)] = receiver.got
    event = Webhook(hooked.opened.webhook_secret).verify(body, headers)
    assert event["type"] == "expense.updated"
    row = event["data"]["object"]
    assert {name: row[name] for name in ("_id", "n", "amount")} == {"_id": "1", "n": 0, "amount": 12.5}
    assert set(row) == {"_id", "n", "amount", "version", "updated_at"}
    assert (event["sequence"], event["business_id"], event["id"]) == (1, hooked.business.id, headers["webhook-id"])
    assert mine(hooked).get().status == "DELIVERED"


def test_two_signatures_while_the_secret_is_rotated(hooked: House, receiver: Receiver) -> None:
    endpoint = WebhookEndpoint.objects.get(business=hooked.business)
    fresh = hooked.post(f"/webhook-endpoints/{endpoint.id}/rotate-secret").json()["secret"]
    happen(hooked)
    deliver(hooked)
    headers, body = receiver.got[-1]
    assert len(headers["webhook-signature"].split()) == 2
    for secret in (fresh, hooked.opened.webhook_secret):
        Webhook(secret).verify(body, headers)


def test_events_arrive_in_order(hooked: House, receiver: Receiver) -> None:
    happen(hooked, 6)
    deliver(hooked)
    sequences = [
        Webhook(hooked.opened.webhook_secret).verify(body, headers)["sequence"] for headers, body in receiver.got
    ]
    assert sequences == [1, 2, 3, 4, 5, 6]


def test_only_the_kinds_that_were_asked_for(hooked: House, receiver: Receiver) -> None:
    WebhookEndpoint.objects.filter(business=hooked.business).update(kinds=["card.*", "expense.approved"])
    for kind in ("expense.updated", "expense.approved", "card.created", "card_order.requested"):
        happen(hooked, kind=kind)
    deliver(hooked)
    assert sorted(mine(hooked).values_list("event__kind", flat=True)) == ["card.created", "expense.approved"]


def test_a_failure_waits_its_turn_and_keeps_its_id(hooked: House, receiver: Receiver) -> None:
    receiver.status = 500
    happen(hooked)
    deliver(hooked)
    row = mine(hooked).get()
    assert (row.status, row.attempts, row.last_status) == ("PENDING", 1, 500)
    assert timedelta(seconds=4) < row.due_at - timezone.now() < timedelta(seconds=6)
    deliver(hooked)
    assert len(receiver.got) == 1
    receiver.status = 200
    mine(hooked).update(due_at=timezone.now())
    deliver(hooked)
    first, second = (headers for headers, _ in receiver.got)
    assert first["webhook-id"] == second["webhook-id"]
    assert mine(hooked).get().status == "DELIVERED"
    assert WebhookEndpoint.objects.get(business=hooked.business).failing_since is None


def test_410_disables_and_the_owner_is_told(hooked: House, receiver: Receiver) -> None:
    receiver.status = 410
    happen(hooked)
    deliver(hooked)
    endpoint = WebhookEndpoint.objects.get(business=hooked.business)
    assert (endpoint.status, mine(hooked).get().status) == ("DISABLED", "DEAD")
    assert AuditEvent.objects.filter(business=hooked.business, action="webhook.disable").exists()
    happen(hooked)
    deliver(hooked)
    assert len(receiver.got) == 1


@pytest.mark.parametrize("status", [301, 302])
def test_a_redirect_is_not_followed(hooked: House, receiver: Receiver, status: int) -> None:
    receiver.status, receiver.headers = status, {"Location": receiver.url}
    happen(hooked)
    deliver(hooked)
    assert len(receiver.got) == 1
    assert mine(hooked).get().status == "PENDING"


def test_retry_after_is_honoured(hooked: House, receiver: Receiver) -> None:
    receiver.status, receiver.headers = 429, {"Retry-After": "120"}
    happen(hooked)
    deliver(hooked)
    assert mine(hooked).get().due_at - timezone.now() > timedelta(seconds=115)


def test_an_address_that_turned_private_is_not_called(hooked: House, receiver: Receiver, settings: Any) -> None:
    happen(hooked)
    settings.WEBHOOK_ALLOW_LOOPBACK = False
    deliver(hooked)
    assert receiver.got == []
    assert mine(hooked).get().last_error == "Give an https address."


def test_nobody_there_is_a_failure_like_others(hooked: House, receiver: Receiver) -> None:
    WebhookEndpoint.objects.filter(business=hooked.business).update(url="http://localhost:9/")
    happen(hooked)
    deliver(hooked)
    assert mine(hooked).get().last_error == "NewConnectionError"


def test_five_days_of_failure_disable(hooked: House, receiver: Receiver) -> None:
    receiver.status = 500
    WebhookEndpoint.objects.filter(business=hooked.business).update(failing_since=timezone.now() - timedelta(days=6))
    happen(hooked)
    deliver(hooked)
    assert WebhookEndpoint.objects.get(business=hooked.business).status == "DISABLED"


def test_replay_sends_everything_after_a_sequence_again(hooked: House, receiver: Receiver) -> None:
    happen(hooked, 4)
    deliver(hooked)
    endpoint = WebhookEndpoint.objects.get(business=hooked.business)
    WebhookEndpoint.objects.filter(id=endpoint.id).update(status="DISABLED")
    answer = hooked.post(f"/webhook-endpoints/{endpoint.id}/replay", {"after": 2})
    assert (answer.status_code, answer.json()) == (202, {"queued": 2})
    deliver(hooked)
    assert len(receiver.got) == 6


def test_two_workers_do_not_send_twice(hooked: House, receiver: Receiver) -> None:
    happen(hooked, 3)
    claimed = sending._claim(100)
    assert [delivery for delivery, endpoint in sending._claim(100) if (delivery, endpoint) in claimed] == []
    assert len([1 for _, endpoint in claimed if endpoint == mine(hooked)[0].endpoint_id]) == 3


def test_the_schedule_is_about_three_days(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending.random, "uniform", lambda *_: 1)
    waits = [next_wait(tries, Attempt(500)) for tries in range(1, len(SCHEDULE) + 2)]
    assert waits[0] == timedelta(seconds=5)
    assert waits[-1] is None
    total = sum((wait for wait in waits if isinstance(wait, timedelta)), timedelta())
    assert timedelta(days=3) < total < timedelta(days=3, hours=6)
    assert next_wait(1, Attempt(503)) == timedelta(seconds=5)
    assert next_wait(1, Attempt(502)) == timedelta(seconds=60)


def test_secrets_can_be_read_again_to_sign_with(hooked: House) -> None:
    assert unseal(WebhookEndpoint.objects.get(business=hooked.business).secret) == hooked.opened.webhook_secret
