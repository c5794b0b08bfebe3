"""CPU of `GET /v2/expenses?limit=50` with a token, against a bare Django view of the same rows as a JsonResponse.

CPU is that of the web server's processes and of PostgreSQL's, read from the kernel before and after a run of requests;
the two run in turn. `--rows` says how many expenses there are.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import psycopg
from measure import ROOT, House, cpu_seconds, free_port, house, in_turn, report

from config.embedded import die_with_parent

REQUESTS = 150
DEEP = 10_000

BUSINESS = """
import json
from django.test import Client
from service.sandbox.businesses import BusinessSpec, open_business
made = open_business(BusinessSpec(name="Many"))
secret = {"grant_type": "client_credentials", "client_id": made.client.client_id, "client_secret": made.client_secret}
token = Client().post("/oauth/token", secret).json()["access_token"]
print(json.dumps({"business": made.business.id, "token": token}))
"""
EXPENSES = """
with people as (select array_agg(id) ids, array_agg(team_id) teams from employees_employee where business_id = %(business)s),
    kinds as (select array_agg(id) ids from categories_subcategory where business_id = %(business)s)
insert into expenses_expense (id, business_id, employee_id, team_id, subcategory_id, org_wallet_ref, status, type, currency,
    amount_minor, fees_minor, original_currency, transaction_ref, provider_ref, transaction_date, payment_type, channel, mcc,
    merchant_id, receiver, account_number, card_id, card_token, description, notes, tags, risk, risk_notes, policy_flags,
    judged_anew, receipt_required, review_reason, version, created_at, updated_at)
select lpad(to_hex(n), 24, '0'), %(business)s, people.ids[1 + n %% 12], people.teams[1 + n %% 12], kinds.ids[1 + n %% 9], '1',
    case when n %% 50 = 0 then 'PENDING' else 'APPROVED' end, 'EXPENSE', 'KES', 1000 + n %% 900000, n %% 300, '', 'TX' || n,
    'P' || n, now() - n * interval '30 seconds', 'CARD', 'CARD', '5812', 'M' || n %% 5000, 'Merchant ' || n %% 5000, '', '',
    'vcn_' || n %% 400, 'Lunch with customer ' || n, '', '{}', abs(hashint4(n)) %% 100, '', '{}', '[]', true, '', 1, now(), now()
from generate_series(1, %(count)s) n, people, kinds
"""
RECEIPTS = """
insert into expenses_receipt (id, expense_id, file_name, mime, size, sha256, path, created_at)
select lpad(to_hex(n), 24, '0'), lpad(to_hex(n), 24, '0'), 'receipt.pdf', 'application/pdf', 2000, md5(n::text), 'r/' || n, now()
from generate_series(1, %(count)s) n where n %% 2 = 0
"""


@dataclass
class Server:
    """A web server of one process, its address, and the kernel's account of what it used, PostgreSQL included."""

    port: int
    process: subprocess.Popen[bytes]
    postgres: int
    headers: dict[str, str]

    def ask(self, connection: http.client.HTTPConnection, path: str) -> bytes:
        """One answer's body."""
        connection.request("GET", path, headers=self.headers)
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (answer.status, path, body[:300])
        return body

    def read(self, path: str) -> Any:
        """One answer."""
        return json.loads(self.ask(http.client.HTTPConnection("localhost", self.port, timeout=60), path))

    def cpu(self, path: str) -> Callable[[], float]:
        """CPU seconds of one request, after a few that are not counted."""

        def run() -> float:
            connection = http.client.HTTPConnection("localhost", self.port, timeout=60)
            for _ in range(10):
                self.ask(connection, path)
            before = cpu_seconds(self.process.pid, self.postgres)
            for _ in range(REQUESTS):
                self.ask(connection, path)
            after = cpu_seconds(self.process.pid, self.postgres)
            connection.close()
            return (after - before) / REQUESTS

        return run


