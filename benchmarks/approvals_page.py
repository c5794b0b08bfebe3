"""CPU of the approvals page, signed in, in its whole shell, against a bare Django page of fifty rows.

CPU is that of the web server's processes and of PostgreSQL's, read from the kernel before and after a run of requests;
the two run in turn. Totals and counts are a fragment of their own and no part of it.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import psycopg
from measure import ROOT, House, cpu_seconds, free_port, house, in_turn, report

from config.embedded import die_with_parent

MANY, WAITING, FEW = 1_000_000, 20_000, 10_000
REQUESTS = 150
DEEP = 10_000

PEOPLE = """
import json, time
from django.test import Client
from django.utils import timezone
from dashboard.access.models import Business, Membership, User
from dashboard.mirror.models import SyncCursor
from dashboard.mirror.schedule import INTERVALS_S
made, now = {}, timezone.now()
for slug in ("many", "few"):
    business = Business.objects.create(slug=slug, name=slug.title())
    user = User.objects.create_user(f"apollo@{slug}.example", name="Apollo Mutua")
    Membership.objects.create(user=user, business=business, role="APPROVER", employee_id=f"apollo-{slug}")
    # As it is from the first minutes on: all of the copy was read once, so that no page says that it was not.
    SyncCursor.objects.create(business=business, bands=dict.fromkeys(INTERVALS_S, now.isoformat()), as_of=now)
    client = Client()
    client.force_login(user)
    client.get(f"/{slug}/approvals/")
    made[slug] = {"business": business.pk, "cookies": {name: morsel.value for name, morsel in client.cookies.items()}}
print(json.dumps(made))
"""
ROWS = """
INSERT INTO mirror_expense (business_id, remote_id, remote_version, remote_updated_at, payload, payload_hash, source,
    first_seen, last_seen, employee_id, employee_name, team_id, team_name, org_wallet_ref, status, transaction_date,
    amount_minor, currency, amount_text, merchant, notes, category_name, subcategory_id, transaction_ref, has_receipt, risk)
SELECT %(business)s, lpad(to_hex(n), 24, '0'), 1, now(), '{}', md5(n::text), 'POLL', now(), now(), 'e' || n %% 60,
    'Employee ' || n %% 60, 't' || n %% 9, 'Team ' || n %% 9, '1',
    CASE WHEN n %% %(every)s = 0 THEN 'PENDING' ELSE 'APPROVED' END,
    now() - n * interval '30 seconds', 1000 + n %% 900000, 'KES', 'KES ' || (1000 + n %% 900000) / 100 || '.00',
    'Merchant ' || n %% 5000, '', 'Travel · Taxi', 's' || n %% 40, 'TX' || n, true,
    abs(hashint4(n)) %% 100 -- whatever the status: of the waiting, too, some are of each risk
FROM generate_series(1, %(count)s) n
"""


@dataclass
class Server:
    """A web server of one process, its address, and the kernel's account of what it used, PostgreSQL included."""

    port: int
    process: subprocess.Popen[bytes]
    postgres: int

    def cpu_per_page(self, path: str, headers: dict[str, str], requests: int = REQUESTS) -> float:
        """CPU seconds of one page, after a few that are not counted."""
        connection = http.client.HTTPConnection("localhost", self.port, timeout=30)
        for number in range(requests + 10):
            if number == 10:
                before = cpu_seconds(self.process.pid, self.postgres)
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            body = answer.read()
            assert answer.status == 200, (answer.status, path, body[:300])
        after = cpu_seconds(self.process.pid, self.postgres)
        connection.close()
        return (after - before) / requests

    def page(self, path: str, headers: dict[str, str]) -> str:
        """One page's text."""
        connection = http.client.HTTPConnection("localhost", self.port, timeout=30)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        assert answer.status == 200, (answer.status, path)
        return text


