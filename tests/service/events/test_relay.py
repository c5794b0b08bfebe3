"""Events: written with the change, numbered after the commit, without gaps, in the order they are read (B.6)."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections, transaction

from service.auth import system_caller
from service.events.models import Event
from service.events.outbox import record_event
from service.events.relay import RELAY_LOCK, number_waiting, relay
from tests.service.house import House, code


def say(house: House, number: int) -> None:
    record_event(
        house.business, "expense.updated", {"_id": f"{number + 1}", "n": number}, actor=system_caller(house.business)
    )


def test_numbers_follow_without_gaps_per_business(house: House, houses: Callable[..., House]) -> None:
    other = houses()
    for number in range(5):
        say(house, number)
        say(other, number)
    relay()
    say(house, 5)
    relay()
    for each, last in ((house, 6), (other, 5)):
        rows = Event.objects.filter(business=each.business).order_by("sequence")
        assert [row.sequence for row in rows] == list(range(1, last + 1))
        assert [row.payload["object"]["n"] for row in rows] == list(range(last))


def test_the_feed_reads_on_where_it_stopped(house: House) -> None:
    for number in range(5):
        say(house, number)
    assert house.get("/events").json()["docs"] == []  # not numbered yet: not shown
    relay()
    first = house.get("/events?limit=2").json()
    assert ([row["sequence"] for row in first["docs"]], first["last"], first["has_more"]) == ([1, 2], 2, True)
    rest = house.get(f"/events?after={first['last']}").json()
    assert ([row["sequence"] for row in rest["docs"]], rest["has_more"]) == ([3, 4, 5], False)
    nothing = house.get("/events?after=5").json()
    assert (nothing["docs"], nothing["last"]) == ([], 5)
    assert set(first["docs"][0]) == {
        "id", "type", "timestamp", "business_id", "api_version", "sequence", "data", "actor",
    }  # fmt: skip


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=0", "limit=1001", "after=99999999999999999999"])
def test_bad_places_are_400(house: House, query: str) -> None:
    assert code(house.get(f"/events?{query}")) == (400, "invalid_parameters")


@pytest.mark.parametrize(
    ("who", "status"), [("Carla", 403), ("Rita", 403), ("Apollo", 200), ("Ada", 200), ("Sam", 200)]
)
def test_who_reads_events_and_audit(house: House, who: str, status: int) -> None:
    assert house.get("/events", by=who).status_code == status
    assert house.get("/audit-events", by=who).status_code == status


def test_an_event_of_a_change_that_did_not_happen_does_not_exist(house: House) -> None:
    before = transaction.savepoint()
    say(house, 1)
    transaction.savepoint_rollback(before)
    relay()
    assert not Event.objects.filter(business=house.business).exists()


def test_a_late_commit_is_numbered_later_and_skipped_by_nobody(committed: None) -> None:
    house = House()
    written, may_commit = threading.Event(), threading.Event()

    def slow() -> None:
        with transaction.atomic():
            say(house, 1)
            written.set()
            may_commit.wait(30)
        connections.close_all()

    thread = threading.Thread(target=slow)
    thread.start()
    written.wait(30)
    say(house, 2)
    relay()
    assert [row["data"]["object"]["n"] for row in house.get("/events").json()["docs"]] == [2]
    may_commit.set()
    thread.join(30)
    relay()
    assert [row["data"]["object"]["n"] for row in house.get("/events?after=1").json()["docs"]] == [1]


def test_one_relay_at_a_time(committed: None) -> None:
    house = House()
    say(house, 1)
    held, done = threading.Event(), threading.Event()

    def other_relay() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("select pg_advisory_xact_lock(%s)", [RELAY_LOCK])
            held.set()
            done.wait(30)
        connections.close_all()

    thread = threading.Thread(target=other_relay)
    thread.start()
    held.wait(30)
    assert number_waiting() == 0
    done.set()
    thread.join(30)
    relay()
    assert Event.objects.get(business=house.business).sequence == 1


def test_many_writers_one_relay_no_gap(committed: None) -> None:
    house = House()

    def write(offset: int) -> None:
        for number in range(20):
            say(house, offset + number)
        connections.close_all()

    threads = [threading.Thread(target=write, args=(100 * n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        relay()
    relay()
    numbers: list[Any] = sorted(Event.objects.filter(business=house.business).values_list("sequence", flat=True))
    assert numbers == list(range(1, 81))
