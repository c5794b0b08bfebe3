"""Every filter, every two filters together, every sort and the searches of a list of 1,000,000 rows: what the database does.

Of each the statements of its page are explained and added up, and that of its bounded totals, which come as a part of their own; the
slowest are printed, by what they take of the processor: other work on the machine moves that little. The page itself, and those of the slowest addresses, are then measured against the bare page as `list_pages.py` does.
`ONLY` names lists ("bills/|payouts/"), `WORST` says how many are printed, and `PAGES` how many of them are measured whole.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from approvals_page import Server, beside_bare, fill, open_businesses
from list_pages import fill_others, pages
from measure import begin_django, house, in_turn, report

LISTS = ("bills", "payouts", "vendors")
# What is typed into filters that offer nothing to choose from, by the filter's name: something common and something rare.
TYPED = {
    "vendor": ("Vendor 17", "Vendor 4711"), "team": ("000000000000000000000002",), "order": ("PO-20017",),
    "currency": ("KES", "USD"), "since": ("2026-01-05", "2026-11-01"), "until": ("2025-06-01", "2026-11-30"), "changed": ("1",),
}  # fmt: skip
SEARCHES = {
    "bills": ("inv", "INV-77", "Vendor 17", "Vendor 4711 INV-4710", "KES 10.00", "PO-20017", "nothing of this"),
    "payouts": ("payout", "BP-77", "Payout 4711", "KES 10.00", "nothing of this"),
    "vendors": ("vendor", "Vendor 4711", "v77@example.test", "254777", "nothing of this"),
}
TIMEOUT_MS = 20_000
MAX_TIMES = 5


def queries(of: Any) -> Iterator[dict[str, str]]:
    """The addresses that the page of a list offers: no filter, each by itself, each two, and the searches; in every order."""
    values = {
        filter_.name: [value for value, _ in getattr(filter_, "of", ())] or list(TYPED[filter_.name])
        for filter_ in of.filters
    }
    single: list[dict[str, str]] = [{}]
    single += [{name: value} for name, some in values.items() for value in some]
    pairs = [
        {one: first, other: second}
        for one, other in itertools.combinations(values, 2)
        for first, second in itertools.product(values[one], values[other])
    ]
    searched = [{"q": text, **chosen} for text in SEARCHES[of.name] for chosen in single]
    sorts = [sign + name for name in of.sorts for sign in ("", "-")]
    for chosen, sort in itertools.product([*single, *pairs, *searched], sorts):
        yield {**chosen, "sort": sort}


def statements_of(work: Callable[[], object]) -> list[tuple[str, Any]]:
    """The statements, each with its parameters, that some work sends."""
    from django.db import OperationalError, connection

    sent = []

    def noting(execute: Any, statement: str, params: Any, many: bool, context: Any) -> Any:
        sent.append((statement, params))
        return execute(statement, params, many, context)

    # One that takes too long is explained below, and told there.
    with connection.execute_wrapper(noting), suppress(OperationalError):
        work()
    return sent


def processor_ms(pid: int) -> float:
    """Milliseconds of the processor that a process has taken, by the kernel's scheduler: exact, where ticks are of ten."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1_000_000


def explained(cursor: Any, statement: str, params: Any) -> tuple[float, str]:
    """Milliseconds of the processor that the database takes for a statement, planned and carried out; and its plan as JSON."""
    from django.db import OperationalError

    # A page asks for the planner's estimate of its rows: that is an explanation itself, of which none is made.
    is_estimate = statement.startswith("EXPLAIN")
    explain = "" if is_estimate else "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) "
    pid = cursor.connection.info.backend_pid
    before = processor_ms(pid)
    try:
        cursor.execute(f"{explain}{statement}", params)
    except OperationalError:
        return float(TIMEOUT_MS), f"longer than {TIMEOUT_MS} ms"
    plan = {"Plan": {}} if is_estimate else cursor.fetchone()[0][0]
    return processor_ms(pid) - before, json.dumps(plan["Plan"])


def scans(plan: str) -> str:
    """The indexes and the tables that a plan reads whole, and how it sorts, in short."""
    words = []
    for name in ("Index Name", "Node Type"):
        words += [
            part.split('"')[0]
            for part in plan.split(f'"{name}": "')[1:]
            if name == "Index Name" or part.startswith(("Seq", "Sort", "Incremental"))
        ]
    return ", ".join(dict.fromkeys(words))