def serve(made: House, module: str, settings: str) -> Server:
    """Starts gunicorn with one worker, as `up` does."""
    port = free_port()
    env = made.program_env("dashboard") | {
        "DJANGO_SETTINGS_MODULE": settings, "WEB_WORKERS": "1", "WEB_THREADS": "4", "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    log = (made.data / "log" / f"{settings}.log").open("wb")
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "-c", "config/gunicorn.py", "-b", f"127.0.0.1:{port}", module],
        env=env, cwd=ROOT, stdout=log, stderr=log,
        preexec_fn=partial(die_with_parent, parent=os.getpid()),
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            http.client.HTTPConnection("localhost", port, timeout=1).connect()
            break
        except OSError:
            time.sleep(0.1)
    assert made.postgres is not None
    assert made.postgres.process is not None
    return Server(port, process, made.postgres.process.pid)


def fill(made: House, business: int, count: int, waiting: int) -> None:
    """Expenses of a business, one in so many of them waiting."""
    assert made.postgres is not None
    with psycopg.connect(made.postgres.url("dashboard_owner", "dashboard"), autocommit=True) as owner:
        owner.execute("SET statement_timeout = 0")
        owner.execute(ROWS, {"business": business, "count": count, "every": count // waiting})
        owner.execute("VACUUM ANALYZE mirror_expense")


def deep_address(server: Server, headers: dict[str, str], path: str) -> str:
    """The page whose first row is the ten-thousandth, found as a person would: by "Next"."""
    for _ in range(DEEP // 50):
        found = re.search(r'href="\?([^"]*after=[^"]+)"', server.page(path, headers))
        assert found, path
        path = path.split("?")[0] + "?" + found[1].replace("&amp;", "&")
    return path


def open_businesses(made: House) -> Any:
    """The businesses that PEOPLE makes, by their slugs, each with its key and the cookies of whoever is signed in there."""
    out = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", PEOPLE],
        env=made.program_env("dashboard"), cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert out.returncode == 0, out.stderr
    return json.loads(out.stdout.strip().splitlines()[-1])


@contextmanager
def beside_bare(made: House) -> Iterator[tuple[Server, Server]]:
    """The dashboard's server and that of the bare page, which end with the block."""
    ours = serve(made, "config.wsgi:dashboard", "config.settings.dashboard")
    bare = serve(made, "django.core.wsgi:get_wsgi_application()", "benchmarks.bare.settings")
    try:
        yield ours, bare
    finally:
        for server in (ours, bare):
            server.process.terminate()
            server.process.wait(20)


def main() -> int:
    """Prints the ratios; the exit code says whether all goals are met."""
    rounds = int(os.environ.get("ROUNDS", "5"))
    with house("dashboard", durable=False) as made:
        people = open_businesses(made)
        fill(made, people["few"]["business"], FEW, 200)
        fill(made, people["many"]["business"], int(os.environ.get("MANY", MANY)), WAITING)
        with beside_bare(made) as (ours, bare):
            return measure(ours, bare, people, rounds)


def measure(ours: Server, bare: Server, people: dict[str, dict[str, object]], rounds: int) -> int:
    """All ratios of the page."""

    def headers(who: str) -> dict[str, str]:
        cookies: dict[str, str] = people[who]["cookies"]  # type: ignore[assignment]
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()), "Host": "localhost"}

    def page(path: str, who: str = "many") -> Callable[[], float]:
        return lambda: ours.cpu_per_page(path, headers(who))

    business = people["many"]["business"]
    reference = lambda: bare.cpu_per_page(f"/?business={business}", {"Host": "localhost"})  # noqa: E731
    first = page("/many/approvals/")
    rows = ours.page("/many/approvals/", headers("many")).count("data-row=")
    assert rows == 50, rows
    deep = page(deep_address(ours, headers("many"), "/many/approvals/"))
    print(f"a page: {first() * 1000:.1f} ms of CPU; the bare one: {reference() * 1000:.1f} ms")
    good = report("approvals page / bare page", in_turn(first, reference, rounds), 0.8, at_most=True)
    good &= report("10,000 rows deep / page one", in_turn(deep, first, rounds), 1.1, at_most=True)
    few = page("/few/approvals/", "few")
    good &= report("1,000,000 expenses / 10,000 expenses", in_turn(first, few, rounds), 1.1, at_most=True)
    filtered = page("/many/approvals/?risk=high")
    good &= report("filtered / not filtered", in_turn(filtered, first, rounds), 1.2, at_most=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
