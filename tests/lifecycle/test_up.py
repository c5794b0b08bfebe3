"""`manage.py up` as a newcomer's machine sees it: started, ended, killed and started again in an empty environment."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from functools import partial
from pathlib import Path

import pytest
import requests

from config.embedded import die_with_parent, free_port
from tests.lifecycle.newcomer import FIRST_START_GUARD_S, SECOND_START_GUARD_S, Newcomer, bare, sign_in
from tests.lifecycle.processes import LOOPBACK, listening, processes_of, sockets_of, until


@pytest.fixture
def newcomer(beginner: Newcomer) -> Newcomer:
    """One for the whole file, whose tests are the days of one life, in order.

    A first start that failed fails one test, and says why there; one that was never tried has not failed.
    """
    if beginner.process is None:
        pytest.skip("not its turn: test_the_first_start_prints_and_writes_how_to_sign_in is not among what is played")
    if not (beginner.data / "demo.json").exists():
        pytest.skip("the first start failed: see test_the_first_start_prints_and_writes_how_to_sign_in")
    return beginner


def test_the_first_start_prints_and_writes_how_to_sign_in(beginner: Newcomer) -> None:
    newcomer = beginner
    newcomer.start(FIRST_START_GUARD_S)
    said, demo = newcomer.said(), newcomer.demo()
    assert newcomer.address in said
    assert (newcomer.data / "demo.json").stat().st_mode & 0o777 == 0o600
    assert set(demo) == {"dashboard", "service"}
    assert set(demo["dashboard"]) == {"address", "people"}
    assert set(demo["service"]) == {"address", "businesses"}
    assert demo["dashboard"]["address"] == newcomer.address
    assert demo["service"]["address"] == newcomer.service
    for person in demo["dashboard"]["people"]:
        assert set(person) - {"totp_secret"} == {"business", "role", "email", "password"}
        assert all(isinstance(value, str) and value for value in person.values())
        assert person["email"] in said
    slugs = list(dict.fromkeys(person["business"] for person in demo["dashboard"]["people"]))
    assert len(slugs) == len(demo["service"]["businesses"]) >= 2
    # The first demo business asks for no second factor, the second does.
    second = {person["business"] for person in demo["dashboard"]["people"] if "totp_secret" in person}
    assert second == set(slugs[1:])
    for business in demo["service"]["businesses"]:
        assert set(business) == {"business_id", "name", "client_id", "client_secret", "api_key", "employees"}
        assert business["employees"]
        for employee in business["employees"]:
            assert set(employee) == {"employee_id", "role", "name"}


def test_both_programs_are_well_and_let_people_in(newcomer: Newcomer) -> None:
    for address in (newcomer.address, newcomer.service):
        for page in ("healthz", "readyz"):
            answer = requests.get(f"{address}/{page}", timeout=10)
            assert answer.status_code == 200, (page, answer.text)
            assert answer.json()["status"] in {"alive", "ready"}
    demo = newcomer.demo()
    approver = next(one for one in demo["dashboard"]["people"] if one["role"] == "APPROVER")
    _, page = sign_in(newcomer.address, approver)
    assert page.status_code == 200
    assert f"/{approver['business']}/" in page.url
    business = demo["service"]["businesses"][0]
    token = requests.post(
        f"{newcomer.service}/oauth/token", {"grant_type": "client_credentials"},
        auth=(business["client_id"], business["client_secret"]), timeout=20,
    )  # fmt: skip
    assert token.json()["token_type"] == "Bearer"
    old = requests.get(f"{newcomer.service}/v1/expenses", headers={"x-api-key": business["api_key"]}, timeout=20)
    assert old.json()["total"] > 0


def test_mail_is_read_on_a_page(newcomer: Newcomer) -> None:
    person = newcomer.demo()["dashboard"]["people"][0]
    browser, page = requests.Session(), f"{newcomer.address}/-/account/password/reset/"
    browser.get(page, timeout=20).raise_for_status()
    token = next(cookie.value for cookie in browser.cookies if "csrf" in cookie.name)
    form = {"email": person["email"], "csrfmiddlewaretoken": token}
    browser.post(page, form, headers={"Referer": page}, timeout=20).raise_for_status()

    def shown() -> bool:
        return person["email"] in requests.get(f"{newcomer.address}/-/mail/", timeout=20).text

    until(shown, 20, "the letter is not on the page", newcomer.work)
    assert any((newcomer.data / "mail").iterdir())


def test_nothing_listens_beyond_this_machine(newcomer: Newcomer) -> None:
    sockets = sockets_of(processes_of(newcomer.data))
    assert {newcomer.port, newcomer.service_port} <= {port for _, port in sockets}
    assert {address for address, _ in sockets} == {LOOPBACK}
    own = {newcomer.port, newcomer.service_port}
    assert {address for address, port in listening().values() if port in own} == {LOOPBACK}


def test_a_second_one_on_the_same_data_is_told_so(newcomer: Newcomer) -> None:
    line = newcomer.refused("--port", str(free_port()), "--service-port", str(free_port()))
    assert "Another `up` is running" in line
    assert requests.get(f"{newcomer.address}/readyz", timeout=10).status_code == 200


def test_a_taken_port_is_named(newcomer: Newcomer, tmp_path: Path) -> None:
    line = newcomer.refused("--data", str(tmp_path / "other"))
    assert f"Port {newcomer.port} is taken" in line
    assert "--port" in line


def test_sigterm_ends_everything(newcomer: Newcomer) -> None:
    newcomer.kept = {"counts": newcomer.counts(), "demo": newcomer.demo()}
    assert newcomer.kept["counts"]["expenses_expense"] > 100
    assert newcomer.end(signal.SIGTERM) == 0
    assert newcomer.left() == {}


def test_the_second_start_is_quick_and_keeps_everything(newcomer: Newcomer) -> None:
    newcomer.start(SECOND_START_GUARD_S)
    assert newcomer.demo() == newcomer.kept["demo"]
    assert newcomer.counts() == newcomer.kept["counts"]
    person = newcomer.demo()["dashboard"]["people"][0]
    assert f"/{person['business']}/" in sign_in(newcomer.address, person)[1].url


def test_killed_hard_it_leaves_nothing_and_starts_again(newcomer: Newcomer) -> None:
    newcomer.end(signal.SIGKILL)
    newcomer.wait_until_gone()
    newcomer.start(SECOND_START_GUARD_S)
    assert newcomer.counts() == newcomer.kept["counts"]
    assert requests.get(f"{newcomer.address}/readyz", timeout=10).status_code == 200
    assert newcomer.end(signal.SIGINT) == 0
    assert newcomer.left() == {}


@pytest.mark.full
@pytest.mark.parametrize("after_s", [0.5, 1.5, 3.0, 5.0, 8.0, 12.0])
def test_killed_during_the_first_start_the_next_one_makes_it_whole(tmp_path: Path, after_s: float) -> None:
    newcomer = Newcomer(tmp_path)
    with newcomer.output.open("wb") as said:
        starter = subprocess.Popen(
            newcomer.command(), env=bare(tmp_path), stdout=said, stderr=said,
            preexec_fn=partial(die_with_parent, parent=os.getpid()),
        )  # fmt: skip
    time.sleep(after_s)
    starter.kill()
    starter.wait()
    newcomer.wait_until_gone()
    newcomer.start(FIRST_START_GUARD_S)
    try:
        person = newcomer.demo()["dashboard"]["people"][0]
        assert f"/{person['business']}/" in sign_in(newcomer.address, person)[1].url
        assert newcomer.counts()["expenses_expense"] > 100
    finally:
        newcomer.end(signal.SIGTERM)
