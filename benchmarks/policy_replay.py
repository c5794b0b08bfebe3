"""Items per second of a replay, from the copy to its stored result, against the pure evaluation function alone.

A dozen policies of every type and a draft of one; 200,000 expenses (MANY) of 1,000 people in the last 90 days, the first 10,000
as GET /expenses gives them, the others those again in the database, each with an id and a moment of its own. The draft blocks what a policy flags, and from a smaller amount on: about one expense in six goes another way, and
the replay has to find exactly those. The reference weighs the same items, ready in memory, under both rulebooks, and counts
them; the replay reads them from the copy, puts them in the order in which they were posted, counts limits over periods, per
person and together, and stores what changed. Memory: the most that the process, which is not the one that fills the copy,
holds more after a replay of all than after one of a tenth.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import time
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from measure import begin_django, house, in_turn, report
from mirror_ingest import expense

ROWS = int(os.environ.get("MANY", "200000"))
# So many are made one by one: a multiple of what kinds, people and amounts there are.
FIRST_ROWS = 10_000 if ROWS % 10_000 == 0 else ROWS
SAMPLE, ROUNDS = min(20_000, ROWS), int(os.environ.get("ROUNDS", "3"))
PEOPLE, DAYS = 1_000, 80
DRAFTED, LIMIT_MINOR, EXEMPT_TEAM = 2, 4_000_000, f"{8:024x}"
MOST_GROWTH_MB = 40
FILED = [f"{number:024x}" for number in range(40)]


def policies() -> list[dict[str, Any]]:
    """A dozen policies as the interface shows them: every type, with and without periods, per person and together, some with
    exemptions."""
    bounds = {"limit_minor": 5_000_000, "limit": "50000", "currency": "KES"}
    rows: list[dict[str, Any]] = [
        {"type": "CHANNEL", "target": "CARD", "action": "FLAG", "period": "MONTH", **bounds},
        {"type": "CHANNEL", "target": "ATM", "action": "BLOCK"},
        {"type": "CHANNEL", "target": "ECOMMERCE", "action": "FLAG", **bounds},  # the one that the draft changes
        {"type": "CHANNEL", "target": "MPESA", "action": "BLOCK", "period": "DAY", **bounds},
        {"type": "VENDOR", "target": "SELF", "action": "BLOCK"},
        {"type": "DAY_TIME", "target": "", "action": "FLAG", "window": {"weekdays": [1, 2, 3, 4, 5], "from": "06:00", "to": "22:00"}},
    ]  # fmt: skip
    rows += [
        {"type": "SUBCATEGORY", "target": FILED[number], "action": "FLAG", "period": "WEEK", **bounds}
        for number in range(4)
    ]
    rows[3] |= {"per_person": True}
    rows[6] |= {"period": "DAY", "per_person": True}
    rows += [{"type": "CATEGORY", "target": f"{number:024x}", "action": "FLAG", **bounds} for number in range(2)]
    common = {"status": "ACTIVE", "version": 1, "exempt": {"team_ids": [EXEMPT_TEAM], "employee_ids": []}}
    return [{"_id": f"p{number:02}", "name": f"Policy {number}", **common, **row} for number, row in enumerate(rows)]


def draft() -> dict[str, Any]:
    """The policy of purchases online as it is, flagging from KES 50,000 on, and as it would block them from KES 40,000 on."""
    before = policies()[DRAFTED]
    return {
        "target_type": "policy",
        "before": before,
        "after": {**before, "action": "BLOCK", "limit_minor": LIMIT_MINOR, "limit": "40000"},
    }


def filled(business: Any) -> int:
    """Fills the copy of a business: its policies, and expenses spread over the last 80 days, a third of them by M-Pesa and a
    third online. How many of them the draft blocks: nothing else blocks a purchase online."""
    from dashboard.client.json import read_json
    from dashboard.mirror.apply import upsert
    from dashboard.mirror.models import Origin

    upsert("policy", business, policies(), Origin.POLL)
    now, chance, blocked = datetime.now(UTC), random.Random(1), 0
    for start in range(0, FIRST_ROWS, 1000):
        batch = []
        for number in range(start, min(start + 1000, FIRST_ROWS)):
            at = (now - timedelta(seconds=chance.randrange(DAYS * 24 * 3600))).isoformat()
            paid: dict[str, str] = ({"payment_type": "MPESA", "card_vcn": ""}, {"channel": "ECOMMERCE"}, {})[number % 3]
            who = {"employee_id": f"{chance.randrange(PEOPLE):024x}"}
            row = {**expense(number, 1), **who, "transaction_date": at, "createdAt": at, **paid}
            is_large = row["amount_minor"] > LIMIT_MINOR and row["team"]["_id"] != EXEMPT_TEAM
            blocked += is_large and row["channel"] == "ECOMMERCE"
            batch.append(row)
        # As an answer is read: an amount in it is exact.
        upsert("expense", business, read_json(json.dumps(batch).encode()), Origin.POLL)
    return blocked * (ROWS // FIRST_ROWS)


# What of an expense is another in each of its copies: its number and its moment, in the columns and in what was sent.
OTHERS = {
    "remote_id": "again.id",
    "transaction_date": "again.at",
    "payload": "expense.payload || jsonb_build_object('_id', again.id, 'createdAt', again.text, 'transaction_date', again.text)",
    "payload_hash": "md5(again.id)",
}
AGAIN = """
    SELECT id, at, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') AS text
    FROM (SELECT lpad(to_hex(copy * %(first_rows)s + ('x' || right(expense.remote_id, 8))::bit(32)::int), 24, '0') AS id) named,
        LATERAL (SELECT now() - (hashtext(id)::bigint + 2147483648) / 4294967296.0 * %(days)s * interval '1 day' AS at) moment
