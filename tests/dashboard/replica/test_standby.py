"""A real replica by streaming: whoever wrote something reads it at once, and lists survive the replica's end."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client, RequestFactory

from dashboard import replica
from dashboard.lists import exports
from dashboard.lists.models import Export
from dashboard.mirror.models import Expense
from dashboard.web.last_write import read_own
from tests.dashboard.pages.conftest import House
from tests.dashboard.replica.conftest import Name, socket_of_the_primary
from tests.dashboard.replica.test_no_replica import expenses, reads
from tests.log_lines import written_lines
from tests.standby import Standby

# A copy of all databases of the tests, and a PostgreSQL of its own.
pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standby]:
    standby = Standby(tmp_path_factory.mktemp("standby"), socket_of_the_primary())
    standby.start()
    yield standby
    standby.stop()


@pytest.fixture
def standby(running: Standby, name_replica: Name, kept_house: House) -> Iterator[Standby]:
    """The standby, with all that there is until now, read by the dashboard."""
    if running.process is None or running.process.poll() is not None:
        running.start()
    running.go_on()
    name_replica(str(running.run))
    running.catch_up(replica.write_position())
    # It was seen to be near, once.
    assert replica.alias_for(0) == replica.REPLICA
    yield running
    if running.process is not None and running.process.poll() is None:
        running.go_on()


def audit(house: House, browser: Client) -> str:
    return str(browser.get(house.address("audit/")).content.decode())


def export(house: House, browser: Client) -> Any:
    return browser.post(house.address("lists/expenses/export/"), {"list": "", "format": "csv"})


def test_a_list_its_totals_and_an_export_are_read_from_the_replica(kept_house: House, standby: Standby) -> None:
    kept_house.expense(merchant="Shell Westlands", amount_minor=842_000)
    standby.catch_up(replica.write_position())
    before = reads("replica")
    assert "Shell Westlands" in expenses(kept_house)
    assert reads("replica") == before + 1
    browser = kept_house.browser("Ada")
    totals = browser.get(kept_house.address("expenses/totals/"), headers={"HX-Request": "true"})
    assert "8,420" in totals.content.decode()
    assert reads("replica") == before + 2
    body = b"".join(export(kept_house, browser).streaming_content).decode("utf-8-sig")
    assert "Shell Westlands" in body
    assert reads("replica") == before + 3


def test_a_person_sees_their_own_write_at_once_and_another_may_see_the_older_list(
    kept_house: House, standby: Standby
) -> None:
    ada, sam = kept_house.browser("Ada"), kept_house.browser("Sam")
    assert "exported 0 expenses" not in audit(kept_house, ada)
    standby.catch_up(replica.write_position())
    standby.hold()
    assert export(kept_house, ada).status_code == 200
    assert "exported 0 expenses" in audit(kept_house, ada)
    assert "exported 0 expenses" not in audit(kept_house, sam)
    # In the next window, too: the cookie is the browser's.
    assert "exported 0 expenses" in audit(kept_house, ada)
    standby.go_on()
    standby.catch_up(replica.write_position())
    before = reads("replica")
    assert "exported 0 expenses" in audit(kept_house, sam)
    assert "exported 0 expenses" in audit(kept_house, ada)
    assert reads("replica") == before + 2


def test_an_answer_to_a_form_has_what_the_form_has_written(kept_house: House, standby: Standby) -> None:
    request: Any = RequestFactory().get("/")
    request.actor = kept_house.actor("Ada")
    assert read_own(request, str) == replica.REPLICA
    request.method = "POST"
    assert read_own(request, str) == replica.PRIMARY


def test_what_a_job_has_done_for_somebody_is_in_their_next_list(kept_house: House, standby: Standby) -> None:
    expense = kept_house.expense(merchant="Before")
    standby.catch_up(replica.write_position())
    standby.hold()
    Expense.objects.filter(pk=expense.pk).update(merchant="Done for Ada")
    assert "Done for Ada" not in expenses(kept_house, "Ada")
    replica.note_write(kept_house.people["Ada"].user_id)
    assert "Done for Ada" in expenses(kept_house, "Ada")
    assert "Done for Ada" not in expenses(kept_house, "Sam")


def test_an_export_has_all_that_was_written_before_it(
    kept_house: House, standby: Standby, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "JOB_WAITS_S", 0.2)
    standby.hold()
    kept_house.expense(merchant="Just now")
    before = reads("primary: not there yet")
    body = b"".join(export(kept_house, kept_house.browser("Ada")).streaming_content).decode("utf-8-sig")
    assert "Just now" in {cell for row in csv.reader(io.StringIO(body)) for cell in row}
    assert reads("primary: not there yet") == before + 1


def test_a_replica_that_lags_too_long_is_not_read(kept_house: House, standby: Standby, settings: Any) -> None:
    settings.DATABASE_REPLICA_LAG_S = 0.2
    expenses(kept_house)
    standby.hold()
    kept_house.expense(merchant="Newer")
    time.sleep(0.3)
    with written_lines() as lines:
        # Nobody looked meanwhile, so it is not known whether it is near; then it lacks what was there too long before.
        ends = time.monotonic() + 10
        while not lines.of("replica is not read"):
            assert "Newer" in expenses(kept_house)
            assert time.monotonic() < ends
        standby.go_on()
        standby.catch_up(replica.write_position())
        while not lines.of("replica is read again"):
            assert time.monotonic() < ends
            expenses(kept_house)
    (line,) = lines.of("replica is not read")
    assert line["trouble"] == "behind"


def test_a_killed_replica_leaves_lists_and_exports_to_the_primary(kept_house: House, standby: Standby) -> None:
    kept_house.expense(merchant="Shell Westlands")
    standby.catch_up(replica.write_position())
    assert "Shell Westlands" in expenses(kept_house)
    standby.kill()
    with written_lines() as lines:
        for _ in range(3):
            assert "Shell Westlands" in expenses(kept_house)
        assert export(kept_house, kept_house.browser("Ada")).status_code == 200
    assert Export.objects.get(business=kept_house.business).state == "DONE"
    (line,) = lines.of("replica is not read")
    assert line["trouble"] == "away"


def test_a_replica_that_ends_in_the_middle_of_a_read_leaves_it_to_the_primary(
    kept_house: House, standby: Standby
) -> None:
    expense = kept_house.expense(merchant="Shell Westlands")
    standby.catch_up(replica.write_position())
    read_from = []

    def read(alias: str) -> str:
        read_from.append(alias)
        if alias == replica.REPLICA:
            Expense.objects.using(alias).count()
            standby.kill()
        return Expense.objects.using(alias).get(pk=expense.pk).merchant

    assert replica.read_behind(0, read) == "Shell Westlands"
    assert read_from == [replica.REPLICA, replica.PRIMARY]