def serve(made: House, module: str, settings: str, headers: dict[str, str]) -> Server:
    """Starts gunicorn with one worker of four threads."""
    port, env = free_port(), made.program_env("service")
    env |= {
        "DJANGO_SETTINGS_MODULE": settings, "WEB_WORKERS": "1", "WEB_THREADS": "4", "PYTHONPATH": str(ROOT),
        "DATABASE_URL": env["SERVICE_DATABASE_URL"],
    }  # fmt: skip
    with (made.data / "log" / f"{settings}.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "-c", "config/gunicorn.py", "-b", f"127.0.0.1:{port}", module],
            env=env, cwd=ROOT, stdout=log, stderr=log,
            preexec_fn=partial(die_with_parent, parent=os.getpid()),
        )  # fmt: skip
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            http.client.HTTPConnection("localhost", port, timeout=1).connect()
            break
        except OSError:
            time.sleep(0.1)
    assert made.postgres is not None
    assert made.postgres.process is not None
    return Server(port, process, made.postgres.process.pid, headers)


def fill(made: House, business: str, count: int) -> None:
    """Expenses of the business, half of them with a receipt."""
    assert made.postgres is not None
    with psycopg.connect(made.postgres.url("service_owner", "service"), autocommit=True) as owner:
        owner.execute("set statement_timeout = 0")
        owner.execute(EXPENSES, {"business": business, "count": count})
        owner.execute(RECEIPTS, {"count": count})
        owner.execute("vacuum analyze expenses_expense")
        owner.execute("vacuum analyze expenses_receipt")


def deep(server: Server, path: str) -> str:
    """The page that begins after the ten-thousandth row, reached by cursors."""
    cursor = ""
    for _ in range(DEEP // 1000):
        cursor = server.read("/v2/expenses?limit=1000" + (f"&cursor={cursor}" if cursor else ""))["next_cursor"]
    return f"{path}&cursor={cursor}"


def measure(ours: Server, bare: Server, business: str, rows: int, rounds: int) -> bool:
    """Both ratios; whether both goals are met."""
    path, other = "/v2/expenses?limit=50", f"/?business={business}"
    mine, theirs = ours.read(path), bare.read(other)
    assert mine["total"] == rows, mine["total"]
    assert [row["_id"] for row in mine["docs"]] == [row["id"] for row in theirs["docs"]]
    first, reference, far = ours.cpu(path), bare.cpu(other), ours.cpu(deep(ours, path))
    print(f"a page: {first() * 1000:.1f} ms of CPU; the bare one: {reference() * 1000:.1f} ms")
    good = report(
        f"GET /expenses of {rows:,} / bare values() and JsonResponse",
        in_turn(first, reference, rounds),
        1.5,
        at_most=True,
    )
    return good & report("10,000 rows deep by cursor / page one", in_turn(far, first, rounds), 1.1, at_most=True)


def main() -> int:
    """The exit code says whether both goals are met."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    with house("service", durable=False) as made:
        out = subprocess.run(
            [sys.executable, "manage.py", "service", "shell", "--no-imports", "-c", BUSINESS],
            env=made.program_env("service"), cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert out.returncode == 0, out.stderr
        one = json.loads(out.stdout.strip().splitlines()[-1])
        fill(made, one["business"], given.rows)
        headers = {"Authorization": f"Bearer {one['token']}", "business_id": one["business"], "Host": "localhost"}
        ours = serve(made, "config.wsgi:service", "config.settings.service", headers)
        bare = serve(
            made, "django.core.wsgi:get_wsgi_application()", "benchmarks.bare.list_settings", {"Host": "localhost"}
        )
        try:
            return 0 if measure(ours, bare, one["business"], given.rows, given.rounds) else 1
        finally:
            for server in (ours, bare):
                server.process.terminate()
                server.process.wait(20)


if __name__ == "__main__":
    sys.exit(main())
