"""The one door out: what passes it, what it writes down, what it never lets out."""

import json
import logging
import uuid

import pytest

from dashboard import operations
from dashboard.audit.models import AuditEntry
from dashboard.client.call_parts import fill_path
from dashboard.client.gateway import send
from dashboard.client.models import OutboundOperation, ServiceAccount
from dashboard.errors import Conflict, NotAllowed, NotConnected, NotFound, Rejected, Unknown
from tests.dashboard.client.conftest import Town


def approve(town: Town, who: str, row: object, **options: object) -> object:
    one = getattr(row, "remote_id", "")
    return send(
        town.house.actor(who),
        operations.APPROVE_EXPENSE,
        path={"expenseId": one},
        body={},
        subject=row,
        **options,  # type: ignore[arg-type]
    )


def outcomes(town: Town) -> list[str]:
    lines = AuditEntry.objects.filter(chain=town.house.business.pk).order_by("id")
    return list(lines.values_list("outcome", flat=True))


def test_a_write_is_written_down_sent_once_and_audited(town: Town) -> None:
    row = town.house.expense("Carla")
    town.service.know(row)
    key = str(uuid.uuid4())
    answer = approve(town, "Rita", row, key=key)
    assert answer.data["status"] == "APPROVED"  # type: ignore[attr-defined]
    [sent] = town.proxy.sent("POST")
    assert sent.headers["Idempotency-Key"] == key
    assert sent.headers["X-Acting-Employee"] == town.house.employee("Rita")
    assert sent.headers["business_id"] == f"b-{town.house.unique}"
    assert sent.headers["X-Request-Id"]
    entry = OutboundOperation.objects.get(business=town.house.business, key=key)
    assert (entry.state, entry.tries, entry.upstream_status) == ("CONFIRMED", 1, 200)
    assert outcomes(town) == ["ATTEMPT", "DONE"]
    line = AuditEntry.objects.filter(chain=town.house.business.pk).latest("id")
    assert line.sentence == "approved expense Taxi to the airport"
    assert (line.actor_name, line.role, line.request_id) == ("Rita", "REVIEWER", "r-upstream")


@pytest.mark.parametrize(
    ("who", "of", "team", "error"),
    [
        ("Rita", "Rita", None, NotAllowed),
        ("Rex", "Carla", None, NotAllowed),
        ("Rita", "Carla", "south", NotFound),
        ("Carla", "Carla", None, NotAllowed),
        ("Sam", "Carla", None, NotAllowed),
    ],
)
def test_a_refused_action_sends_nothing_and_leaves_a_denial(
    town: Town, who: str, of: str, team: str | None, error: type[Exception]
) -> None:
    row = town.house.expense(of, team=town.house.south if team else None)
    with pytest.raises(error):
        approve(town, who, row)
    assert town.proxy.record == []
    assert outcomes(town) == ["DENIED"]
    assert not OutboundOperation.objects.filter(business=town.house.business).exists()


def test_the_same_key_again_is_the_same_effect(town: Town) -> None:
    row = town.house.expense("Carla")
    town.service.know(row)
    for _ in range(3):
        approve(town, "Rita", row, key="k-1")
    assert len(town.service.effects) == 1
    assert OutboundOperation.objects.get(business=town.house.business).tries == 3


def test_a_key_is_for_one_thing(town: Town) -> None:
    first, second = town.house.expense("Carla"), town.house.expense("Carla")
    town.service.know(first)
    town.service.know(second)
    approve(town, "Rita", first, key="k-1")
    with pytest.raises(Conflict):
        approve(town, "Rita", second, key="k-1")
    assert [effect[1] for effect in town.service.effects] == [first.remote_id]


def test_after_a_refusal_the_form_goes_on_under_another_key_after_a_doubt_it_does_not(town: Town) -> None:
    row = town.house.expense("Carla")
    with pytest.raises(NotFound):
        approve(town, "Rita", row, key="k-1")
    town.service.know(row)
    town.proxy.fail("lost reply", path="/approve")
    with pytest.raises(Unknown) as doubt:
        approve(town, "Rita", row, key="k-1")
    # Whoever finds out by looking settles what was sent, not what was refused before.
    assert doubt.value.sent_key == "k-1.1"
    town.proxy.heal()
    approve(town, "Rita", row, key="k-1")
    keys = [one.headers["Idempotency-Key"] for one in town.proxy.sent("POST")]
    assert (keys[0], set(keys[1:])) == ("k-1", {"k-1.1"})
    assert len(town.service.effects) == 1


def test_no_account_and_no_foreign_address(town: Town) -> None:
    row = town.house.expense("Carla")
    accounts = ServiceAccount.objects.filter(business=town.house.business)
    for address in ("http://169.254.169.254/v2", "https://example.org/v2", "http://u:p@localhost:1/v2", "file:///etc"):
        accounts.update(base_url=address)
        with pytest.raises(NotConnected):
            approve(town, "Rita", row)
    accounts.delete()
    with pytest.raises(NotConnected):
        approve(town, "Rita", row)
    assert town.proxy.record == []


def test_a_wrong_body_is_refused_with_its_field_before_it_is_sent(town: Town) -> None:
    row = town.house.expense("Carla")
    with pytest.raises(Rejected) as refused:
        send(
            town.house.actor("Rita"),
            operations.REJECT_EXPENSE,
            path={"expenseId": row.remote_id},
            body={"reason": ""},
            subject=row,
        )
    assert [problem.field for problem in refused.value.fields] == ["reason"]
    assert town.proxy.record == []


def test_a_path_is_filled_and_quoted_whole() -> None:
    assert fill_path("/expenses/approve/{expenseId}", {"expenseId": "a/../b?c"}) == "/expenses/approve/a%2F..%2Fb%3Fc"
    for bad in ({}, {"expenseId": ""}, {"expenseId": ".."}):
        with pytest.raises(ValueError, match="expenseId"):
            fill_path("/expenses/approve/{expenseId}", bad)


def test_no_secret_reaches_a_log_or_the_book(town: Town, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises((NotFound, Rejected)):
        send(
            town.house.actor("Apollo"),
            operations.CONFIRM_PAYMENT,
            body={"intent_id": "i-1", "otp": "884422"},
            key="k-otp",
        )
    entry = OutboundOperation.objects.get(business=town.house.business, key="k-otp")
    assert entry.body == {"intent_id": "i-1"}
    told = caplog.text + json.dumps(list(AuditEntry.objects.filter(chain=town.house.business.pk).values("reason")))
    assert town.service.tokens
    assert "/payments/confirm" in caplog.text
    for secret in ("884422", "the secret of the client", *town.service.tokens):
        assert secret not in told


def test_not_even_a_traceback_tells_a_secret(town: Town, caplog: pytest.LogCaptureFixture) -> None:
    import structlog

    def fail(token: str) -> None:
        raise RuntimeError("a mistake of ours")

    secret = f"at_{uuid.uuid4()}"
    try:
        fail(secret)
    except RuntimeError:
        structlog.get_logger("dashboard.client").exception("sending failed")
    assert caplog.text.count("RuntimeError: a mistake of ours") == 1
    assert secret not in caplog.text


def test_it_needs_an_actor_and_an_operation(town: Town) -> None:
    with pytest.raises(TypeError):
        send(None, operations.LIST_EXPENSES)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        send(town.house.actor("Ada"), "list_expenses")  # type: ignore[arg-type]
