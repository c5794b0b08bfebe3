"""The outbox: how an entry moves, what the database refuses to write of it, and that doubt is never taken back."""

import itertools
import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard import operations
from dashboard.audit.models import AuditEntry
from dashboard.client import breaker, outbox_keys, rate_limit
from dashboard.client.gateway import send
from dashboard.client.models import TRANSITIONS, OutboundOperation, OutboundState
from dashboard.client.outbox import Event
from dashboard.errors import AlreadyDone, CircuitOpen, FinanceError, InvalidState, NotFound, TooMany, Unknown
from tests.dashboard.access.house import build
from tests.dashboard.client.conftest import Town

STATES = list(OutboundState)


def approve(town: Town, row: object, key: str = "k-1", who: str = "Rita") -> object:
    return send(
        town.house.actor(who),
        operations.APPROVE_EXPENSE,
        path={"expenseId": getattr(row, "remote_id", "")},
        body={},
        subject=row,
        key=key,
        deadline=1.5,
    )


def failure_of(town: Town, row: object, key: str = "k-1") -> FinanceError:
    with pytest.raises(FinanceError) as failed:
        approve(town, row, key)
    return failed.value


def entry(town: Town, key: str = "k-1") -> OutboundOperation:
    return OutboundOperation.objects.get(business=town.house.business, key=key)


def audited(town: Town) -> list[str]:
    lines = AuditEntry.objects.filter(chain=town.house.business.pk).exclude(outcome="ATTEMPT").order_by("id")
    return list(lines.values_list("outcome", flat=True))


@pytest.fixture
def known(town: Town) -> object:
    row = town.house.expense("Carla")
    town.service.know(row)
    return row


@pytest.fixture
def in_doubt(town: Town, known: object, monkeypatch: pytest.MonkeyPatch) -> object:
    """It was sent and done, and its reply was lost."""
    town.proxy.fail("lost reply", path="/approve")
    assert isinstance(failure_of(town, known), Unknown)
    assert entry(town).state == "UNKNOWN"
    assert len(town.service.effects) == 1
    town.proxy.heal()
    return known


@pytest.mark.parametrize(("before", "after"), list(itertools.permutations(STATES, 2)))
def test_the_database_lets_an_entry_move_along_the_table_alone(
    db: None, before: OutboundState, after: OutboundState
) -> None:
    business = build().business
    row = OutboundOperation.objects.create(
        business=business,
        operation="approve_expense",
        key=str(uuid.uuid4()),
        path="/",
        state=before,
        has_left=before not in {OutboundState.PENDING, OutboundState.SENT},
    )
    rows = OutboundOperation.objects.filter(pk=row.pk)
    left = row.has_left or after not in {OutboundState.PENDING, OutboundState.SENT}
    if after in TRANSITIONS[before]:
        assert rows.update(state=after, has_left=left) == 1
    else:
        with pytest.raises(IntegrityError, match="does not go from"), transaction.atomic():
            rows.update(state=after, has_left=left)


def test_every_event_moves_along_the_table() -> None:
    moves = [(before, after) for event in Event for before, after in event.value.items()]
    assert len(moves) >= 10
    assert [(before, after) for before, after in moves if after not in TRANSITIONS[before]] == []


def test_what_has_left_is_never_again_one_that_has_not(db: None) -> None:
    row = OutboundOperation.objects.create(
        business=build().business, operation="x", key="k", path="/", state="SENT", has_left=True
    )
    rows = OutboundOperation.objects.filter(pk=row.pk)
    for change in ({"has_left": False}, {"state": "PENDING"}, {"state": "PENDING", "has_left": False}):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**change)


