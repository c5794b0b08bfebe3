"""What is no replica, or does not answer, is not read: lists come from the primary, and it is said once."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from dashboard import replica
from dashboard.web.last_write import COOKIE
from tests.dashboard.pages.conftest import House
from tests.dashboard.replica.conftest import Name, socket_of_the_primary
from tests.log_lines import written_lines


def reads(source: str) -> float:
    return REGISTRY.get_sample_value("countersign_dashboard_list_reads_total", {"source": source}) or 0


def expenses(house: House, person: str = "Ada") -> str:
    answer = house.browser(person).get(house.address("expenses/"))
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_without_an_address_nothing_is_asked_and_no_cookie_is_set(kept_house: House) -> None:
    assert not replica.is_configured()
    browser = kept_house.browser("Ada")
    browser.post(kept_house.address("lists/expenses/export/"), {"list": "", "format": "csv"})
    assert COOKIE not in browser.cookies


@pytest.mark.parametrize("place", ["nobody", "primary"])
def test_lists_come_from_the_primary_where_the_replica_is_none(
    kept_house: House, name_replica: Name, tmp_path: Path, place: str
) -> None:
    kept_house.expense(merchant="Shell Westlands")
    # A primary is what a replica becomes that was promoted: it may have gone another way since.
    name_replica(socket_of_the_primary() if place == "primary" else str(tmp_path))
    before = reads("primary: away")
    with written_lines() as lines:
        assert "Shell Westlands" in expenses(kept_house)
        assert "Shell Westlands" in expenses(kept_house)
    (line,) = lines.of("replica is not read")
    assert (line["trouble"], line["error"], line["level"]) == ("away", "OperationalError", "warning")
    assert reads("primary: away") == before + 2


def test_what_is_read_of_the_replica_is_written_to_the_primary(kept_house: House) -> None:
    expense = kept_house.expense()
    expense._state.db = replica.REPLICA
    expense.merchant = "Total"
    expense.save()
    expense.refresh_from_db(using=replica.PRIMARY)
    assert expense.merchant == "Total"


@pytest.mark.parametrize("value", ["12", "12:bad", "x" * 300, "9" * 40])
def test_a_position_that_we_did_not_sign_is_none(
    kept_house: House, name_replica: Name, tmp_path: Path, value: str
) -> None:
    name_replica(str(tmp_path))
    browser = kept_house.browser("Ada")
    browser.cookies[COOKIE] = value
    assert browser.get(kept_house.address("expenses/")).status_code == 200
