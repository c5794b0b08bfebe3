"""People at work on a running house while its parts are killed: what each was answered is written down, and held against
what is there afterwards."""

from __future__ import annotations

import html
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any
from uuid import uuid4

import psycopg
import requests

from config.dev_stack import House
from tests.contract.over_http import Business
from tests.lifecycle.newcomer import sign_in
from tests.lifecycle.processes import joined, until, work_in

# As long as a page waits for its answer, and longer than PostgreSQL's own limits.
PATIENCE_S = 30.0
PAGES = ("approvals/", "expenses/", "")
# Each amount stands once: 10.00, 10.01, … so that the ledger's entries tell how often each was posted.
FIRST_MINOR = 1_000
REPEAT_GUARD_S = 90
APPROVED = "select payload->'object'->>'_id', count(*) from events_event where kind = 'expense.approved' and payload->'object'->>'_id' = any(%s) group by 1"
POSTED = (
    "select -e.amount, count(*) from ledger_entry e join accounts_wallet w on w.ledger_account_id = e.account_id"
    " where w.id = %s and e.amount < 0 group by 1"
)


@dataclass
class Act:
    """Something that somebody did once, under one key; `answered` is when it was acknowledged, by time.monotonic()."""

    what: str
    repeat: Callable[[], requests.Response]
    answered: float | None = None


