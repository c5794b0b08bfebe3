"""What docs/scale.md is computed from, measured in a house of its own: `python benchmarks/capacity.py --measure`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from measure import ROOT, cpu_seconds, house

INPUTS = Path(__file__).parent / "capacity_inputs.json"
TABLES = """
select c.relname, c.reltuples::bigint, pg_total_relation_size(c.oid) from pg_class c
where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.reltuples > 0 order by 1
"""
FEED = """
import time
from dashboard.access.models import Business
from dashboard.mirror import sync
businesses = list(Business.objects.filter(service_account__isnull=False))
for business in businesses: sync.follow_all(business)
cpu, began = time.process_time(), time.perf_counter()
for _ in range(100):
    for business in businesses: sync.follow_all(business)
looks = 100 * len(businesses)
print(looks, time.process_time() - cpu, time.perf_counter() - began)
"""
CHAIN = "select count(sha256(convert_to(ledger_canonical(id), 'UTF8'))) from ledger_transaction"


def measure() -> None:
    """Fills a house and writes what was measured in it."""
    expenses = os.environ.setdefault("DEMO_EXPENSES", "5000")
    with house() as made:
        assert made.postgres is not None
        assert made.postgres.process is not None
        database = made.postgres.process.pid

        def ask(program: str, statement: str) -> list[tuple[Any, ...]]:
            assert made.postgres is not None
            with psycopg.connect(made.postgres.url("postgres", program), autocommit=True) as superuser:
                return list(superuser.execute(statement).fetchall())

        position = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"
        [(wal,)] = ask("service", position)
        made.open_programs()
        worker = made.processes["dashboard worker"].pid
        before = cpu_seconds(worker), cpu_seconds(database)
        _wait_for_the_copy(ask)
        copied = cpu_seconds(worker) - before[0], cpu_seconds(database) - before[1]
        [(wal_after,)] = ask("service", position)
        for name in [name for name in made.processes if name.endswith("worker")]:
            made.processes.pop(name).terminate()
        time.sleep(5)
        service = made.processes["service"].pid
        cpu = cpu_seconds(service), cpu_seconds(database)
        out = subprocess.run(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", FEED], env=made.program_env("dashboard"), cwd=ROOT,
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        looks, worker_s, wall_s = (float(word) for word in out.split()[-3:])
        service_s, db_s = cpu_seconds(service) - cpu[0], cpu_seconds(database) - cpu[1]
        for program in ("service", "dashboard"):
            ask_nothing(made, program, "vacuum analyze")
        # What moved, as people count it: the demo posts many of them in one transaction of the ledger.
        [(postings,)] = ask("service", "select count(*) from transactions_transaction")
        [(links,)] = ask("service", "select count(*) from ledger_transaction")
        began = time.perf_counter()
        ask("service", CHAIN)
        chain_s = (time.perf_counter() - began) / links
        tables = {p: {name: [rows, size] for name, rows, size in ask(p, TABLES)} for p in ("service", "dashboard")}
    commit = subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    inputs = {
        "day": f"{datetime.now(UTC):%Y-%m-%d}", "commit": commit.stdout.strip(), "expenses": int(expenses),
        "postings": postings, "copy_worker_s": copied[0], "copy_db_s": copied[1], "wal_bytes": wal_after - wal, "chain_s": chain_s,
        "feed": {"service_s": service_s / looks, "worker_s": worker_s / looks, "db_s": db_s / looks, "wall_s": wall_s / looks},
        "tables": tables,
    }  # fmt: skip
    INPUTS.write_text(json.dumps(inputs, indent=1) + "\n")


def ask_nothing(made: Any, program: str, statement: str) -> None:
    """A statement of the superuser that answers nothing."""
    with psycopg.connect(made.postgres.url("postgres", program), autocommit=True) as superuser:
        superuser.execute(statement)


def _wait_for_the_copy(ask: Callable[[str, str], list[tuple[Any, ...]]]) -> None:
    """Until the dashboard has as many expenses and transactions as the service, and no more come."""
    ends = time.monotonic() + 900
    while time.monotonic() < ends:
        pairs = (("expenses_expense", "mirror_expense"), ("transactions_transaction", "mirror_transaction"))
        if all(
            ask("dashboard", f"select count(*) from {copy}")[0][0]
            >= ask("service", f"select count(*) from {original}")[0][0]
            for original, copy in pairs
        ):
            return
        time.sleep(2)
    raise SystemExit("the copy was not complete within a quarter of an hour")


if __name__ == "__main__":
    measure()
