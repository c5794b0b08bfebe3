"""Rows per second into the copy of expenses, against a plain COPY and ON CONFLICT, and unchanged rows against changed.

The reference copies the same columns into a temporary table and merges them into a table like the mirror's (same
indexes, same generated column), with the same batches and commits. What is compared: `upsert` starts from what
GET /expenses gave, parsed, and so pays for columns, hash and JSON; the reference gets its rows ready made.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
from measure import House, begin_django, house, in_turn, report

ROWS, BATCH = 20_000, 1000
MERCHANTS = ["Java House", "Naivas Supermarket", "Shell Westlands", "Uber Trip", "Kenya Power", "Safaricom Shop"]
SUBCATEGORIES = [("Travel", "Taxi"), ("Travel", "Fuel"), ("Meals", "Team lunch"), ("Office", "Stationery")]


def expense(number: int, version: int) -> dict[str, Any]:
    """An expense as GET /expenses gives it, about 1.5 kB of JSON."""
    rng = random.Random(number)
    minor = rng.randint(1_000, 9_000_000)
    when = datetime(2026, 11, 20, tzinfo=UTC) - timedelta(seconds=number * 40)
    category, subcategory = rng.choice(SUBCATEGORIES)
    return {
        "_id": f"{number:024x}",
        "amount": minor / 100,
        "amount_minor": minor,
        "fees": 0.0,
        "fees_minor": 0,
        "charge": minor / 100,
        "charge_minor": minor,
        "original_amount": None,
        "original_currency": "",
        "fx_rate": None,
        "currency": "KES",
        "status": "PENDING" if number % 50 == 0 else "APPROVED",
        "type": "EXPENSE",
        "transaction_ref": f"AU{number:022x}",
        "provider_ref": f"NET{rng.randrange(10**12):012d}",
        "employee_id": f"{number % 60:024x}",
        "person": f"Employee {number % 60}",
        "transaction_date": when.isoformat(),
        "createdAt": when.isoformat(),
        "updatedAt": (when + timedelta(minutes=version)).isoformat(),
        "MerchantCategoryCode": "5812",
        "MerchantIdentifier": f"MID{rng.randrange(10**9):09d}",
        "card_vcn": f"vcn_{rng.randrange(16**16):016x}",
        "card_id": f"{rng.randrange(16**24):024x}",
        "receiver": rng.choice(MERCHANTS),
        "accno": "1000200030004000",
        "payment_type": "CARD",
        "channel": "CARD_PRESENT",
        "subcategory": {
            "_id": f"{number % 40:024x}", "name": subcategory, "code": subcategory.upper()[:6],
            "category": {"_id": f"{number % 9:024x}", "name": category, "code": category.upper()},
        },
        "team": {"_id": f"{number % 9:024x}", "name": f"Team {number % 9}", "code": f"T{number % 9}"},
        "tag": ["client", "q4"],
        "org_wallet_ref": "1",
        "description": f"Trip {number} to a customer in town and back to the office",
        "notes": f"Version {version}: seen by the office",
        "risk": number % 100,
        "risk_notes": "The amount is higher than this person usually spends.",
        "policy_flags": ["amount_unusual"],
        "receipt_required": True,
        "receipts": [
            {"_id": f"{number:024x}", "file_name": f"receipt-{number}.jpg", "mime": "image/jpeg", "size": 183_412}
        ],
        "ledger_transaction_id": number,
        "reviews": [],
        "version": version,
    }  # fmt: skip


class Mirrors:
    """Both tables, each with the same rows at some version, and both ways to bring the next version in."""

    def __init__(self, made: House) -> None:
        from dashboard.access.models import Business
        from dashboard.mirror.mappers import MAPPERS

        assert made.postgres is not None
        self.business = Business.objects.create(slug="bench", name="Benchmark")
        self.kind = MAPPERS["expense"]
        self.version = 0
        self.plain = psycopg.connect(
            made.postgres.url("dashboard_app", "dashboard"), options="-c lock_timeout=2s -c statement_timeout=5s"
        )
        with psycopg.connect(made.postgres.url("dashboard_owner", "dashboard"), autocommit=True) as owner:
            owner.execute("CREATE TABLE reference_expense (LIKE mirror_expense INCLUDING ALL)")
            owner.execute("ALTER TABLE reference_expense ADD FOREIGN KEY (business_id) REFERENCES access_business")
            owner.execute("GRANT ALL ON reference_expense TO dashboard_app")
        self.columns = (
            "business_id", "source", "first_seen", "last_seen",
            "remote_id", "remote_version", "remote_updated_at", "payload", "payload_hash", *self.kind.columns._fields,
        )  # fmt: skip

    def payloads(self) -> list[dict[str, Any]]:
        """All expenses at the version that is due, as the client reads them from an answer."""
        from dashboard.client.json import read_json

        docs = json.dumps([expense(number, self.version) for number in range(ROWS)])
        read: list[dict[str, Any]] = read_json(docs.encode())
        return read

    def ours(self, payloads: list[dict[str, Any]], *, changed: int) -> float:
        """Rows per second of `upsert`, in batches that commit."""
        from dashboard.mirror.apply import upsert
        from dashboard.mirror.models import Origin

        wrote = 0
        began = time.perf_counter()
        for batch in batches(payloads):
            wrote += upsert("expense", self.business, batch, Origin.POLL).changed
        seconds = time.perf_counter() - began
        assert wrote == changed, (wrote, changed)
        return len(payloads) / seconds

    def reference(self, rows: list[tuple[Any, ...]]) -> float:
        """Rows per second of COPY and ON CONFLICT, in batches that commit."""
        names = ", ".join(self.columns)
        assigned = ", ".join(f"{name} = excluded.{name}" for name in self.columns if name not in KEPT)
        began = time.perf_counter()
        self.plain.execute(
            f"CREATE TEMP TABLE IF NOT EXISTS incoming ON COMMIT DELETE ROWS AS"
            f" SELECT {names} FROM reference_expense WITH NO DATA"
        )
        for batch in batches(rows):
            with self.plain.cursor() as cursor:
                with cursor.copy(f"COPY incoming ({names}) FROM STDIN") as copy:
                    for row in batch:
                        copy.write_row(row)
                cursor.execute(
                    f"INSERT INTO reference_expense ({names}) SELECT {names} FROM incoming"
                    f" ON CONFLICT (business_id, remote_id) DO UPDATE SET {assigned}"
                )
                assert cursor.rowcount == len(batch)
            self.plain.commit()
        return len(rows) / (time.perf_counter() - began)

    def ready_made(self, payloads: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        """The rows of the payloads, as the reference gets them."""
        from dashboard.mirror.mappers import canonical_payload, remote_id, updated_at, version

        now = datetime.now(UTC)
        return [
            (
                self.business.pk, "POLL", now, now,
                remote_id(one), version(one), updated_at(one), *canonical_payload(one), *self.kind.map_row(one, "en_KE"),
            )
            for one in payloads
        ]  # fmt: skip


KEPT = {"business_id", "remote_id", "first_seen"}


def batches(rows: list[Any]) -> Iterator[list[Any]]:
    """Slices of BATCH rows."""
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def vacuumed(made: House) -> None:
    """Both tables without dead rows, so that no round pays for the one before."""
    assert made.postgres is not None
    with psycopg.connect(made.postgres.url("dashboard_owner", "dashboard"), autocommit=True) as owner:
        owner.execute("SET statement_timeout = 0")
        owner.execute("VACUUM ANALYZE mirror_expense")
        owner.execute("VACUUM ANALYZE reference_expense")


def main() -> int:
    """Prints the ratios; the exit code says whether both goals are met."""
    with house("dashboard") as made:
        begin_django(made, "dashboard")
        mirrors = Mirrors(made)
        print(f"an expense: {len(json.dumps(expense(1, 1), separators=(',', ':'))):,} bytes of JSON")
        current = mirrors.payloads()
        mirrors.ours(current, changed=ROWS), mirrors.reference(mirrors.ready_made(current))

        def changed() -> float:
            nonlocal current
            vacuumed(made)
            mirrors.version += 1
            current = mirrors.payloads()
            return mirrors.ours(current, changed=ROWS)

        def reference() -> float:
            return mirrors.reference(mirrors.ready_made(current))

        def unchanged() -> float:
            return mirrors.ours(current, changed=0)

        print(f"at first: {changed():,.0f} changed and {unchanged():,.0f} unchanged rows a second")
        good = report("mirror, changed rows / COPY and ON CONFLICT", in_turn(changed, reference), 0.7, at_most=False)
        # In this order: a round's unchanged rows are those that its changed ones brought.
        slower = in_turn(changed, unchanged)
        good &= report("mirror, unchanged rows / changed rows", 1 / slower, 1.8, at_most=False)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
