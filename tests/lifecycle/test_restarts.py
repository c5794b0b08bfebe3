"""What decides and pays is ended in the middle, and started again: nothing is lost, and nothing happens twice."""

from __future__ import annotations

import html
import json
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import psycopg
import pytest
import requests

from config.dev_stack import House
from tests.contract.over_http import Business
from tests.faults import FaultProxy, Sent
from tests.lifecycle.newcomer import Newcomer, bare, sign_in
from tests.lifecycle.processes import joined, until, work_in
from tests.lifecycle.restart_acts import AGAIN, acts

DECISIONS = 6
ITEMS = 1_500
# A decision waits its seconds; a dead sender's lease runs for thirty more.
RECOVERY_GUARD_S = 120
REPEATED = [pytest.param(turn, marks=pytest.mark.full) if turn else turn for turn in range(5)]
TIMES = "(select count(*) from events_event where kind = 'expense.approved' and payload->'object'->>'_id' = %s)"


@dataclass
class Town:
    """A whole house of its own with its demo business, reached by a proxy, and an approver's browser."""

    house: House
    proxy: FaultProxy
    browser: requests.Session
    slug: str
    business_id: str
    statuses: set[int] = field(default_factory=set)

    def ask(self, program: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of a program's database, past the program."""
        assert self.house.postgres is not None
        address = self.house.postgres.url(f"{program}_app", program)
        with psycopg.connect(address) as connection:
            cursor = connection.execute(statement.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def connect(self, address: str) -> None:
        """From now on the dashboard reaches the business's service at this address."""
        connect = "update access_serviceaccount set base_url = %s where remote_business_id = %s"
        self.ask("dashboard", connect, f"{address}/v2", self.business_id)

    def new_expenses(self, count: int) -> list[str]:
        """Expenses that were just made, once they have reached the desk by themselves; their ids."""
        address = f"{self.house.service_address}/sandbox/businesses/{self.business_id}/expenses"
        headers = {"Authorization": f"Bearer {self.house.env['SERVICE_SANDBOX_TOKEN']}"}
        made = requests.post(
            address, json={"count": count, "seed": time.monotonic_ns() % 10_000}, headers=headers, timeout=30
        ).json()
        ids = [one["_id"] for one in made["expenses"]]
        arrived = "select count(*) from mirror_expense where remote_id = any(%s)"
        until(
            lambda: self.ask("dashboard", arrived, ids) == [(count,)],
            60,
            "the expenses did not reach the desk",
            lambda: self.ask("dashboard", "select count(*), max(last_seen) from mirror_expense"),
        )
        return ids

    def form(self, item_id: str, kind: str = "expense") -> tuple[str, dict[str, str]]:
        """The form that approves an item, as it stands on its page: where it goes and what is in it."""
        page = self.browser.get(f"{self.house.address}/{self.slug}/approvals/{kind}/{item_id}/", timeout=30)
        assert page.status_code == 200
        action = f"/{self.slug}/approvals/{kind}/{item_id}/approve/"
        [content] = re.findall(rf'<form[^>]*action="{action}"[^>]*>(.*?)</form>', page.text, re.DOTALL)
        inputs = [dict(re.findall(r'(\w+)="([^"]*)"', tag)) for tag in re.findall(r"<input[^>]*>", content)]
        return action, {one["name"]: html.unescape(one["value"]) for one in inputs}

    def approve(self, expense_id: str) -> None:
        """Posts the form of a page that is open already; where that fails it is posted again, the very same."""
        action, form = self.form(expense_id)
        self.post(action, form)

    def post(self, action: str, form: dict[str, str]) -> None:
        """Until it is taken: what a person does whose page says that it could not be done just now."""

        def is_taken() -> bool:
            answer = self.browser.post(f"{self.house.address}{action}", form, allow_redirects=False, timeout=30)
            self.statuses.add(answer.status_code)
            return answer.status_code in {200, 302}

        until(is_taken, RECOVERY_GUARD_S, "the form is not taken", self.work, looks_every_s=0.5)

    def work(self) -> int:
        """What the house has worked by now."""
        return work_in(self.house.data)

    def states(self, ids: list[str]) -> list[tuple[str, str]]:
        """Each decision on these expenses: (expense, state)."""
        rows = self.ask("dashboard", "select object_id, state from decisions_decision where object_id = any(%s)", ids)
        return sorted((row[0], row[1]) for row in rows)

    def wait_until_done(self, ids: list[str]) -> None:
        """One decision on each, done; one effect of each in the service, and the copy says the same."""

        def still_right() -> list[tuple[str, str]]:
            now = self.states(ids)
            assert {state for _, state in now} <= {"WAITING", "SENDING", "UNKNOWN", "DONE"}, now
            return now

        done = sorted((one, "DONE") for one in ids)
        until(lambda: still_right() == done, RECOVERY_GUARD_S, "the decisions are not done", still_right)
        for one in ids:
            [(status, times)] = self.ask(
                "service", f"select status, {TIMES} from expenses_expense where id = %s", one, one
            )
            assert (status, times) == ("APPROVED", 1), one
        rows = self.ask("dashboard", "select distinct status from mirror_expense where remote_id = any(%s)", ids)
        assert rows == [("APPROVED",)]

    def kill(self, name: str) -> None:
        """Ends a worker with all its children, as the kernel would when memory is short."""
        process = self.house.processes[name]
        process.kill()
        process.wait()

    def holds(self) -> None:
        """The ledger and the audit prove what they hold; their sealers may need a moment."""
        for program, command in (("service", "check_ledger"), ("dashboard", "verify_audit")):
            done = partial(self.is_proven, program, command)
            until(done, 60, f"{command} does not hold", self.work)

    def is_proven(self, program: str, command: str) -> bool:
        return self.house.manage(program, command).wait() == 0


@pytest.fixture(scope="module")
def town(at_rest: Newcomer) -> Iterator[Town]:
    house = House(at_rest.data, at_rest.port, at_rest.service_port, durable=True, environ=bare(at_rest.home))
    proxy = FaultProxy(house.service_address)
    try:
        house.open()
        with proxy:
            town = settled_in(house, proxy)
            yield town
            town.connect(house.service_address)
    finally:
        house.close()


def settled_in(house: House, proxy: FaultProxy) -> Town:
    """The first demo business, its service reached through the proxy, and its approver signed in."""
    demo = json.loads((house.data / "demo.json").read_text())
    person = next(one for one in demo["dashboard"]["people"] if one["role"] == "APPROVER")
    browser, page = sign_in(house.address, person)
    assert page.ok
    town = Town(house, proxy, browser, person["business"], demo["service"]["businesses"][0]["business_id"])
    town.connect(proxy.address)
    return town


@pytest.mark.parametrize("turn", REPEATED)
@pytest.mark.parametrize("how", ["stopped", pytest.param("killed", marks=pytest.mark.full)])
def test_the_database_restarts_under_load(town: Town, how: str, turn: int) -> None:
    """Decisions from the outbox, a form that is sent at once, a vote on a payment, and a proposal that is confirmed."""
    ids, over = town.new_expenses(DECISIONS), threading.Event()
    forms = [town.form(one) for one in ids]
    others = acts(town)
    seen: set[int] = set()

    def read() -> None:
        while not over.is_set():
            for page in ("approvals/", "expenses/", ""):
                seen.add(town.browser.get(f"{town.house.address}/{town.slug}/{page}", timeout=30).status_code)

    def decide() -> None:
        for action, form in forms:
            town.post(action, form)
            time.sleep(0.4)

    def act() -> None:
        for each in others:
            each.post()
            time.sleep(0.4)

    threads = [threading.Thread(target=work) for work in (read, read, act, decide)]
    for thread in threads:
        thread.start()
    time.sleep(0.8)
    postgres = town.house.postgres
    assert postgres is not None
    if how == "killed":
        assert postgres.process is not None
        postgres.process.kill()
        postgres.process.wait()
    else:
        postgres.stop()
    time.sleep(1)
    postgres.start()
    joined(threads[-2:], RECOVERY_GUARD_S, "not everything was taken", town.work)
    over.set()
    joined(threads, 60, "a page is not answered", town.work)
    assert seen | town.statuses <= {200, 302, 503}
    assert 503 in seen | town.statuses, "the restart was noticed by nobody: this proves nothing"
    assert {status for each in others for status in each.statuses} <= {200, 302} | AGAIN
    town.wait_until_done(ids)
    for each in others:
        each.wait_until_done()
    assert requests.get(f"{town.house.address}/readyz", timeout=10).status_code == 200
    town.holds()


@pytest.mark.parametrize("turn", REPEATED)
def test_a_worker_is_killed_while_it_sends_decisions(town: Town, turn: int) -> None:
    ids = town.new_expenses(DECISIONS)

    def sent() -> list[Sent]:
        return [one for one in town.proxy.sent("POST", "/expenses/approve") if one.path.rsplit("/", 1)[-1] in ids]

    # Three seconds on the way there: it is done upstream after the worker that wanted to know has died.
    town.proxy.fail("slow", path="/expenses/approve")
    for one in ids:
        town.approve(one)
    until(sent, 60, "nothing was sent", lambda: town.states(ids))
    town.kill("decisions worker")
    town.proxy.heal()
    assert "SENDING" in {state for _, state in town.states(ids)}
    town.house.work("dashboard", queue="decisions")
    if not turn:
        # The full run waits for the dead one's lease as people would; here time is made to pass.
        time.sleep(5)
        town.ask("dashboard", "update decisions_decision set lease_until = now() where state = 'SENDING'")
    town.wait_until_done(ids)
    assert len(sent()) > len(ids)
    assert len({one.headers["Idempotency-Key"] for one in sent()}) == len(ids)
    town.holds()


@pytest.mark.parametrize("turn", REPEATED)
def test_the_services_worker_is_killed_while_it_pays(town: Town, turn: int) -> None:
    business = Business(town.house.service_address, town.house.env["SERVICE_SANDBOX_TOKEN"])
    before = business.balances()["posted_minor"]
    batch_no, request = business.payout(100, count=ITEMS)
    voters = ["Apollo", "Zawadi", "Juma"][: request["approvals_required"]]
    for name in voters:
        assert business.vote(request, name).ok
    progress = "select status, succeeded_count from payments_batch where batch_no = %s and business_id = %s"
    look = partial(town.ask, "service", progress, batch_no, business.made["business_id"])
    until(lambda: look()[0][1] > 0, 60, "the payout was not begun", look)
    town.kill("service worker")
    [(status, paid)] = look()
    assert (status, paid < ITEMS) == ("PROCESSING", True)
    town.house.work("service")

    end = business.settled(batch_no, RECOVERY_GUARD_S)
    assert (end["status"], end["succeeded_count"], end["failed_count"]) == ("COMPLETED", ITEMS, 0)
    assert {item["status"] for item in end["items"]} == {"SUCCEEDED"}
    now = business.balances()
    assert now["posted_minor"] == before - end["total_amount_minor"] - end["total_fees_minor"]
    assert now["pending_out_minor"] == 0
    debits = town.ask(
        "service",
        "select count(*), -sum(e.amount) from ledger_entry e join accounts_wallet w"
        " on w.ledger_account_id = e.account_id where w.id = %s and e.amount < 0",
        business.wallet_id,
    )
    assert debits == [(2 * ITEMS, end["total_amount_minor"] + end["total_fees_minor"])]
    town.holds()
