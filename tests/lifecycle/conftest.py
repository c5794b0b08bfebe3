"""One first start for all: its demo takes a minute to make, and what comes after begins on the data that it left."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from tests.lifecycle.newcomer import FIRST_START_GUARD_S, Newcomer
from tests.lifecycle.shared_failures import pytest_runtest_makereport as pytest_runtest_makereport


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The first start is looked at closely by test_up.py, which therefore goes first."""
    items.sort(key=lambda item: item.path.name != "test_up.py")


@pytest.fixture(scope="session")
def beginner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Newcomer]:
    """Somebody who has not started anything yet."""
    one = Newcomer(tmp_path_factory.mktemp("up"))
    yield one
    if not one.ended():
        one.end(signal.SIGTERM)


@pytest.fixture(scope="session")
def at_rest(beginner: Newcomer) -> Newcomer:
    """The same, whose house has been up once and has ended: its data and its ports are there to begin from. Where it does not
    come up, one test fails (shared_failures.py)."""
    if beginner.process is not None and not (beginner.data / "demo.json").exists():
        pytest.skip("the first start failed: see test_the_first_start_prints_and_writes_how_to_sign_in")
    if not (beginner.data / "demo.json").exists():
        beginner.start(FIRST_START_GUARD_S)
    if not beginner.ended():
        beginner.end(signal.SIGTERM)
    return beginner
