"""What is known of a replica, from when, and by whose clock; and what a primary that does not answer leaves standing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache as shared
from django.db import InterfaceError, OperationalError, connections, transaction
from django.http import HttpResponse
from django.test import RequestFactory

from dashboard import cache, replica
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.record import line, record
from dashboard.web.last_write import COOKIE, LastWrite, position_of, read_own
from tests.dashboard.pages.conftest import House
from tests.log_lines import written_lines


class Pair:
    """A primary and its replica, and the clock of the process that looks at them."""

    def __init__(self) -> None:
        self.clock = 1000.0
        self.written: int | Exception = 0
        self.replayed: int | Exception = 0

    def write_position(self) -> int:
        if isinstance(self.written, Exception):
            raise self.written
        return self.written

    def read_replayed(self) -> int:
        if isinstance(self.replayed, Exception):
            raise self.replayed
        return self.replayed

    def sleep(self, seconds: float) -> None:
        self.clock += seconds

    def monotonic(self) -> float:
        return self.clock


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Pair]:
    pair = Pair()
    settings.DATABASE_REPLICA_LAG_S = 5.0
    monkeypatch.setattr(replica, "_watch", replica._Watch())
    monkeypatch.setattr(replica, "time", pair)
    monkeypatch.setattr(replica, "write_position", pair.write_position)
    monkeypatch.setattr(replica, "_replayed", pair.read_replayed)
    monkeypatch.setattr(replica, "is_configured", lambda: True)
    return pair


def test_one_that_is_up_to_the_primary_is_read(pair: Pair) -> None:
    pair.written = pair.replayed = 7
    with written_lines() as lines:
        assert replica.alias_for(7) == replica.REPLICA
    assert lines.of("replica is read again") == []


def test_the_lag_is_judged_by_the_newest_position_that_was_replayed(pair: Pair) -> None:
    pair.written = pair.replayed = 100
    assert replica.alias_for(0) == replica.REPLICA
    # It is two seconds behind all the time: less than is allowed, whatever its clock says.
    for second in range(30):
        pair.written = 200 + second * 10
        pair.replayed = 100 if second < 2 else 200 + (second - 2) * 10
        assert replica.alias_for(0) == replica.REPLICA, second
        pair.clock += 1.1
    with written_lines() as lines:
        for second in range(10):
            pair.written += 10
            alias = replica.alias_for(0)
            pair.clock += 1.1
            assert second < 7 or alias == replica.PRIMARY
    assert [line["trouble"] for line in lines.of("replica is not read")] == ["behind"]


def test_behind_is_said_of_no_replica_that_nobody_looked_at(pair: Pair) -> None:
    pair.written = pair.replayed = 100
    assert replica.alias_for(0) == replica.REPLICA
    pair.clock += 3600
    pair.written = 5000
    with written_lines() as lines:
        assert replica.alias_for(0) == replica.PRIMARY
    assert lines.of("replica is not read") == []


def test_what_was_last_known_is_not_used_however_old(pair: Pair) -> None:
    pair.written = pair.replayed = 100
    # Nobody has looked yet, and somebody is just looking.
    replica._watch._lock.acquire()
    assert replica.alias_for(0) == replica.PRIMARY
    replica._watch._lock.release()
    assert replica.alias_for(0) == replica.REPLICA
    # The next look takes long: what the last one found holds for a while.
    replica._watch._lock.acquire()
    pair.clock += 5.9
    assert replica.alias_for(0) == replica.REPLICA
    pair.clock += 0.2
    assert replica.alias_for(0) == replica.PRIMARY
    replica._watch._lock.release()
    assert replica.alias_for(0) == replica.REPLICA


def test_the_primarys_fault_is_not_said_to_be_the_replicas(pair: Pair) -> None:
    pair.written = OperationalError("the primary is away")
    with written_lines() as lines, pytest.raises(OperationalError, match="primary is away"):
        replica.alias_for(0)
    assert lines.of("replica is not read") == []


def test_what_the_primary_failed_is_not_read_again(pair: Pair, db: None) -> None:
    read_from = []

    def read(alias: str) -> None:
        read_from.append(alias)
        with transaction.atomic(), connections[replica.PRIMARY].cursor() as cursor:
            cursor.execute("set local statement_timeout = 0")
            cursor.execute("do $$ begin raise exception 'gone' using errcode = '08006'; end $$")

    with written_lines() as lines, pytest.raises(OperationalError, match="gone"):
        replica.read_behind(0, read)
    assert read_from == [replica.REPLICA]
    assert lines.of("replica is not read") == []


@pytest.mark.parametrize("error", [OperationalError("gone"), InterfaceError("closed")])
def test_an_answer_that_was_made_stands_where_the_primary_is_gone_since(
    pair: Pair, settings: Any, error: Exception
) -> None:
    pair.written = error
    request = RequestFactory().post("/")
    request.COOKIES[settings.SESSION_COOKIE_NAME] = "x"
    answer = LastWrite(lambda _: HttpResponse("done"))(request)
    assert answer.status_code == 200
    request.COOKIES[COOKIE] = answer.cookies[COOKIE].value
    assert position_of(request) == replica.READ_PRIMARY
    pair.written = pair.replayed = 5
    assert replica.alias_for(position_of(request)) == replica.PRIMARY


def test_a_note_never_raises_and_has_the_primary_read(pair: Pair) -> None:
    shared.delete("written-for:77")
    pair.written = OperationalError("gone")
    replica.note_write(77)
    assert replica.noted_write(77) == replica.READ_PRIMARY
    shared.delete("written-for:77")


def test_a_note_is_never_set_back(pair: Pair) -> None:
    shared.delete("written-for:78")
    for position, noted in ((50, 50), (40, 50), (60, 60)):
        pair.written = position
        replica.note_write(78)
        assert replica.noted_write(78) == noted
    shared.delete("written-for:78")


def test_where_the_cache_is_away_the_primary_is_read(
    pair: Pair, kept_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Away:
        def get(self, *_: object) -> None:
            raise ConnectionError

    pair.written = pair.replayed = 7
    request: Any = RequestFactory().get("/")
    request.actor = kept_house.actor("Ada")
    assert read_own(request, str) == replica.REPLICA
    monkeypatch.setattr(cache, "cache", Away())
    assert read_own(request, str) == replica.PRIMARY


def test_what_the_audit_says_somebody_did_is_noted_for_them_once_it_is_committed(pair: Pair, kept_house: House) -> None:
    # By one line, as a job writes it, and by several at once.
    ada, sam = kept_house.actor("Ada"), kept_house.actor("Sam")
    pair.written = 42
    with transaction.atomic():
        record(ada, "export", None, Outcome.DONE, sentence="exported 1 expense as CSV")
        AuditEntry.objects.bulk_create([line(sam, "export", None, Outcome.DONE, sentence="exported none")] * 1)
        assert replica.noted_write(ada.user.pk) == 0
    assert (replica.noted_write(ada.user.pk), replica.noted_write(sam.user.pk)) == (42, 42)
