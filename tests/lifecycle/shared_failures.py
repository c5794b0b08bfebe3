"""What several tests need and nobody could make fails one test: the others say that they could not be tried, and why.

A house that does not come up would else be ten failures, of which nine say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

# What ended a fixture that many share, by the test that met it first: pytest raises the very same error for each.
first_met: dict[int, tuple[BaseException, str]] = {}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Turns the second report of one and the same failure into a skip that names the first."""
    outcome = yield
    if call.when != "setup" or call.excinfo is None or call.excinfo.errisinstance(pytest.skip.Exception):
        return
    error = call.excinfo.value
    _, first = first_met.setdefault(id(error), (error, item.nodeid))
    if first != item.nodeid:
        report = outcome.get_result()  # type: ignore[attr-defined]
        report.outcome = "skipped"
        report.longrepr = (str(item.path), 0, f"Skipped: what it needs was not there: see {first}")