@dataclass
class Traffic:
    """Money that moves over HTTP, decisions on the dashboard, and pages that are read, in threads of their own."""

    house: House
    slug: str
    business_id: str
    people: list[dict[str, str]]
    browsers: list[requests.Session] = field(default_factory=list)
    moves: list[Act] = field(default_factory=list)
    decisions: list[Act] = field(default_factory=list)
    # When and what each request was answered: 0 where there was no answer.
    answers: list[tuple[float, int]] = field(default_factory=list)
    reads: Counter[int] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    threads: list[threading.Thread] = field(default_factory=list)
    began: float = 0.0

    def __post_init__(self) -> None:
        self.bank = Business(self.house.service_address, self.house.env["SERVICE_SANDBOX_TOKEN"])
        for person in self.people:
            browser, page = sign_in(self.house.address, person)
            assert page.ok
            self.browsers.append(browser)

    def __enter__(self) -> Traffic:
        self.began = time.monotonic()
        works = [self._move_money, *(partial(self._read, one) for one in self.browsers)]
        works += [partial(self._decide, one) for one in self.browsers]
        self.threads = [threading.Thread(target=work) for work in works]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.over.set()
        joined(self.threads, 2 * PATIENCE_S, "somebody still waits for an answer", lambda: len(self.answers))

    def ask(self, program: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of a program's database, past the program."""
        assert self.house.postgres is not None
        with psycopg.connect(self.house.postgres.url(f"{program}_app", program)) as connection:
            return connection.execute(statement.encode(), values).fetchall()

    def _noted(self, send: Callable[[], requests.Response]) -> requests.Response | None:
        try:
            answer = send()
        except requests.RequestException:
            self.answers.append((time.monotonic(), 0))
            return None
        self.answers.append((time.monotonic(), answer.status_code))
        return answer

    def _move_money(self) -> None:
        """One after the other; what was not answered is left, and its like goes on."""
        headers = {
            "Authorization": f"Bearer {self.bank.token}", "business_id": self.bank.made["business_id"],
            "X-Acting-Employee": self.bank.people["Apollo"],
        }  # fmt: skip
        address = f"{self.house.service_address}/v2/employees/allocate-funds"
        while not self.over.wait(0.05):
            minor = FIRST_MINOR + len(self.moves)
            body = {"employee_id": self.bank.people["Carla"], "amount": minor / 100, "org_wallet_ref": "1"}
            keyed = headers | {"Idempotency-Key": uuid4().hex}
            act = Act(str(minor), partial(requests.post, address, json=body, headers=keyed, timeout=PATIENCE_S))
            self.moves.append(act)
            answer = self._noted(act.repeat)
            if answer is not None and answer.ok:
                act.answered = time.monotonic()
            elif answer is not None and answer.status_code < 500:
                self.broken.append(f"{answer.status_code} {answer.text[:300]}")
                return

    def _read(self, browser: requests.Session) -> None:
        """Lists and pages, as they are looked at all day. Somebody who is led to the sign-in has been signed out."""
        while not self.over.is_set():
            for page in PAGES:
                address = f"{self.house.address}/{self.slug}/{page}"
                answer = self._noted(partial(browser.get, address, timeout=PATIENCE_S, allow_redirects=False))
                self.reads[answer.status_code if answer is not None else 0] += 1
                self.over.wait(0.1)

    def _decide(self, browser: requests.Session) -> None:
        """New expenses come, and are approved; a form that could not be taken is sent again, the very same."""
        address = f"{self.house.service_address}/sandbox/businesses/{self.business_id}/expenses"
        headers = {"Authorization": f"Bearer {self.house.env['SERVICE_SANDBOX_TOKEN']}"}
        while not self.over.is_set():
            body = {"count": 2, "seed": time.monotonic_ns() % 10_000}
            made = self._noted(partial(requests.post, address, json=body, headers=headers, timeout=PATIENCE_S))
            for one in made.json()["expenses"] if made is not None and made.ok else []:
                self._approve(browser, one["_id"])
            self.over.wait(0.2)

    def _approve(self, browser: requests.Session, expense_id: str) -> None:
        action = f"/{self.slug}/approvals/expense/{expense_id}/approve/"
        while not self.over.is_set():
            # Until the event has brought it to the desk there is no such page.
            address = f"{self.house.address}/{self.slug}/approvals/expense/{expense_id}/"
            page = self._noted(partial(browser.get, address, timeout=PATIENCE_S, allow_redirects=False))
            if page is not None and (content := form_of(page.text, action)) is not None:
                break
            self.over.wait(0.5)
        else:
            return
        send = partial(
            browser.post, f"{self.house.address}{action}", content, allow_redirects=False, timeout=PATIENCE_S
        )
        act = Act(expense_id, send)
        self.decisions.append(act)
        while not self.over.is_set():
            answer = self._noted(send)
            if answer is not None and answer.status_code in {200, 302}:
                act.answered = time.monotonic()
                return
            self.over.wait(0.5)

    def without_postings(self, moment: float) -> float:
        """Around a moment, the seconds between the last posting acknowledged before it and the first one after."""
        times = [one.answered for one in self.moves if one.answered]
        return min((one for one in times if one > moment), default=time.monotonic()) - max(
            (one for one in times if one <= moment), default=self.began
        )

    def longest_without_postings(self, since: float) -> float:
        """The longest time, in seconds, between two acknowledged postings from a moment until now."""
        times = [since, *sorted(one.answered for one in self.moves if one.answered and one.answered > since)]
        return max(after - before for before, after in pairwise([*times, time.monotonic()]))

    def error_minutes(self) -> tuple[int, int]:
        """In how many minutes at least one request failed (no answer, or 500 and more), and of how many."""
        minutes = {int(at - self.began) // 60 for at, _ in self.answers}
        failed = {int(at - self.began) // 60 for at, status in self.answers if not status or status >= 500}
        return len(failed), len(minutes)

    def holds(self) -> str:
        """What was acknowledged is there once, what was not at most once; repeated under its key, each is there once.
        What it came to, as a sentence."""
        assert self.broken == []
        assert self.moves
        assert self.decisions
        posted = dict(self.ask("service", POSTED, self.bank.wallet_id))
        left = [one for one in self.moves if one.answered is None]
        assert [one.what for one in self.moves if one.answered and posted.get(int(one.what), 0) != 1] == []
        assert [one.what for one in self.moves if posted.get(int(one.what), 0) > 1] == []
        for one in (*left, *(each for each in self.decisions if each.answered is None)):
            until(
                lambda one=one: one.repeat().status_code in {200, 201, 302}, REPEAT_GUARD_S, "a repeat is not answered",
                self.work,
            )  # fmt: skip
        posted = dict(self.ask("service", POSTED, self.bank.wallet_id))
        assert {one.what: posted.get(int(one.what), 0) for one in self.moves} == {one.what: 1 for one in self.moves}
        self._decisions_hold()
        for program, command in (("service", "check_ledger"), ("dashboard", "verify_audit")):
            until(
                lambda p=program, c=command: self.house.manage(p, c).wait() == 0, 60, f"{command} does not hold",
                self.work,
            )  # fmt: skip
        failed = sum(1 for _, status in self.answers if not status or status >= 500)
        return (
            f"{len(self.moves)} postings ({len(left)} not acknowledged at once), {len(self.decisions)} decisions,"
            f" {sum(self.reads.values())} pages; {failed} of {len(self.answers)} requests failed;"
            f" error minutes: {self.error_minutes()[0]} of {self.error_minutes()[1]}; 0 lost, 0 doubled"
        )

    def work(self) -> int:
        """What the house has worked by now."""
        return work_in(self.house.data)

    def _decisions_hold(self) -> None:
        ids = [one.what for one in self.decisions]
        states = "select object_id, state from decisions_decision where object_id = any(%s)"
        done = sorted((one, "DONE") for one in ids)
        until(
            lambda: sorted(self.ask("dashboard", states, ids)) == done,
            REPEAT_GUARD_S,
            "the decisions are not done, each once",
            lambda: sorted(self.ask("dashboard", states, ids)),
        )
        assert dict(self.ask("service", APPROVED, ids)) == dict.fromkeys(ids, 1)


def form_of(page: str, action: str) -> dict[str, str] | None:
    """What is in the form of a page that goes to an address; None where there is no such form."""
    contents = re.findall(rf'<form[^>]*action="{action}"[^>]*>(.*?)</form>', page, re.DOTALL)
    inputs = [dict(re.findall(r'(\w+)="([^"]*)"', tag)) for tag in re.findall(r"<input[^>]*>", "".join(contents[:1]))]
    return {one["name"]: html.unescape(one["value"]) for one in inputs} if contents else None
