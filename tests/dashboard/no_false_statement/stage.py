"""One act in one weather: begun, sent while it fails, sent again while it fails, then once all is well; and judged."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django.test import Client

from dashboard.audit.models import AuditEntry
from dashboard.client import breaker, gateway, http, outbox
from dashboard.client.models import ServiceAccount
from dashboard.decisions import reconcile
from tests.dashboard.conftest import World
from tests.dashboard.no_false_statement.said import STEP_BEFORE, Statement, of_answer, of_fate, statements_in
from tests.dashboard.treasury.test_exchange import proven
from tests.faults import FaultProxy, Sent

# While it fails nobody waits longer than this: what hangs is given up, and what is late arrives after we gave up.
PATIENCE_S = 0.6
IN_TIME_S, LATE_S, HANGS_S = 0.1, 0.9, 1.2
DENYING = frozenset({"REFUSED", "FAILED", "CANCELLED", "UNDONE"})
LANDED_S = 15.0


class Killed(BaseException):
    """The process ends here, as by kill -9."""


@dataclass
class Cutter:
    """Ends the process right after a step of a write, once; `wrapped` is what a step's function becomes. A read is no write:
    what is performed for it goes on."""

    step: str = ""
    has_cut: bool = False

    def wrapped(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def cut(*given: Any, **named: Any) -> Any:
            answer = function(*given, **named)
            if step == self.step and getattr(given[0], "method", "") != "GET":
                self.step = ""
                self.has_cut = True
                raise Killed
            return answer

        return cut


# Beside what the network and the service do: our own breaker is open, or the process ends right after a step.
BREAKER_OPEN, KILLED = "breaker open", "killed after "
STEPS = {
    "open_outbound": outbox, "mark_sent": outbox, "perform": gateway, "confirm_outbound": outbox, "close_outbound": outbox,
}  # fmt: skip


@dataclass(frozen=True)
class Weather:
    """How acting and how looking fail; "" where they do not."""

    acting: str
    looking: str

    def __str__(self) -> str:
        return f"{self.acting or 'none'}, looking {self.looking or 'none'}"

    @property
    def killed_after(self) -> str:
        """The step after which the process ends, while acting; "" where it goes on."""
        return self.acting.removeprefix(KILLED) if self.acting.startswith(KILLED) else ""

    @property
    def beside_the_kill(self) -> str:
        """How the act fails where the process ends, too: only a call without success is closed, so its reply is lost."""
        return "lost reply" if self.killed_after == "close_outbound" else ""


class Patience:
    """The deadlines of all calls, cut short while something fails."""

    def __init__(self) -> None:
        self.most: float | None = None

    def __call__(self, seconds: float) -> http.Deadline:
        return http.Deadline(seconds if self.most is None else min(seconds, self.most))


@dataclass
class Stage:
    """The business behind a fault proxy in which everything happens."""

    world: World
    patience: Patience
    cutter: Cutter = field(default_factory=Cutter)

    @property
    def proxy(self) -> FaultProxy:
        assert self.world.proxy is not None
        return self.world.proxy

    def browser(self, person: str) -> Client:
        """Somebody who has just shown that it is them."""
        browser = proven(self.world, person)
        browser.raise_request_exception = False
        return browser

    @contextmanager
    def weather(self, act: Act, weather: Weather) -> Iterator[None]:
        """What fails, fails for as long as this."""
        self.calm()
        self.patience.most = PATIENCE_S
        self.cutter.step, self.cutter.has_cut = weather.killed_after, False
        for method in act.methods:
            self._fails(weather.beside_the_kill if weather.killed_after else weather.acting, method, act.path)
        self._fails(weather.looking, "GET", "/v2/")
        try:
            yield
        finally:
            self.cutter.step = ""
            self.calm()

    def _fails(self, mode: str, method: str, path: str) -> None:
        if mode in {"slow", "late"}:
            self.proxy.fail("slow", method=method, path=path, seconds=LATE_S if mode == "late" else IN_TIME_S)
        elif mode == BREAKER_OPEN:
            account = ServiceAccount.objects.get(business=self.world.business)
            for _ in range(breaker.LEAST_CALLS):
                breaker.breaker_for(account.base_url, account.remote_business_id, is_read=method == "GET").failed()
        elif mode:
            self.proxy.fail(mode, method=method, path=path)

    def calm(self) -> None:
        """All is well again, and what had tripped has had its time."""
        self.proxy.heal()
        self.patience.most = None
        breaker._breakers.clear()


@dataclass
class Act:
    """Something a person does, and what the service shows of it. One object is one time of it."""

    stage: Stage
    person: ClassVar[str] = "Ada"
    # What the write's address holds at the proxy, what the audit calls it, and which of its writes fail.
    path: ClassVar[str] = ""
    operation: ClassVar[str] = ""
    methods: ClassVar[tuple[str, ...]] = ("POST", "PUT", "PATCH", "DELETE")
    # Whether one and the same form is the act: of a bulk, and of what workers do, the rows tell what was done.
    asked_by_key: ClassVar[bool] = True
    # Whether what it is done to takes long to make: it is acted in the full run alone.
    slow: ClassVar[bool] = False
    # Of an act of several writes its last: where it is said that the step before was done, the denial is of this one.
    last_step: ClassVar[str] = ""
    key: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def world(self) -> World:
        return self.stage.world

    def begin(self) -> None:
        """Makes what it is done to, and opens the form."""
        raise NotImplementedError

    def press(self) -> Any:
        """Sends the form, under the same key each time; the answer, or None where no page is asked."""
        raise NotImplementedError

    def work(self) -> None:
        """What the workers and jobs do next."""

    def carried_out(self) -> dict[str, int]:
        """How often the service shows that it was done, for each thing that it was done to."""
        raise NotImplementedError

    def belongs(self, sent: Sent, item: str) -> bool:
        """Whether a request that arrived at the service was about this thing."""
        return True

    def item_of(self, line: AuditEntry) -> str:
        """Which of its things a line of the audit is about."""
        return str(line.object_id)

    def statements(self) -> Iterator[Statement]:
        """What else can be read of it by now."""
        yield from ()

    def ended(self, done: dict[str, int]) -> None:
        """After all is over: what must hold of this act besides."""
        assert all(done.values()), f"sent again once all was well, and not done: {done}"


class Run:
    """An act in a weather, with all that was said of it."""

    def __init__(self, act: Act, weather: Weather) -> None:
        self.act, self.weather = act, weather
        self.said: list[Statement] = []
        act.begin()
        # Some acts need a business of their own, behind the same proxy.
        self.stage = act.stage
        self.before = ""
        self.since = time.time()
        self.line = max(self._lines().values_list("id", flat=True)[:1], default=0)
        self.record_from = len(self.stage.proxy.record)

    def play(self, *, done_first: bool = False) -> None:
        """Twice while it fails, twice when it does not any more; after each the statements are noted."""
        browser = self.stage.browser(self.act.person)
        if done_first:
            self._step(browser)
        with self.stage.weather(self.act, self.weather):
            for _ in range(2):
                self._step(browser)
        self._let_land()
        self._ask_for_fate(browser)
        for _ in range(2):
            self._step(browser)
        self._let_land()

    def _step(self, browser: Client) -> None:
        with suppress(Killed):
            answer = self.act.press()
            if answer is not None:
                self.said += of_answer(answer, self.before)
            self.act.work()
        self._ask_for_fate(browser)
        self.said += self.act.statements()
        self._read_audit()

    def _ask_for_fate(self, browser: Client) -> None:
        if not self.act.asked_by_key:
            return
        answer = browser.get(self.stage.world.address(f"submissions/{self.act.key}/"))
        self.said += of_fate(answer.json())

    def _lines(self) -> Any:
        return AuditEntry.objects.filter(chain=self.stage.world.business.pk).order_by("-id")

    def _read_audit(self) -> None:
        for line in self._lines().filter(id__gt=self.line, operation__startswith=self.act.operation).order_by("id"):
            self.line = line.pk
            claimed = True if line.outcome == "DONE" else False if line.outcome in DENYING else None
            words, at = f"{line.outcome}: {line.sentence}. {line.reason}", line.at.timestamp()
            self.said.append(Statement("audit", words, claimed, at, self.act.item_of(line)))
            for one in statements_in("audit", line.reason):
                self.said.append(Statement("audit", one.words, one.done, at, self.act.item_of(line)))

    def _let_land(self) -> None:
        """Waits for what is still under way: a late request acts after everybody has given it up."""
        late, ends = self.weather.acting in {"slow", "late"}, time.monotonic() + LANDED_S
        while time.monotonic() < ends and any(one.status is None and (late or one.passed_on) for one in self._writes()):
            time.sleep(0.02)

    def _writes(self) -> list[Sent]:
        with self.stage.proxy.lock:
            rows = self.stage.proxy.record[self.record_from :]
        return [one for one in rows if one.is_write and self.act.path in one.path]

    def judge(self) -> list[str]:
        """Every false statement, in words; and whatever was done twice."""
        done, wrong = self.act.carried_out(), list[str]()
        # Where looking fails, too, the step may not be reached: then it is the look that is tried.
        if self.weather.killed_after and not self.weather.looking and not self.stage.cutter.has_cut:
            wrong.append("the process was not ended after the step: none came that far")
        first = {item: self._first_done(item) for item in done}
        for item, times in done.items():
            if times > 1:
                wrong.append(f"done {times} times: {item}")
            if bool(times) != (first[item] is not None):
                wrong.append(f"the service shows {times} of {item}, and the proxy saw it done at {first[item]}")
        for one in self.said:
            named = self.act.last_step if STEP_BEFORE in one.words else one.item
            about = [named] if named in done else list(done)
            if one.done is False and any(first[item] is not None and first[item] < one.at for item in about):  # type: ignore[operator]
                wrong.append(f"denied, and was done: [{one.where}] {one.words}")
            if one.done is True and not all(first[item] is not None and first[item] < one.at for item in about):  # type: ignore[operator]
                wrong.append(f"affirmed, and was not done: [{one.where}] {one.words}")
        if not wrong:
            self.act.ended(done)
        return [f"{type(self.act).__name__} ({self.weather}): {each}" for each in dict.fromkeys(wrong)]

    def _first_done(self, item: str) -> float | None:
        mine = [one for one in self._writes() if self.act.belongs(one, item)]
        acted = [
            one for one in mine if one.status is not None and one.status < 300 and one.passed_on and not one.replayed
        ]
        return acted[0].at if acted else None


def hurried(patience: Patience, cutter: Cutter, set_attribute: Callable[[Any, str, Any], None]) -> None:
    """Puts the deadlines of everything that calls the service under one hand, and the steps of a write under another."""
    for step, module in STEPS.items():
        set_attribute(module, step, cutter.wrapped(step, getattr(module, step)))
    for module in (gateway, reconcile):
        set_attribute(module, "Deadline", patience)
