"""kill -9 in the middle of everything that moves money: asked again with the same keys, each has counted once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from uuid import uuid4

import pytest
import requests

from config.dev_stack import House
from tests.contract.over_http import Business
from tests.lifecycle.money_moves import OPERATIONS, Moves
from tests.lifecycle.newcomer import Newcomer, bare
from tests.lifecycle.processes import below, joined, until, work_in

RECOVERY_GUARD_S = 90
TURNS = range(5)


@pytest.fixture(scope="module")
def house(at_rest: Newcomer) -> Iterator[House]:
    """The finance service alone, with its worker, on a database that survives kills."""
    made = House(at_rest.data, at_rest.port, at_rest.service_port, durable=True, environ=bare(at_rest.home))
    try:
        made.open_folder()
        made.start_stores()
        start(made)
        yield made
    finally:
        made.close()


def start(house: House) -> None:
    """The web server and the worker."""
    house.serve("service", house.service_port)
    house.work("service")
    house.wait_ready(house.service_address, "the service")


def kill(house: House) -> None:
    """Web server, worker and all their children, at once, with no time to say goodbye."""
    processes = [house.processes["service"], house.processes["service worker"]]
    for pid in [pid for process in processes for pid in below(process.pid)]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    for process in processes:
        process.wait()


class Asking:
    """Sends all requests of some moves, each operation in a thread of its own, and keeps who was answered."""

    def __init__(self, moves: list[Moves]) -> None:
        self.keyed = [[(work, uuid4().hex) for work in each.works] for each in moves]
        self.answered = self.lost = 0
        self.refused: list[str] = []
        self.threads = [threading.Thread(target=self.ask, args=(each,)) for each in self.keyed]

    def ask(self, keyed: list[tuple[partial[requests.Response], str]]) -> None:
        for work, key in keyed:
            try:
                answer = work(key)
            except requests.RequestException:
                self.lost += 1
            else:
                self.answered += 1
                self.refused += [] if answer.ok else [answer.text]

    def again(self, house: House) -> None:
        """The very same requests, until each is answered: what was begun by the dead may still hold its locks."""
        for work, key in (each for some in self.keyed for each in some):
            done = partial(is_answered, work, key)
            until(done, RECOVERY_GUARD_S, "a repeat is not answered", lambda: work_in(house.data))

    def answers(self) -> tuple[int, int]:
        return self.answered, self.lost


def is_answered(work: partial[requests.Response], key: str) -> bool:
    return work(key).ok


def killed_while_asking(house: House, names: list[str], each_sends: int, share: float) -> None:
    """Kills the service once that share of all requests was answered; then the same again, and all is as if asked once."""
    moves = [
        OPERATIONS[name](Business(house.service_address, house.env["SERVICE_SANDBOX_TOKEN"]), each_sends)
        for name in names
    ]
    for each in moves:
        each.begin()
    asking = Asking(moves)
    for thread in asking.threads:
        thread.start()
    until(
        lambda: asking.answered >= share * each_sends * len(moves),
        60,
        "requests are not answered",
        lambda: asking.answered,
    )
    kill(house)
    joined(asking.threads, 60, "a request does not end", asking.answers)
    assert asking.refused == []
    assert asking.lost, "everything was answered before the end: this proves nothing"
    start(house)
    asking.again(house)
    for name, each in zip(names, moves, strict=True):
        until(
            lambda each=each: each.taken() >= each.expected,
            RECOVERY_GUARD_S,
            f"{name}: not all of it was moved",
            each.taken,
        )
    asking.again(house)
    assert {name: each.taken() for name, each in zip(names, moves, strict=True)} == {
        name: each.expected for name, each in zip(names, moves, strict=True)
    }
    until(
        lambda: house.manage("service", "check_ledger").wait() == 0,
        60,
        "check_ledger does not hold",
        lambda: work_in(house.data),
    )


def test_all_at_once(house: House) -> None:
    killed_while_asking(house, list(OPERATIONS), 5, 0.3)


@pytest.mark.full
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_each_alone(house: House, name: str, turn: int) -> None:
    killed_while_asking(house, [name], 20, turn / len(TURNS))
