"""Items per second of a replay, from the copy to its stored result, against the pure evaluation function alone.

A dozen policies of every type and a draft of one; 200,000 expenses of 1,000 people in the last 90 days, as GET /expenses gives
them. The reference weighs the same items, ready in memory, under both rulebooks, and counts them; the replay reads them from
the copy, puts them in the order in which they were posted, counts limits over periods, per person and together, and stores
what changed. Memory: the most that the process holds more after a replay of all than after one of a tenth.
"""

from __future__ import annotations

import json
import os
import random
import resource
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from measure import house, in_turn, report
from mirror_ingest import expense

ROWS, SAMPLE, ROUNDS = 200_000, 20_000, 3
PEOPLE = 1_000
MOST_GROWTH_MB = 40
FILED = [f"{number:024x}" for number in range(40)]


def policies() -> list[dict[str, Any]]:
    """A dozen policies as the interface shows them: every type, with and without periods, per person and together, some with
    exemptions."""
    bounds = {"limit_minor": 5_000_000, "limit": "50000", "currency": "KES"}
    rows: list[dict[str, Any]] = [
        {"type": "CHANNEL", "target": "CARD", "action": "FLAG", "period": "MONTH", **bounds},
        {"type": "CHANNEL", "target": "ATM", "action": "BLOCK"},
        {"type": "CHANNEL", "target": "ECOMMERCE", "action": "FLAG", **bounds},
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
    common = {"status": "ACTIVE", "version": 1, "exempt": {"team_ids": [f"{8:024x}"], "employee_ids": []}}
    return [{"_id": f"p{number:02}", "name": f"Policy {number}", **common, **row} for number, row in enumerate(rows)]


def filled(business: Any) -> None:
    """The copy of a business: its policies, and expenses spread over the last 80 days."""
    from dashboard.client.json import read_json
    from dashboard.mirror.apply import upsert
    from dashboard.mirror.models import Origin

    upsert("policy", business, policies(), Origin.POLL)
    now, chance = datetime.now(UTC), random.Random(1)
    for start in range(0, ROWS, 1000):
        batch = []
        for number in range(start, start + 1000):
            at = (now - timedelta(seconds=chance.randrange(80 * 24 * 3600))).isoformat()
            kind = {"payment_type": "MPESA", "card_vcn": ""} if number % 3 == 0 else {}
            who = {"employee_id": f"{chance.randrange(PEOPLE):024x}"}
            batch.append({**expense(number, 1), **who, "transaction_date": at, "createdAt": at, **kind})
        # As an answer is read: an amount in it is exact.
        upsert("expense", business, read_json(json.dumps(batch).encode()), Origin.POLL)


class Bench:
    """The two sides: a replay of the whole copy, and evaluation of items that are ready in memory."""

    def __init__(self, business: Any) -> None:
        from dashboard.access.actor import Actor
        from dashboard.access.models import Membership, User
        from dashboard.policies.replay_run import rulebooks_of
        from dashboard.policies.rulebook import rulebook_for
        from dashboard.policies.weighed_items import WeighedPeriod, lookups_for, weighed_expenses

        user = User.objects.create_user("bench@example.test", name="Benchmark")
        self.business = business
        self.member = Membership.objects.create(user=user, business=business, role="ADMIN")
        before = policies()[0]
        after = {**before, "limit_minor": 4_000_000, "limit": "40000"}
        self.draft = {"target_type": "policy", "before": before, "after": after}
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

    def whole(self) -> float:
        """Items per second of a replay of everything, from its row to its result."""
        from dashboard.policies import replay_run
        from dashboard.policies.models import Replay, ReplayState

        replay = Replay.objects.create(
            business=self.business, membership=self.member, title="Benchmark", draft=self.draft, digest="x" * 64,
            first_day=self.period.first, last_day=self.period.last,
        )  # fmt: skip
        began = time.perf_counter()
        assert replay_run.run(replay.pk)
        seconds = time.perf_counter() - began
        replay.refresh_from_db()
        assert (replay.state, replay.result["weighed"]) == (ReplayState.DONE, {"expense": ROWS}), replay.trouble
        assert sum(replay.result["changes"].values()) > 0
        return ROWS / seconds


def peak_mb() -> float:
    """The most that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Prints the ratio and the growth of memory; the exit code says whether both goals are met."""
    with house("dashboard") as made:
        os.environ.update(made.program_env("dashboard"))
        import django

        django.setup()
        from dashboard.access.models import Business

        business = Business.objects.create(slug="bench", name="Benchmark")
        filled(business)
        bench = Bench(business)
        bench.alone()
        before = peak_mb()
        bench.whole()
        grown = peak_mb() - before
        print(
            f"alone {bench.alone():,.0f} items/s, replay {bench.whole():,.0f} items/s, memory {before:,.0f} MB + {grown:,.1f} MB"
        )
        met = report(
            "Replay of 200,000 expenses / evaluation alone",
            in_turn(bench.whole, bench.alone, ROUNDS),
            0.3,
            at_most=False,
        )
        return 0 if report("Memory more after 200,000 items, MB", grown, MOST_GROWTH_MB, at_most=True) and met else 1


if __name__ == "__main__":
    sys.exit(main())
