"""What goes wrong while something is done with the outbox, and what ends its process right after a step."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from django.core.cache import cache
from django.db import connection
from hypothesis import strategies as st

from dashboard.client import breaker, gateway, token
from dashboard.client.models import ServiceAccount
from dashboard.decisions import dispatcher, reconcile
from tests.dashboard.decisions.conftest import Desk
from tests.dashboard.decisions.outbox_checks import WRITES

MODES = ("slow", "hang", "reset", "truncated", "bad json", "401", "403", "429", "500", "lost reply", "refused")
# What is cut at: the steps of a write between which a process can end.
STEPS = ("claim", "open_outbound", "mark_sent", "perform", "confirm_outbound", "close_outbound", "settle", "look")

# Where what is decided, looked at, proposed and sent is found at the service.
PLACES = (
    "/v2/expenses", "/v2/approvals", "/v2/bills", "/v2/cards", "/v2/wallet-policies", "/v2/customers", "/v2/accounts",
    "/v2/fx", "/v2/investments",
)  # fmt: skip


class Killed(BaseException):
    """The process ends here, as by kill -9."""


class Cutter:
    """Ends the process, or the database's connection, right after one step."""

    def __init__(self) -> None:
        self.step, self.how = "", ""

    def after(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*given: Any, **named: Any) -> Any:
            answer = function(*given, **named)
            if step == self.step:
                self.step = ""
                if self.how == "killed":
                    raise Killed
                self._drop_connection()
            return answer

        return wrapped

    def _drop_connection(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            [pid] = cursor.fetchone()
        with psycopg.connect(os.environ["DATABASE_URL"].replace("postgres://", "postgresql://", 1)) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [pid])


@dataclass(frozen=True)
class Weather:
    """What goes wrong while something is done: acting, looking, tokens, our own breakers, the process or its database."""

    acting: str = ""
    looking: str = ""
    times: int | None = None
    tokens: bool = False
    writes_stopped: bool = False
    reads_stopped: bool = False
    cut_after: str = ""
    how: str = "killed"


WEATHER = st.builds(
    Weather,
    acting=st.sampled_from(("", "lost reply", "lost reply", "reset", "429", "429", *MODES)),
    looking=st.sampled_from(("", "", "500", *MODES)),
    times=st.sampled_from([None, 1, 2]),
    tokens=st.sampled_from([False, False, False, True]),
    writes_stopped=st.sampled_from([False, False, False, True]),
    reads_stopped=st.sampled_from([False, False, False, True]),
    cut_after=st.sampled_from(("", "", "", "", *STEPS)),
    how=st.sampled_from(["killed", "cut off"]),
)


@contextmanager
def passing(weather: Weather, desk: Desk, account: ServiceAccount, cutter: Cutter) -> Iterator[None]:
    """What fails, fails for this long; then all is well again, but for what it left behind."""
    proxy = desk.proxy
    breaker._breakers.clear()
    # Nobody waits for what hangs; once all is well, a slow machine has all the time it needs.
    hurry = weather != Weather()
    dispatcher.SEND_S = gateway.ORDINARY_S = 0.3 if hurry else 10.0
    reconcile.READ_S = 0.25 if hurry else 10.0
    for mode, method in (*((weather.acting, method) for method in WRITES), (weather.looking, "GET")):
        for place in PLACES if mode else ():
            proxy.fail(mode, method=method, path=place, times=weather.times)
    if weather.tokens:
        proxy.fail("500", path="/oauth/")
        token._tokens.pop(token._name(account), None)
        cache.delete(token._name(account))
    for reads, is_open in ((False, weather.writes_stopped), (True, weather.reads_stopped)):
        for _ in range(breaker.LEAST_CALLS if is_open else 0):
            breaker.breaker_for(account.base_url, account.remote_business_id, is_read=reads).failed()
    cutter.step, cutter.how = weather.cut_after, weather.how
    try:
        yield
    finally:
        cutter.step = ""
        proxy.heal()
        if not connection.is_usable():
            connection.close()
