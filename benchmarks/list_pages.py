"""CPU of Home and of the list pages, signed in, in their whole shell, 1,000,000 rows each, against a bare Django page.

Measured as `approvals_page.py` measures: the web server's processes and PostgreSQL's, in turn with the bare page.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable

import psycopg
from approvals_page import MANY, PEOPLE, Server, fill, serve
from measure import ROOT, House, house, in_turn, report

GOAL = 1.2
CARRIED = "business_id, remote_id, remote_version, payload, payload_hash, source, first_seen, last_seen"
VALUES = "%(business)s, lpad(to_hex(n), 24, '0'), 1, '{}', md5(n::text), 'POLL', now(), now()"
TABLES = {
    "mirror_transaction": (
        "type, status, direction, org_wallet_ref, currency, amount_minor, amount_text, fees_text, counterparty, ref,"
        " channel, description, category_name, employee_id, team_id, expense_id, occurred_at",
        "'EXPENSE', 'POSTED', 'OUT', '1', 'KES', -1000 - n %% 900000, 'KES -' || (1000 + n %% 900000) / 100 || '.00', '',"
        " 'Merchant ' || n %% 5000, 'TX' || n, 'CARD', '', 'Travel', 'e' || n %% 60, 't' || n %% 9, '',"
        " now() - n * interval '30 seconds'",
    ),
    "mirror_customer": (
        "kind, name, email, phone, tax_pin, person, status, created_at, sort_name",
        "'regular', 'Customer ' || n, 'c' || n || '@example.test', '2547' || n, '', '', 'ACTIVE',"
        " now() - n * interval '30 seconds', 'customer ' || n",
    ),
    "mirror_vendor": (
        "name, email, phone, tax_pin, type, country, currency, instructions, quarantined, status, created_at",
        "'Vendor ' || n, 'v' || n || '@example.test', '2547' || n, '', 'BUSINESS', 'KE', 'KES', '[]', false, 'ACTIVE',"
        " now() - n * interval '30 seconds'",
    ),
}
PAGES = ("", "expenses/", "transactions/", "customers/", "vendors/")


def fill_others(made: House, business: int, count: int) -> None:
    """The other tables of the copy, as long as that of expenses."""
    assert made.postgres is not None
    with psycopg.connect(made.postgres.url("dashboard_owner", "dashboard"), autocommit=True) as owner:
        owner.execute("SET statement_timeout = 0")
        for table, (columns, values) in TABLES.items():
            rows = f"INSERT INTO {table} ({CARRIED}, {columns}) SELECT {VALUES}, {values} FROM generate_series(1, %(count)s) n"
            owner.execute(rows, {"business": business, "count": count})
            owner.execute(f"VACUUM ANALYZE {table}")


def main() -> int:
    """Prints a ratio for each page; the exit code says whether all goals are met."""
    count, rounds = int(os.environ.get("MANY", MANY)), int(os.environ.get("ROUNDS", "5"))
    with house("dashboard", durable=False) as made:
        out = subprocess.run(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", PEOPLE],
            env=made.program_env("dashboard"), cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert out.returncode == 0, out.stderr
        person = json.loads(out.stdout.strip().splitlines()[-1])["many"]
        fill(made, person["business"], count, 20_000)
        fill_others(made, person["business"], count)
        ours = serve(made, "config.wsgi:dashboard", "config.settings.dashboard")
        bare = serve(made, "django.core.wsgi:get_wsgi_application()", "benchmarks.bare.settings")
        try:
            return measure(ours, bare, person, rounds)
        finally:
            for server in (ours, bare):
                server.process.terminate()
                server.process.wait(20)


def measure(ours: Server, bare: Server, person: dict[str, object], rounds: int) -> int:
    """All ratios."""
    cookies: dict[str, str] = person["cookies"]  # type: ignore[assignment]
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()), "Host": "localhost"}

    def page(path: str) -> Callable[[], float]:
        return lambda: ours.cpu_per_page(f"/many/{path}", headers)

    reference = lambda: bare.cpu_per_page(f"/?business={person['business']}", {"Host": "localhost"})  # noqa: E731
    good = True
    for path in PAGES:
        shown = ours.page(f"/many/{path}", headers)
        assert shown.count("<tr data-row") == (50 if path else 0), path
        good &= report(f"/{path} / bare page", in_turn(page(path), reference, rounds), GOAL, at_most=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