"""


def repeated(owner_url: str) -> None:
    """Has all that was made in the copy as often as it takes to have ROWS: in the database, where a copy is quick."""
    import psycopg

    from dashboard.mirror.models import Expense

    names = [
        field.column
        for field in Expense._meta.concrete_fields
        if not field.generated and not field.primary_key
    ]  # fmt: skip
    values = ", ".join(OTHERS.get(name, f"expense.{name}") for name in names)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("SET statement_timeout = 0")
        owner.execute(
            f"INSERT INTO mirror_expense ({', '.join(names)}) SELECT {values} FROM mirror_expense expense"
            f" CROSS JOIN generate_series(1, %(more)s) copy CROSS JOIN LATERAL ({AGAIN}) again",
            {"first_rows": FIRST_ROWS, "days": DAYS, "more": ROWS // FIRST_ROWS - 1},
        )
        owner.execute("VACUUM ANALYZE mirror_expense")


class Bench:
    """The two sides: a replay of the whole copy, and evaluation of items that are ready in memory."""

    def __init__(self, blocked: int) -> None:
        from dashboard.access.actor import Actor
        from dashboard.access.models import Business, Membership, User
        from dashboard.policies.replay_run import rulebooks_of
        from dashboard.policies.rulebook import rulebook_for
        from dashboard.policies.weighed_items import WeighedPeriod, lookups_for, weighed_expenses

        user = User.objects.create_user("bench@example.test", name="Benchmark")
        self.business = business = Business.objects.get(slug="bench")
        self.blocked = blocked
        self.member = Membership.objects.create(user=user, business=business, role="ADMIN")
        self.draft = draft()
        self.before, self.after = rulebooks_of(self.draft, rulebook_for(Actor.reader_for(business)))
        today = datetime.now(UTC).date()
        self.period = WeighedPeriod(today - timedelta(days=89), today, ZoneInfo(business.time_zone))
        items = weighed_expenses(business, self.period, lookups_for(business, []))
        self.items = [item for item, _ in zip(items, range(SAMPLE), strict=False)]

    def alone(self) -> float:
        """Items per second of the pure function, both rulebooks, limits counted in memory."""
        from dashboard.policies.results import Tally, replayed
        from dashboard.policies.usage import Usage

        usage, tally = Usage.of([*self.before.rules, *self.after.rules], self.period.zone), Tally()
        began = time.perf_counter()
        for item, before, after in replayed(self.items, self.before, self.after, [], usage):
            tally.add(item, before, after)
        assert tally.weighed.total() == SAMPLE
        return SAMPLE / (time.perf_counter() - began)

    def tenth(self) -> None:
        """A replay of the last days alone, a tenth of those that were filled."""
        replay = self._replayed(self.period.last - timedelta(days=DAYS // 10 - 1))
        assert 0 < replay.result["weighed"]["expense"] < ROWS

    def whole(self) -> float:
        """Items per second of a replay of everything, from its row to its result."""
        began = time.perf_counter()
        replay = self._replayed(self.period.first)
        seconds = time.perf_counter() - began
        assert replay.result["weighed"] == {"expense": ROWS}, replay.result["weighed"]
        assert replay.result["changes"] == {"BLOCKED": self.blocked}, (replay.result["changes"], self.blocked)
        return ROWS / seconds

    def _replayed(self, first_day: date) -> Any:
        from dashboard.policies import replay_run
        from dashboard.policies.models import Replay, ReplayState

        replay = Replay.objects.create(
            business=self.business, membership=self.member, title="Benchmark", draft=self.draft, digest="x" * 64,
            first_day=first_day, last_day=self.period.last,
        )  # fmt: skip
        assert replay_run.run(replay.pk)
        replay.refresh_from_db()
        assert replay.state == ReplayState.DONE, replay.trouble
        return replay


def peak_mb() -> float:
    """The most that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(blocked: int) -> int:
    """Prints the ratio and the growth of memory of this process; 1 where a goal is missed."""
    import django

    django.setup()
    bench = Bench(blocked)
    bench.alone()
    bench.tenth()
    before = peak_mb()
    rate = bench.whole()
    grown = peak_mb() - before
    print(f"alone {bench.alone():,.0f} items/s, replay {rate:,.0f} items/s, {blocked:,} of {ROWS:,} blocked")
    print(f"memory {before:,.0f} MB + {grown:,.1f} MB", flush=True)
    ratio = in_turn(bench.whole, bench.alone, ROUNDS)
    met = report(f"Replay of {ROWS:,} expenses / evaluation alone", ratio, 0.3, at_most=False)
    return 0 if report(f"Memory more after {ROWS:,} items, MB", grown, MOST_GROWTH_MB, at_most=True) and met else 1


def main() -> int:
    """Fills the copy, then measures in a process of its own; the exit code says whether both goals are met."""
    with house("dashboard") as made:
        begin_django(made, "dashboard")
        from dashboard.access.models import Business

        began = time.perf_counter()
        blocked = filled(Business.objects.create(slug="bench", name="Benchmark"))
        assert made.postgres is not None
        repeated(made.postgres.url("dashboard_owner", "dashboard"))
        print(f"{ROWS:,} expenses copied in {time.perf_counter() - began:.0f} s", flush=True)
        return subprocess.run([sys.executable, __file__, str(blocked)], env=dict(os.environ), check=False).returncode


if __name__ == "__main__":
    sys.exit(measured(int(sys.argv[1])) if sys.argv[1:] else main())
