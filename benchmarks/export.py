"""Rows per second of an export against a bare server-side cursor that writes the same columns as CSV; memory, too.

Both read the same rows of the copy in the same database; the process that writes tells its own greatest memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

from approvals_page import fill, open_businesses
from measure import ROOT, House, house, in_turn, report

ROWS = 200_000
OURS = """
import json, resource, time
from dashboard.access.models import Membership
from dashboard.lists import exports
from dashboard.lists.models import Export
member = Membership.objects.get(business__slug={slug!r})
export = Export.objects.create(business=member.business, membership=member, list_name="expenses", query="", form="csv")
began = time.perf_counter()
assert exports.run(export.pk)
spent = time.perf_counter() - began
export.refresh_from_db()
assert export.state == "DONE", export.trouble
print(json.dumps({{"rows": export.rows_done / spent, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}}))
"""
BARE = """
import csv, json, resource, tempfile, time
from django.db import connection, transaction
began, count = time.perf_counter(), 0
with tempfile.NamedTemporaryFile("w", newline="") as file, transaction.atomic(), connection.chunked_cursor() as cursor:
    write = csv.writer(file).writerow
    cursor.execute(
        "select transaction_ref, currency, notes, merchant, employee_name, team_name, category_name, transaction_date,"
        " status, risk, has_receipt, amount_minor from mirror_expense join access_business b on b.id = business_id"
        " where slug = %s order by transaction_date desc", [{slug!r}],
    )
    while rows := cursor.fetchmany(5000):
        for row in rows:
            write(row)
        count += len(rows)
spent = time.perf_counter() - began
print(json.dumps({{"rows": count / spent, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}}))
"""


def told(made: House, code: str, slug: str) -> dict[str, float]:
    """What a process of the dashboard says of itself."""
    env = made.program_env("dashboard") | {"EXPORTS_FOLDER": str(made.data / "exports")}
    out = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", code.format(slug=slug)],
        env=env, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert out.returncode == 0, out.stderr
    found: dict[str, float] = json.loads(out.stdout.strip().splitlines()[-1])
    return found


def main() -> int:
    """Prints the ratios; the exit code says whether all goals are met."""
    rounds, count = int(os.environ.get("ROUNDS", "3")), int(os.environ.get("MANY", ROWS))
    with house("dashboard", durable=False) as made:
        people = open_businesses(made)
        fill(made, people["few"]["business"], count // 10, count // 100)
        fill(made, people["many"]["business"], count, count // 100)
        speed = in_turn(lambda: told(made, OURS, "many")["rows"], lambda: told(made, BARE, "many")["rows"], rounds)
        good = report("rows per second / bare cursor", speed, 0.5, at_most=False)
        grown = told(made, OURS, "many")["peak"] / told(made, OURS, "few")["peak"]
        good &= report(f"memory of {count:,} rows / of a tenth", grown, 1.1, at_most=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
