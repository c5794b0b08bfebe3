"""Most tests are played by turns: of the whole run without `--full`, each day another part of them.

`slow_tests.csv` holds how long one that takes long took when it was last measured, all its cases together:
`WRITE_DURATIONS=1 python3 manage.py test --full` measures anew. Of the others those that write to a database have their
turn, too: each makes a business of its own first. `manage.py test --full` plays all of them, and so does `manage.py test
<path>` for what is named.
"""

from __future__ import annotations

import csv
import fcntl
import os
import zlib
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

FILE = Path(__file__).parent / "slow_tests.csv"
COLUMNS = ("test", "seconds")
# From so many seconds on, a test has its turn every so many days.
TURNS = ((8.0, 20), (2.0, 14), (0.5, 9))
# Of what is quicker, those that write to a database, by these fixtures; the others, which take milliseconds, are played each day.
WRITING, WRITING_DAYS = frozenset({"committed", "db"}), 6
# What takes so many seconds is dealt out, so that each day gets as much of it; when the rest is played follows from its name.
DEALT_S = 2.0
# Fixtures that take longer than the tests that share them: these have one turn, so that what they share is made on one day.
SHARED = {"kifaru": "A year of the demo's first business."}
# The heart of the program, played in each whole run however long it takes.
HEART = {
    "tests/dashboard/access/": "The gate.",
    "tests/dashboard/test_addresses.py": "Every address and every role.",
    "tests/dashboard/test_migrations.py": "The tables are what the models say.",
    "tests/dashboard/decisions/test_no_false_word.py": "What is said of the outbox is what the service did.",
    "tests/service/ledger/": "The double entry.",
    "tests/service/test_migrations.py": "The tables are what the models say.",
}
SAID = "tests/dashboard/no_false_statement/test_no_false_statement.py::test_nothing_that_is_said_is_false"
LOST, GONE = "tests/browser/test_lost_answers.py::test_", "tests/browser/test_session_gone.py::test_"
KEYS = "tests/service/http/test_keys_forgotten.py::test_a_replay_after_its_key_was_forgotten_moves_nothing"
# Of what else is dear, as much as is played in MOST_S each day; the rest by turns (every_control takes 43 s, hostile_requests 29).
MOST_S = 40.0
DEAR = {
    "tests/service/investments/test_one_admin_alone.py::test_no_sequence_of_one_admin_moves_money_of_the_business": "Nobody alone.",
    KEYS: "Nothing is done twice.",
    f"{SAID}[ApproveExpense-": "What is said of a decision is what the real service did.",
    f"{SAID}[VoteForPayment-": "And of a vote.",
    f"{SAID}[Exchange-": "And of money that a page moves.",
    f"{LOST}one_that_was_done_is_found_shown_and_can_still_be_undone": "A lost answer is found out.",
    f"{LOST}the_address_and_the_pane_agree_whatever_becomes_of_a_step": "What is shown is what the address says.",
    f"{GONE}every_kind_of_control_that_is_answered_401_leads_to_sign_in": "The door.",
    f"{GONE}private_rows_leave_the_screen_even_where_sign_in_cannot_be_reached": "Nothing private stays.",
}
# Files whose tests follow each other: a later one begins where an earlier one ended, so that they have one turn.
TOGETHER = {
    "tests/lifecycle/test_schema.py": "One pair of databases of each program, by the migrations and by the snapshot, is compared.",
    "tests/lifecycle/test_up.py": "The days of one life: what was started first is looked at, ended and killed.",
}
noted: Counter[str] = Counter()


def test_of(case: str) -> str:
    """The test of a case, without its parameters and the group that keeps its module on one worker."""
    return case.partition("[")[0].partition("@")[0]


def days_between(seconds: float) -> int:
    """Every how many days a test of so many seconds is played: 1 is every day."""
    return next((days for least, days in TURNS if seconds >= least), 1)


def read() -> dict[str, float]:
    """The seconds of each test in the list, by its id without its case."""
    with FILE.open(newline="") as file:
        return {row["test"]: float(row["seconds"]) for row in csv.DictReader(file)}


def day_of(name: str, days: int) -> int:
    """The day within so many on which something is played that is not dealt out."""
    return -zlib.crc32(name.encode()) % days


def deal(costs: Mapping[str, tuple[float, int]]) -> dict[str, int]:
    """Seconds and days of each turn that is dealt out, to its day within so many: the dearest first, each to the day that has
    least until then. What is dealt does not depend on the order in which tests are read, nor on the day."""
    loads, dealt = defaultdict[int, Counter[int]](Counter), dict[str, int]()
    for name, (seconds, days) in sorted(costs.items(), key=lambda row: (-row[1][0], row[0])):
        load = loads[days]
        dealt[name] = min(range(days), key=lambda day: (load[day], day))
        load[dealt[name]] += seconds
    return dealt


def turn_of(case: str, seconds: Mapping[str, float], fixtures: Collection[str] = ()) -> tuple[str, int]:
    """What a case has its turn with, and every how many days: itself, or its whole file, as often as the longest there, or
    all that share what takes longer than they do."""
    file = case.partition("::")[0]
    if file in TOGETHER:
        return file, days_between(
            max((spent for test, spent in seconds.items() if test.startswith(f"{file}::")), default=0.0)
        )
    if shared := SHARED.keys() & set(fixtures):
        return shared.pop(), TURNS[0][1]
    quickest = WRITING_DAYS if WRITING & set(fixtures) else 1
    return case.partition("@")[0], max(quickest, days_between(seconds.get(test_of(case), 0.0)))


def leave_out_those_of_other_days(items: list[pytest.Item]) -> None:
    """Marks as `full` what is not played today. DAY_OF_TESTS, the ordinal of a day, is set where everything is run."""
    today = os.environ.get("DAY_OF_TESTS")
    if not today:
        return
    seconds, cases = read(), Counter(test_of(item.nodeid) for item in items)
    turns = [(item, *turn_of(item.nodeid, seconds, getattr(item, "fixturenames", ()))) for item in items]
    costs, days_of = Counter[str](), dict[str, int]()
    for item, name, days in turns:
        costs[name] += seconds.get(test_of(item.nodeid), 0.0) / cases[test_of(item.nodeid)]
        days_of[name] = days
    dealt = deal({name: (spent, days_of[name]) for name, spent in costs.items() if spent >= DEALT_S})
    for item, name, days in turns:
        is_today = dealt.get(name, day_of(name, days)) == int(today) % days
        if not is_today and not item.nodeid.startswith((*HEART, *DEAR)):
            item.add_marker(pytest.mark.full)


def note(report: pytest.TestReport) -> None:
    """Adds the time of one part of a test: its fixtures, its call, or what is cleared up after it."""
    noted[test_of(report.nodeid)] += report.duration


def write() -> None:
    """Puts what was noted into the list: a test that is quick now leaves it. Several runs may write at once."""
    with FILE.open("r+", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        known = {row["test"]: float(row["seconds"]) for row in csv.DictReader(file)} | dict(noted)
        rows = [(test, f"{spent:.1f}") for test, spent in sorted(known.items()) if days_between(spent) > 1]
        file.seek(0)
        file.truncate()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)
