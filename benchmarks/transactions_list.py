"""CPU of the list of transactions among 1,000,000, by each of its sorts and filters and far behind its first page, against a bare
Django page.

Measured as `approvals_page.py` measures. Most transactions are posted purchases in one currency, as they are in a business: what
waits, was rejected, came in another currency or lacks a category is one row of thousands, so that a filter that looks through all
others is seen. `MANY` says how many, `ROUNDS` how often, `ONLY` (a pattern) which pages.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import psycopg
from approvals_page import MANY, Server, beside_bare, deep_address, fill, open_businesses
from list_pages import CARRIED, VALUES
from measure import House, house, in_turn, report

GOAL, REQUESTS = 1.0, 40
COLUMNS = (
    "type, status, direction, org_wallet_ref, currency, amount_minor, amount_text, fees_text, counterparty, ref, channel, description,"
    " category_name, employee_id, team_id, expense_id, occurred_at, effective_on"
)
# Of 1,000,000: 50,000 top-ups, 20,000 transfers, 1,000 refunds; 10 wait, 200 were rejected, 100 reversed; 1,000 in dollars; 200
# without a category, of which 100 are top-ups; 500 posted in the month after their own.
ROWS = f"""
INSERT INTO mirror_transaction ({CARRIED}, {COLUMNS})
SELECT {VALUES}, kind,
    CASE WHEN n %% 100000 = 5 THEN 'PENDING' WHEN n %% 5000 = 7 THEN 'REJECTED' WHEN n %% 10000 = 9 THEN 'REVERSED' ELSE 'POSTED' END,
    CASE WHEN kind IN ('TOPUP', 'REFUND') THEN 'IN' ELSE 'OUT' END, '1', code, minor, code || ' ' || minor / 100 || '.00', '',
    'Merchant ' || n %% 5000, 'TX' || n, 'CARD', '', CASE WHEN n %% 10000 IN (20, 13) THEN '' ELSE 'Travel' END,
    'e' || n %% 60, 't' || n %% 9, CASE kind WHEN 'EXPENSE' THEN 'x' || n ELSE '' END, at,
    CASE WHEN n %% 100000 = 5 THEN NULL WHEN n %% 2000 = 17 THEN date_trunc('month', at)::date + 40 ELSE at::date END
FROM generate_series(1, %(count)s) n,
    LATERAL (SELECT now() - n * interval '30 seconds' AS at,
        CASE WHEN n %% 20 = 0 THEN 'TOPUP' WHEN n %% 50 = 1 THEN 'IFT' WHEN n %% 1000 = 3 THEN 'REFUND' ELSE 'EXPENSE' END AS kind,
        CASE WHEN n %% 1000 = 11 THEN 'USD' ELSE 'KES' END AS code, -1000 - (n::bigint * 7919) %% 900000 AS minor) made
"""
ROW = "<tr data-row"
PATH = "/many/transactions/"
FULL = 50


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of the list: what it is called, its query, and at least how many rows it shows, FULL where it is a whole page."""

    name: str
    query: str
    rows: int = FULL


def pages(today: date, count: int) -> list[ListPage]:
    """The pages: each sort, each filter, and filters by the other sort, of which the least that there is is known."""
    earlier = (today.replace(day=1) - timedelta(days=92)).replace(day=1)
    month, day = f"{earlier:%Y-%m}", earlier + timedelta(days=9)
    days, millions = f"since={day}&until={day}", max(count / 1_000_000, 0.01)
    within = f"since={earlier}&until={(earlier + timedelta(days=31)).replace(day=1) - timedelta(days=1)}"
    filters = [
        ListPage("top-ups", "type=TOPUP"), ListPage("refunds", "type=REFUND"),
        ListPage("what waits", "status=PENDING", min(FULL, int(10 * millions))), ListPage("rejected", "status=REJECTED"),
        ListPage("reversed", "status=REVERSED"), ListPage("money in", "direction=IN"),
        ListPage("without category", "uncategorised=1"), ListPage("without category or expense", "to_file=1"),
        ListPage("a month of the books", f"period={month}"), ListPage("late arrivals", f"late={month}", 10),
        ListPage("a day", days), ListPage("until a day", f"until={day}"), ListPage("since a day", f"since={day}"),
        ListPage("another currency", "currency=USD"), ListPage("a currency that there is not", "currency=JPY", 0),
        ListPage("a name", "q=merchant"), ListPage("a reference", "q=TX4711", 1), ListPage("an amount", "q=1,234.00", 0),
        ListPage("refunds that were rejected", "type=REFUND&status=REJECTED", 0),
    ]  # fmt: skip
    by_amount = [
        ListPage(f"{page.name}, by amount", f"{page.query}&sort=-amount", page.rows) for page in filters
    ]  # fmt: skip
    return [
        ListPage("the newest", ""), ListPage("the oldest", "sort=date"), ListPage("the least", "sort=amount"),
        ListPage("the largest", "sort=-amount"), *filters, *by_amount, ListPage("days of a month, by amount", f"{within}&sort=amount"),
    ]  # fmt: skip


def fill_transactions(made: House, business: int, count: int) -> None:
    """The transactions of a business, analysed as autovacuum does."""
    assert made.postgres is not None
    with psycopg.connect(made.postgres.url("dashboard_owner", "dashboard"), autocommit=True) as owner:
        owner.execute("SET statement_timeout = 0")
        owner.execute(ROWS, {"business": business, "count": count})
        owner.execute("VACUUM ANALYZE mirror_transaction")


def main() -> int:
    """Prints a ratio for each page; the exit code says whether all goals are met."""
    count, rounds = int(os.environ.get("MANY", MANY)), int(os.environ.get("ROUNDS", "3"))
    with house("dashboard", durable=False) as made:
        person = open_businesses(made)["many"]
        fill(made, person["business"], 20_000, 10_000)
        fill_transactions(made, person["business"], count)
        with beside_bare(made) as (ours, bare):
            return measure(ours, bare, person, count, rounds)


def measure(ours: Server, bare: Server, person: dict[str, Any], count: int, rounds: int) -> int:
    """All ratios."""
    cookies = "; ".join(f"{name}={value}" for name, value in person["cookies"].items())
    headers = {"Cookie": cookies, "Host": "localhost"}

    def cpu(address: str) -> Callable[[], float]:
        return lambda: ours.cpu_per_page(address, headers, REQUESTS)

    reference = partial(bare.cpu_per_page, f"/?business={person['business']}", {"Host": "localhost"}, REQUESTS)
    good, only = True, os.environ.get("ONLY", "")
    for page in pages(datetime.now(UTC).date(), count):
        if not re.search(only, page.name):
            continue
        address = f"{PATH}?{page.query}" if page.query else PATH
        rows = ours.page(address, headers).count(ROW)
        assert rows == FULL if page.rows == FULL else rows >= page.rows, (page.name, rows)
        good &= report(f"{page.name} / bare page", in_turn(cpu(address), reference, rounds), GOAL, at_most=True)
    if re.search(only, "10,000 rows deep"):
        for query in ("", "?sort=amount"):
            deep = deep_address(ours, headers, f"{PATH}{query}")
            name = f"10,000 rows deep{', by amount' if query else ''} / bare page"
            good &= report(name, in_turn(cpu(deep), reference, rounds), GOAL, at_most=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
