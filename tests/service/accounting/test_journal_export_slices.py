"""Exports of slices are that of the whole, and of two at once each claims every entry once."""

import threading
from collections import Counter
from datetime import timedelta
from itertools import pairwise
from typing import Any

from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from service.accounting.models import ExportedEntry, JournalExport
from tests.service.accounting.conftest import month, spend
from tests.service.accounting.test_journal_exports import export, key, lines_of, undo
from tests.service.house import House, rolled_back


@settings(max_examples=10)
@given(
    amounts=st.lists(st.tuples(st.integers(0, 27), st.integers(1, 900)), min_size=1, max_size=8),
    cuts=st.sets(st.integers(1, 27), max_size=4),
    late=st.integers(0, 3),
)
def test_the_exports_of_slices_are_that_of_the_whole(
    house: House, amounts: list[tuple[int, int]], cuts: set[int], late: int
) -> None:
    """Cut by days, and by when the entries came in: together the slices hold what one export would, and nothing twice."""
    period = month(house, 1)

    def sliced() -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        edges = [0, *sorted(cuts), 99]
        for start, end in pairwise(edges):
            first = period.first + timedelta(days=start)
            answer = export(house, first, min(period.last, period.first + timedelta(days=end - 1)))
            if answer.status_code == 201:
                found += [key(row) for row in lines_of(house, answer.json()["_id"])]
        return found

    with rolled_back(house):
        for place, (day, minor) in enumerate(amounts[late:]):
            spend(house, f"early:{place}", minor, period.first + timedelta(days=day))
        held = sliced()
        for place, (day, minor) in enumerate(amounts[:late]):
            spend(house, f"late:{place}", minor, period.first + timedelta(days=day))
        held += sliced()
        assert max(Counter(held).values()) == 1
        for row in JournalExport.objects.filter(business=house.business):
            assert undo(house, row.id).status_code == 200
        whole = export(house, period.first, period.last).json()
        assert sorted(held) == sorted(key(row) for row in lines_of(house, whole["_id"]))


def test_two_at_once_claim_every_entry_once(committed: None) -> None:
    house = House()
    period = month(house, 1)
    for place in range(20):
        spend(house, f"rent:{place}", 100 + place, period.first + timedelta(days=place))
    assert house.token
    answers: list[Any] = []
    ready = threading.Barrier(4)

    def ask() -> None:
        ready.wait(10)
        answers.append(export(house, period.first, period.last))
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    [made] = [answer.json() for answer in answers if answer.status_code == 201]
    assert made["line_count"] == 40
    assert ExportedEntry.objects.filter(export__business=house.business, live=True).count() == 40
