"""Whatever arrives where webhooks arrive, from whoever: 204 for what is signed and storable, 400 or 413 for the rest."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from standardwebhooks import Webhook

from dashboard.access.secrets import seal
from dashboard.client.json import read_json
from dashboard.mirror import tasks, webhook_inbox
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import InboxEvent, InboxState, Origin, SpendPolicy
from dashboard.mirror.webhook_inbox import apply_received
from tests.dashboard.access.house import House, build

SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
OTHER = "whsec_YWJjZGVmMDEyMzQ1Njc4OTAxMjM0NTY3ODlhYmNkZWY="


@pytest.fixture
def house(db: None) -> House:
    house = build()
    account = house.connect("http://localhost:1")
    account.webhook_secret_sealed = seal(SECRET)
    account.save()
    return house


def signed(body: bytes, name: str = "msg_1", at: datetime | None = None, secret: str = SECRET) -> dict[str, str]:
    at = at or datetime.now(UTC)
    return {
        "webhook-id": name,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Webhook(secret).sign(name, at, body.decode()),
    }


def deliver(house: House, body: bytes, headers: dict[str, str]) -> int:
    address = f"/-/hooks/{house.business.pk}/"
    return Client().post(address, body, content_type="application/json", headers=headers).status_code


def stored(house: House) -> int:
    return InboxEvent.objects.filter(business=house.business).count()


BODY = json.dumps({"type": "expense.created", "sequence": 5, "data": {"object": {"_id": "a" * 24}}}).encode()


@pytest.mark.parametrize(
    "signature",
    [
        "", ",", "v1", "v1,", "v1,AAAA", "v1,A", "v1,é", "v1,%%%", "a,b,c", "v1,AAAA v1", "v1a,AAAA", " ", "\t", "v1,=", "v1,A===",
        "v1," + "A" * 43 + "=", "v1," + "A" * 10_000,
    ],
)  # fmt: skip
def test_a_malformed_signature_is_one_that_does_not_match(house: House, signature: str) -> None:
    assert deliver(house, BODY, signed(BODY) | {"webhook-signature": signature}) == 400
    assert stored(house) == 0


@pytest.mark.parametrize("around", ["v1 {}", "v1,A {}", "{} nonsense", "v2,abc,d {}", "  {}  "])
def test_one_good_signature_among_malformed_ones_is_enough(house: House, around: str) -> None:
    headers = signed(BODY)
    headers["webhook-signature"] = around.format(headers["webhook-signature"])
    assert deliver(house, BODY, headers) == 204
    assert stored(house) == 1


@pytest.mark.parametrize("stamp", ["", "x", "nan", "inf", "-1", "1e400", "٣", str(10**30)])
def test_a_time_stamp_that_is_none_is_refused(house: House, stamp: str) -> None:
    assert deliver(house, BODY, signed(BODY) | {"webhook-timestamp": stamp}) == 400


def test_what_is_late_or_signed_with_another_secret_is_refused(house: House) -> None:
    assert deliver(house, BODY, signed(BODY, at=datetime.now(UTC) - timedelta(minutes=6))) == 400
    assert deliver(house, BODY, signed(BODY, secret=OTHER)) == 400


@pytest.mark.parametrize("name", ["", "m" * 121, "msg 1", "msg\x011"])
def test_an_id_that_cannot_be_kept_is_refused(house: House, name: str) -> None:
    assert deliver(house, BODY, signed(BODY) | {"webhook-id": name}) == 400


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[", b"[]", b"1", b"[" * 30_000, b'{"type": "a\\u0000b"}', b'{"\\u0000": 1}', b'{"type": "\\ud800"}',
        b'{"data": {"object": {"name": "\\udfff"}}}',
    ],
)  # fmt: skip
def test_a_signed_body_that_cannot_be_stored_is_refused(house: House, body: bytes) -> None:
    assert deliver(house, body, signed(body)) == 400
    assert stored(house) == 0


def test_a_body_that_is_no_text_or_too_large_is_refused(house: House) -> None:
    assert deliver(house, b"\xff\xfe", signed(BODY)) == 400
    large = BODY + b" " * 70_000
    assert deliver(house, large, signed(large)) == 413


@settings(max_examples=200)
@given(
    body=st.binary(max_size=200),
    headers=st.dictionaries(
        st.sampled_from(["webhook-id", "webhook-timestamp", "webhook-signature"]),
        st.text(st.characters(codec="latin-1", exclude_characters="\r\n"), max_size=60),
    ),
)
def test_strangers_never_see_more_than_a_refusal(house: House, body: bytes, headers: dict[str, Any]) -> None:
    assert deliver(house, body, headers) in {400, 413}


@pytest.mark.parametrize("limit", ["2500.0", "2500.50", "0.1", "90071992547409.93", "2500"])
def test_an_amount_that_is_delivered_is_the_one_that_is_read(house: House, limit: str) -> None:
    resource = (
        f'{{"_id": "{"b" * 24}", "type": "CATEGORY", "action": "FLAG", "currency": "KES", "version": 3, '
        f'"updated_at": "2026-11-24T08:00:00Z", "limit": {limit}}}'
    )
    body = f'{{"type": "policy.updated", "data": {{"object": {resource}}}}}'.encode()
    assert deliver(house, body, signed(body)) == 204
    apply_received()
    assert InboxEvent.objects.get(business=house.business).state == InboxState.APPLIED
    delivered = SpendPolicy.objects.get(business=house.business)
    SpendPolicy.objects.filter(pk=delivered.pk).delete()

    upsert("policy", house.business, [read_json(resource.encode())], Origin.POLL)
    read = SpendPolicy.objects.get(business=house.business)
    assert (delivered.payload, delivered.payload_hash) == (read.payload, read.payload_hash)


def test_applying_them_takes_turns_with_what_is_read_and_leaves_none(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What other tests left in the database is none of this one's.
    InboxEvent.objects.update(state=InboxState.APPLIED)
    monkeypatch.setattr(webhook_inbox, "BATCH_SIZE", 2)
    monkeypatch.setattr(tasks, "INBOX_TURN_S", 0.0)
    for number in range(5):
        assert deliver(house, BODY, signed(BODY, f"msg_{number}")) == 204
    received = InboxEvent.objects.filter(business=house.business, state=InboxState.RECEIVED)
    # A turn that is over at once applies what it has begun with, and the schedule's next one goes on.
    assert [(tasks.apply_inbox(), received.count()) for _ in range(4)] == [(2, 3), (2, 1), (1, 0), (0, 0)]
    for number in range(5, 10):
        assert deliver(house, BODY, signed(BODY, f"msg_{number}")) == 204
    monkeypatch.setattr(tasks, "INBOX_TURN_S", 60.0)
    assert (tasks.apply_inbox(), received.count()) == (5, 0)
