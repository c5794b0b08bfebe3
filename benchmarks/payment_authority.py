"""CPU of "Who can move money" for 1,000 people by 50 wallets, signed in, in its whole shell, against a bare Django page.

Measured as `approvals_page.py` measures. The mandates are those that were read a moment ago: no call to the service is timed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import psycopg
from approvals_page import fill, open_businesses, serve
from list_pages import CARRIED, VALUES
from measure import ROOT, House, house, in_turn, report

GOAL = 1.5
PERSONS, WALLETS = 1_000, 50
TABLES = {
    "mirror_employee": (
        PERSONS,
        "name, email, role, team_id, status",
        "'Employee ' || lpad(n::text, 4, '0'), 'e' || n || '@example.test',"
        " CASE WHEN n %% 20 = 0 THEN 'APPROVER' WHEN n %% 20 = 1 THEN 'ADMIN' ELSE 'CARD_USER' END, 't' || n %% 9, 'ACTIVE'",
    ),
    "mirror_wallet": (
        WALLETS,
        "org_wallet_ref, name, currency, wallet_type, status",
        "n::text, 'Wallet ' || n, CASE WHEN n %% 2 = 0 THEN 'KES' ELSE 'USD' END, 'MAIN', 'ACTIVE'",
    ),
    "mirror_walletpolicy": (
        PERSONS * 5,
        "wallet_id, employee_id, employee_name, permissions, status",
        "lpad(to_hex(1 + n %% 50), 24, '0'), lpad(to_hex(1 + n %% 1000), 24, '0'), '',"
        ' \'["WALLET_VIEW", "WALLET_FX", "WALLET_ALLOCATE"]\', \'ACTIVE\'',
    ),
    "mirror_card": (
        PERSONS,
        "kind, status, blocked_by, blocker_id, reason, employee_id, employee_name, team_id, team_name, org_wallet_ref,"
        " currency, funding, name, last_four, month_minor, limit_interval, limit_minor, spent_minor, created_at, sort_holder",
        "'VIRTUAL', 'ACTIVE', '', '', '', lpad(to_hex(n), 24, '0'), '', '', '', (1 + n %% 50)::text, 'KES',"
        " 'BUSINESS_WALLET', '', lpad((n %% 10000)::text, 4, '0'), 0, '', NULL, 0, now(), ''",
    ),
}
MEMBERS = """
from dashboard.access.models import Business, Membership, User
business = Business.objects.get(slug="many")
numbers = [number for number in range(1, 1_001) if number % 20 < 2]
users = User.objects.bulk_create(
    User(email=f"e{number}@example.test", name=f"Employee {number:04}", password="!") for number in numbers
)
Membership.objects.bulk_create(
    Membership(user=user, business=business, employee_id=f"{number:024x}", role="ADMIN" if number % 20 else "APPROVER")
    for number, user in zip(numbers, users)
)
"""


def fill_house(made: House, business: int) -> None:
    """People, members, wallets, policies and cards, and the mandates as they were last read."""
    seats = [
        {"approver_id": f"{number:024x}", "name": f"Employee {number}", "order": at, "active": True, "required": False}
        for at, number in enumerate(range(20, 120, 20))
    ]
    mandates = [
        {
            "_id": f"m{action_type}{currency}{low}", "action_type": action_type, "currency": currency, "name": "2 of 5",
            "min_amount_minor": low, "max_amount_minor": None if low else 9_999_999, "min_approvers": 1 + bool(low),
            "approvers": seats, "active": True,
        }
        for action_type in (1, 2, 3, 6, 7) for currency in ("KES", "USD") for low in (0, 10_000_000)
    ]  # fmt: skip
    assert made.postgres is not None
    with psycopg.connect(made.postgres.url("dashboard_owner", "dashboard"), autocommit=True) as owner:
        for table, (count, columns, values) in TABLES.items():
            rows = f"INSERT INTO {table} ({CARRIED}, {columns}) SELECT {VALUES}, {values} FROM generate_series(1, %(count)s) n"
            owner.execute(rows, {"business": business, "count": count})
            owner.execute(f"VACUUM ANALYZE {table}")
        owner.execute("VACUUM ANALYZE access_membership")
        owner.execute(
            "INSERT INTO mirror_keptanswer (business_id, operation, item, payload, as_of)"
            " VALUES (%s, 'list_mandates', '', %s, now() + interval '1 day')",
            (business, json.dumps({"docs": mandates})),
        )


def shell(made: House, script: str) -> str:
    """What a script of the dashboard prints."""
    out = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", script],
        env=made.program_env("dashboard"), cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert out.returncode == 0, out.stderr
    return out.stdout


def main() -> int:
    """Prints the ratio; the exit code says whether the goal is met."""
    rounds = int(os.environ.get("ROUNDS", "5"))
    with house("dashboard", durable=False) as made:
        person = open_businesses(made)["many"]
        shell(made, MEMBERS)
        fill(made, person["business"], 20_000, 20_000)
        fill_house(made, person["business"])
        ours = serve(made, "config.wsgi:dashboard", "config.settings.dashboard")
        bare = serve(made, "django.core.wsgi:get_wsgi_application()", "benchmarks.bare.settings")
        try:
            cookies: dict[str, str] = person["cookies"]
            headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()), "Host": "localhost"}
            path, plain = "/many/wallet-policies/money/", f"/?business={person['business']}"
            # The reader is a member without an employee, who stands beside the first fifty people.
            rows = ours.page(path, headers).count("<tr data-row")
            assert rows == 51, rows
            ratio = in_turn(
                lambda: ours.cpu_per_page(path, headers),
                lambda: bare.cpu_per_page(plain, {"Host": "localhost"}),
                rounds,
            )
            return (
                0
                if report("Who can move money, 1,000 people by 50 wallets / bare page", ratio, GOAL, at_most=True)
                else 1
            )
        finally:
            for server in (ours, bare):
                server.process.terminate()
                server.process.wait(20)


if __name__ == "__main__":
    sys.exit(main())