def read_page(actor: Any, query: Any) -> list[Any]:
    """The rows of a page, as dashboard/lists/pages.py reads them."""
    from django.db import DEFAULT_DB_ALIAS

    from dashboard.lists.pages import PAGE

    of, (name, _) = query.of, query.sorted_by
    rows = of.with_computed(query.first(actor, PAGE + 1, DEFAULT_DB_ALIAS), actor, query.columns)
    return list(rows.values(*of.fields(query.columns, name))[: PAGE + 1])


def times_of(actor: Any, of: Any) -> list[tuple[float, str, str, str]]:
    """Of each address the milliseconds of its page and of its totals, the slowest first: (ms, which, the address, the plan)."""
    from urllib.parse import urlencode

    from django.db import connection, transaction

    from dashboard.lists.query import Query
    from dashboard.lists.totals import totals_of

    found = []
    for address in queries(of):
        query = Query.parse(of, urlencode(address))
        assert not query.problems, (address, query.problems)
        work: dict[str, Callable[[], object]] = {"rows": partial(read_page, actor, query)}
        if address["sort"] == of.sort:
            work["totals"] = partial(totals_of, actor, query, of.noun)
        for which, read in work.items():
            took, plans = 0.0, []
            for statement, params in statements_of(read):
                with transaction.atomic(), connection.cursor() as cursor:
                    cursor.execute(f"SET LOCAL statement_timeout = {TIMEOUT_MS}")
                    # What other processes do for it would not be counted.
                    cursor.execute("SET LOCAL max_parallel_workers_per_gather = 0")
                    ms, plan = explained(cursor, statement, params)
                took, plans = took + ms, [*plans, scans(plan)]
            found.append((took, which, urlencode(address), " + ".join(filter(None, plans))))
    return sorted(found, reverse=True)


def measure(ours: Server, bare: Server, person: dict[str, Any]) -> bool:
    """Prints the slowest of each list, and what the pages cost against the bare one."""
    from dashboard.access.actor import Actor
    from dashboard.access.models import Membership
    from dashboard.lists.registry import find

    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in person["cookies"].items()), "Host": "localhost"}
    reference = partial(bare.cpu_per_page, f"/?business={person['business']}", {"Host": "localhost"})
    bare_ms, good = 1000 * reference(), True
    print(f"the bare page: {bare_ms:.1f} ms of the processor", flush=True)
    actor = Actor.for_membership(Membership.objects.get(business_id=person["business"]))
    for name in (name for name in LISTS if f"{name}/" in pages()):
        listed = find(name)
        assert listed is not None
        times = times_of(actor, listed.declared)
        for took, which, address, plan in times[: int(os.environ.get("WORST", "12"))]:
            print(f"{took:9.1f} ms  {name} {which:6} ?{address}  [{plan}]", flush=True)
        for which in ("rows", "totals"):
            count, slowest = (
                sum(kind == which for _, kind, *_ in times),
                max(ms for ms, kind, *_ in times if kind == which),
            )
            print(f"{name}: the slowest {which} of {count} addresses take {slowest:.1f} ms in the database", flush=True)
        over = sum(took > bare_ms for took, kind, *_ in times if kind == "rows")
        print(f"{name}: {over} of them take longer than the bare page", flush=True)
        # What takes seconds is not asked for hundreds of times: its statement alone says enough.
        bearable = [address for took, kind, address, _ in times if kind == "rows" and took < MAX_TIMES * bare_ms]
        slow = bearable[: int(os.environ.get("PAGES", "3"))]
        for address in ["view=all", *slow]:
            path = f"/many/{name}/?{address}"
            ratio = in_turn(partial(ours.cpu_per_page, path, headers), reference, int(os.environ.get("ROUNDS", "3")))
            good &= report(f"{path} / bare page", ratio, 1.0, at_most=True)
    return good


def main() -> int:
    """The exit code says whether all goals are met."""
    os.environ.setdefault("ONLY", "|".join(f"{name}/" for name in LISTS))
    with house("dashboard", durable=False) as made:
        person = open_businesses(made)["many"]
        # What the bare page lists.
        fill(made, person["business"], 20_000, 20_000)
        fill_others(made, person["business"], int(os.environ.get("MANY", "1000000")))
        begin_django(made, "dashboard")
        with beside_bare(made) as (ours, bare):
            return 0 if measure(ours, bare, person) else 1


if __name__ == "__main__":
    sys.exit(main())
