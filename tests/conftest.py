"""What every test may use: a database that is there already, and the addresses of what runs beside it.

Nothing is created, flushed or truncated: the ledger and the audit refuse it. A test makes a business of its own, so
what others left behind never matters. `db` rolls back at the end; `committed` really commits (threads, processes).
"""

import csv
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from pytest_django.plugin import DjangoDbBlocker

from tests import one_business, slow_tests

# By a clock Hypothesis would fail an example that takes 200 ms, and examples that are slow to make: on a busy machine that says
# nothing of what is tested. A test of a database does not begin anew for each example, and knows that it does not.
settings.register_profile("without a clock", deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("without a clock")

# What takes long, one test per row: how many of its cases the daily run takes; `manage.py test --full` takes all of them.
DAILY_CASES = Path(__file__).parent / "daily_cases.csv"
daily = pytest.StashKey[dict[str, int]]()


class FailuresAtOnce:
    """Names a test in the log, and why, as soon as it has failed or is tried again: the full run takes hours, says the rest at its
    end, and of a first try nothing."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Of a part of a test: before it, itself or after it."""
        # A worker has nobody who writes; what it reports comes here again in the process that began it.
        writes = self.config.pluginmanager.getplugin("terminalreporter")
        if writes and report.outcome in {"failed", "rerun"}:
            crash = getattr(report.longrepr, "reprcrash", None)
            why = str(getattr(crash, "message", "")).partition("\n")[0]
            writes.ensure_newline()
            writes.write_line(f"{report.outcome} ({report.when}): {report.nodeid} {why}".rstrip())


def pytest_configure(config: pytest.Config) -> None:
    """Reads which tests the daily run takes in part."""
    config.pluginmanager.register(FailuresAtOnce(config))
    with DAILY_CASES.open(newline="") as file:
        config.stash[daily] = {row["test"]: int(row["cases"]) for row in csv.DictReader(file)}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks as `full` what the daily run leaves out, before the marks are looked at."""
    most, seen = config.stash[daily], Counter[str]()
    for item in items:
        test = item.nodeid.partition("[")[0]
        if test in most:
            seen[test] += 1
            if seen[test] > most[test]:
                item.add_marker(pytest.mark.full)
    slow_tests.leave_out_those_of_other_days(items)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Notes how long each test takes."""
    slow_tests.note(report)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With WRITE_DURATIONS, what was noted goes into the list of slow tests."""
    if os.environ.get("WRITE_DURATIONS"):
        slow_tests.write()


crossing = one_business.Crossing()
LISTS = Path(__file__).parent / "dashboard" / "lists"


def _record_statements(connection: Any, **_: Any) -> None:
    if crossing not in connection.execute_wrappers:
        connection.execute_wrappers.append(crossing)


@pytest.fixture(autouse=True)
def within_one_business(request: pytest.FixtureRequest) -> Iterator[None]:
    """No statement of a list or of a selector crosses businesses, but for those in one_business.csv.

    In the daily run the statements of the tests of lists alone are looked at, which make each list run all of its own: what
    another test happens to run is looked at in the full run.
    """
    is_written = bool(os.environ.get("WRITE_ONE_BUSINESS"))
    crossing.is_looking = is_written or bool(os.environ.get("FULL")) or LISTS in request.path.parents
    yield
    found = crossing.fresh() if crossing.is_looking else set()
    crossing.found.clear()
    if found and is_written:
        one_business.write(found)
    else:
        assert found == set()


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None) -> None:
    """The database of the environment, migrated before pytest started; jobs that a test sends find their queue."""
    from django.conf import settings
    from django.db.backends.signals import connection_created
    from django.template import Template
    from django.test import utils

    import config.celery  # noqa: F401

    connection_created.connect(_record_statements, weak=False)
    # Static files are looked for when one is asked for: to list them all anew costs each test client about 10 ms.
    settings.WHITENOISE_AUTOREFRESH = True
    # Templates are rendered as they are served. For `response.context`, which no test of ours looks at, Django has each
    # include copy all it was given.
    Template._render = utils._TestState.saved_data.template_render
    # A password is made slow to try on purpose: a third of what the tests of signing in cost. What the program itself
    # hashes with is looked at in dashboard/signin/test_passwords.py.
    if os.environ["DJANGO_SETTINGS_MODULE"].endswith(".dashboard"):
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *settings.PASSWORD_HASHERS]


@pytest.fixture
def committed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The real database, with real commits."""
    from django.db import connections

    with django_db_blocker.unblock():
        yield
        connections.close_all()


def address(name: str) -> str:
    """The address of something that runs beside the tests, or a skip that says how to have it."""
    value = os.environ.get(name, "")
    if not value:
        pytest.skip(f"{name} is not set: run through `manage.py test`")
    return value


@pytest.fixture(scope="session")
def service_address() -> str:
    """Where the finance service answers."""
    return address("SERVICE_ADDRESS")