@pytest.mark.parametrize("state", ["CONFIRMED", "REJECTED", "UNKNOWN", "DEFERRED"])
def test_what_was_answered_or_may_have_been_has_left(db: None, state: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        OutboundOperation.objects.create(business=build().business, operation="x", key="k", path="/", state=state)


@pytest.mark.parametrize("mode", ["refused", "429", "401", "403", "500", "hang", "reset", "bad json"])
def test_a_doubt_stays_whatever_goes_wrong_when_it_is_asked_again(town: Town, in_doubt: object, mode: str) -> None:
    town.proxy.fail(mode, path="/approve")
    failure = failure_of(town, in_doubt)
    assert isinstance(failure, Unknown)
    assert (failure.changed, failure.consequence) == (None, "It is not known yet whether it was done.")
    assert entry(town).state == "UNKNOWN"
    assert set(audited(town)) == {"UNKNOWN"}
    town.proxy.heal()
    approve(town, in_doubt)
    assert entry(town).state == "CONFIRMED"
    assert len(town.service.effects) == 1


def test_a_doubt_stays_where_our_own_breaker_budget_or_gate_stands_in_the_way(
    town: Town, in_doubt: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = len(town.proxy.sent("POST"))
    with monkeypatch.context() as patched:
        patched.setattr(breaker.Breaker, "allows", lambda _: False)
        assert isinstance(failure_of(town, in_doubt), Unknown)
    with monkeypatch.context() as patched:
        patched.setattr(rate_limit, "spend", _used_up)
        assert isinstance(failure_of(town, in_doubt), Unknown)
    member = town.house.people["Rita"]
    member.role = "CARD_USER"
    member.save()
    denied = failure_of(town, in_doubt)
    assert isinstance(denied, Unknown)
    assert "This is for" in denied.detail
    assert len(town.proxy.sent("POST")) == sent
    assert entry(town).state == "UNKNOWN"
    assert set(audited(town)) == {"UNKNOWN", "DENIED"}


def _used_up(*_: object, **__: object) -> None:
    raise TooMany(code="budget")


def test_a_call_that_a_process_left_behind_is_in_doubt(town: Town, known: object) -> None:
    OutboundOperation.objects.create(
        business=town.house.business,
        operation="approve_expense",
        key="k-1",
        path=f"/expenses/approve/{getattr(known, 'remote_id', '')}",
        body={},
        state="SENT",
        sent_at=timezone.now(),
    )
    town.proxy.fail("429", path="/approve")
    assert isinstance(failure_of(town, known), Unknown)
    assert entry(town).state == "UNKNOWN"
    town.proxy.heal()
    approve(town, known)
    assert entry(town).state == "CONFIRMED"


def test_what_was_put_off_was_sent_and_not_done(town: Town, known: object, monkeypatch: pytest.MonkeyPatch) -> None:
    town.proxy.fail("429", path="/approve")
    failure = failure_of(town, known)
    assert (type(failure), failure.has_left, failure.changed) == (TooMany, True, False)
    assert (entry(town).state, entry(town).has_left) == ("DEFERRED", True)
    town.proxy.heal()
    # Not sent the second time: it stays one that was sent before.
    monkeypatch.setattr(breaker.Breaker, "allows", lambda _: False)
    assert type(failure_of(town, known)) is CircuitOpen
    assert (entry(town).state, entry(town).has_left) == ("DEFERRED", True)


def test_a_refusal_that_the_service_kept_under_the_key_settles_a_doubt(town: Town, known: object) -> None:
    town.service.decide("expense", getattr(known, "remote_id", ""), "reject", town.house.employee("Apollo"))
    town.proxy.fail("lost reply", path="/approve", times=1)
    failure = failure_of(town, known)
    assert type(failure) is InvalidState
    assert failure.changed is False
    assert entry(town).state == "REJECTED"


def test_a_refusal_that_may_speak_of_our_own_doing_settles_nothing(town: Town, known: object) -> None:
    town.service.honours_keys = False
    town.proxy.fail("lost reply", path="/approve", times=1)
    failure = failure_of(town, known)
    assert isinstance(failure, Unknown)
    assert isinstance(failure.refusal, InvalidState)
    assert entry(town).state == "UNKNOWN"
    assert len(town.service.effects) == 1


def test_what_was_done_is_done_whatever_its_repetition_hears(town: Town, known: object) -> None:
    approve(town, known)
    for mode in ("lost reply", "500", "429", "bad json"):
        town.proxy.fail(mode, path="/approve")
        failure = failure_of(town, known)
        assert type(failure) is AlreadyDone
        assert "Nothing was changed" not in failure.user_message
        assert "not known" not in failure.user_message
        town.proxy.heal()
    assert (entry(town).state, entry(town).upstream_status) == ("CONFIRMED", 200)
    assert len(town.service.effects) == 1


def test_what_the_service_may_have_forgotten_is_not_sent_again(town: Town, in_doubt: object, known: object) -> None:
    other = town.house.expense("Carla")
    town.service.know(other)
    approve(town, other, "k-2")
    town.service.answers.clear()
    OutboundOperation.objects.filter(business=town.house.business).update(sent_at=timezone.now() - timedelta(hours=24))
    sent = len(town.proxy.sent("POST"))
    assert isinstance(failure_of(town, in_doubt), Unknown)
    assert type(failure_of(town, other, "k-2")) is AlreadyDone
    assert len(town.proxy.sent("POST")) == sent
    assert len(town.service.effects) == 2


def test_a_form_goes_on_under_the_next_key_after_each_refusal_that_is_kept(town: Town, known: object) -> None:
    actor = town.house.actor("Rita")
    stranger = town.house.expense("Carla")
    for turn in range(3):
        with pytest.raises(NotFound):
            approve(town, stranger, "k-2")
        assert outbox_keys.key_for(actor, "k-2") == f"k-2.{turn + 1}"
    assert outbox_keys.key_for(actor, "k-2.1") == "k-2.1.1"
    town.proxy.fail("403", path="/approve")
    failure_of(town, known, "k-3")
    assert outbox_keys.key_for(actor, "k-3") == "k-3"
