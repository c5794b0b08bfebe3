"""What takes long, or writes to a database, has its turn: each case of it within a few days; nothing else waits for one."""

import csv
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests import slow_tests
from tests.house.test_daily_cases import functions_in

ROOT = Path(__file__).parent.parent.parent
TODAY = 739_000


def rows() -> list[dict[str, str]]:
    return list(csv.DictReader(slow_tests.FILE.read_text().splitlines()))


def test_each_row_names_a_test_that_there_is_once_in_the_order_of_names() -> None:
    names = [row["test"] for row in rows()]
    assert names == sorted(set(names))
    gone = []
    for name in names:
        path, _, function = name.partition("::")
        if not (ROOT / path).exists() or function.rpartition("::")[2] not in functions_in(ROOT / path):
            gone.append(name)
    assert gone == []


def test_what_is_quick_is_in_no_list() -> None:
    assert [row["test"] for row in rows() if slow_tests.days_between(float(row["seconds"])) == 1] == []


DAYS = [1, slow_tests.WRITING_DAYS, *(days for _, days in slow_tests.TURNS)]


@pytest.mark.parametrize("days", DAYS)
def test_each_case_has_its_turn_once_in_so_many_days(days: int) -> None:
    for case in ("tests/a.py::test_b", "tests/a.py::test_b[1]", "tests/a.py::test_b[2]"):
        assert 0 <= slow_tests.day_of(case, days) < days
    assert {slow_tests.day_of(f"tests/a.py::test_b[{number}]", days) for number in range(999)} == set(range(days))


def test_what_is_dear_is_dealt_out_so_that_each_day_gets_as_much() -> None:
    costs = {f"tests/a.py::test_{number}": (float(2 + number % 50), (14, 20)[number % 2]) for number in range(300)}
    dealt = slow_tests.deal(costs)
    for days in (14, 20):
        loads = Counter[int]()
        for name, (seconds, of_days) in costs.items():
            if of_days == days:
                loads[dealt[name]] += seconds
        assert loads.keys() == set(range(days))
        # What is dealt last is the smallest: days differ by no more than that.
        assert max(loads.values()) - min(loads.values()) <= 4
    assert slow_tests.deal(dict(reversed(costs.items()))) == dealt


def test_what_shares_what_is_dear_is_played_on_one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"tests/a.py::test_{number}" for number in range(9)]
    monkeypatch.setattr(slow_tests, "read", dict)
    for shared in slow_tests.SHARED:
        played = []
        for day in range(TODAY, TODAY + max(DAYS)):
            monkeypatch.setenv("DAY_OF_TESTS", str(day))
            out = left_out([Item(name, shared, "db") for name in names])
            assert out in ([], names)
            played += [] if out else [day]
        assert len(played) == 1


class Item:
    """What pytest collects, as far as the turns look at it."""

    def __init__(self, nodeid: str, *fixtures: str) -> None:
        self.nodeid, self.fixturenames, self.marks = nodeid, fixtures, set[str]()

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks.add(mark.name)


def left_out(items: Any) -> list[str]:
    slow_tests.leave_out_those_of_other_days(items)
    return [item.nodeid for item in items if "full" in item.marks]


def test_within_the_longest_turn_everything_is_played_and_what_is_the_heart_each_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heart = "tests/service/ledger/test_a.py::test_heart"
    monkeypatch.setattr(slow_tests, "read", lambda: {"tests/a.py::test_slow": 60.0, heart: 60.0})
    slow = [f"tests/a.py::test_slow[{number}]@group" for number in range(30)]
    played = dict.fromkeys(slow, 0)
    for day in range(TODAY, TODAY + max(DAYS)):
        monkeypatch.setenv("DAY_OF_TESTS", str(day))
        out = left_out([Item(name) for name in (*slow, heart, "tests/a.py::test_quick")])
        assert set(out) <= set(slow)
        for name in set(slow) - set(out):
            played[name] += 1
    assert set(played.values()) == {1}


def test_what_writes_to_a_database_has_its_turn_however_quick_and_what_is_slow_as_it_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slow_tests, "read", lambda: {"tests/a.py::test_slow": 60.0})
    names = [(f"tests/a.py::test_{name}[{number}]", *fixtures) for number in range(30) for name, *fixtures in (
        ("quick", "tmp_path"), ("rows", "request", "db"), ("commits", "committed"), ("slow", "committed")
    )]  # fmt: skip
    played: dict[str, list[int]] = {name: [] for name, *_ in names}
    for day in range(TODAY, TODAY + 2 * max(DAYS)):
        monkeypatch.setenv("DAY_OF_TESTS", str(day))
        for name in played.keys() - set(left_out([Item(*name) for name in names])):
            played[name].append(day)
    days = {
        "quick": 1,
        "rows": slow_tests.WRITING_DAYS,
        "commits": slow_tests.WRITING_DAYS,
        "slow": slow_tests.TURNS[0][1],
    }
    for name, turns in played.items():
        between = days[name.partition("_")[2].partition("[")[0]]
        assert turns[0] < TODAY + between
        assert {later - earlier for earlier, later in pairwise(turns)} == {between}


@pytest.mark.parametrize("file", slow_tests.TOGETHER)
def test_tests_that_follow_each_other_are_played_all_or_none(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{file}::{name}" for name in functions_in(ROOT / file) if name.startswith("test_")]
    assert len(names) > 1
    played = []
    for day in range(TODAY, TODAY + max(DAYS)):
        monkeypatch.setenv("DAY_OF_TESTS", str(day))
        out = left_out([Item(name) for name in names])
        assert out in ([], names), day
        played += [] if out else [day]
    assert played


def test_what_is_the_heart_is_there() -> None:
    assert [place for place in (*slow_tests.HEART, *slow_tests.TOGETHER) if not (ROOT / place).exists()] == []
    for case in slow_tests.DEAR:
        file, _, name = case.partition("[")[0].partition("::")
        assert name in functions_in(ROOT / file), case
    assert slow_tests.SHARED.keys() <= functions_in(ROOT / "tests" / "service" / "sandbox" / "conftest.py")
    assert slow_tests.WRITING - functions_in(ROOT / "tests" / "conftest.py") == {"db"}


def test_what_is_dear_is_played_each_day_as_far_as_it_costs_so_much() -> None:
    seconds = slow_tests.read()
    # A case of a test that has many costs about a second.
    costs = {case: 1.0 if "[" in case else seconds[case] for case in slow_tests.DEAR}
    assert sum(costs.values()) <= slow_tests.MOST_S, costs


def test_it_is_never_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{case}lost reply, looking 500]" if "[" in case else case for case in slow_tests.DEAR]
    for day in range(TODAY, TODAY + max(DAYS)):
        monkeypatch.setenv("DAY_OF_TESTS", str(day))
        assert left_out([Item(name) for name in names]) == []


def test_without_a_day_nothing_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DAY_OF_TESTS", raising=False)
    monkeypatch.setattr(slow_tests, "read", lambda: {"tests/a.py::test_slow": 60.0})
    assert left_out([Item(f"tests/a.py::test_slow[{number}]") for number in range(9)]) == []
