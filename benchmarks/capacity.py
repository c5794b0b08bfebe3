"""How many cores, disks and machines so many businesses need, from what was measured: the tables of docs/scale.md.

`python benchmarks/capacity.py` prints them, and exits 1 where the page says something else; `--write` puts them there.
`--measure` fills a house of its own with the demo (DEMO_EXPENSES, 5,000), and writes what a row, a posting, a look at the
feed and a link of the ledger's chain take into capacity_inputs.json. What a page and a posting over HTTP cost is read
from docs/performance.md, how often the feed and the bands are looked at from the schedule of the program.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INPUTS = Path(__file__).parent / "capacity_inputs.json"
PAGE = ROOT / "docs" / "scale.md"
BEGIN, END = "<!-- Computed by `python benchmarks/capacity.py --write`. -->", "<!-- The end of what is computed. -->"
SIZES = (10, 1_000, 100_000)
DAY_S, YEAR_DAYS = 86_400, 365
# What is deleted again, and after how many days (docs/deploy.md); all else is taken to be kept for good.
FORGOTTEN = {
    "service": {"events_event": 30, "webhooks_delivery": 30, "businesses_storedanswer": 30},
    "dashboard": {"mirror_inboxevent": 30},
}


@dataclass(frozen=True)
class Business:
    """What the business in the middle does on a working day: assumed, and to be replaced by one's own."""

    people: int = 40
    pages_a_person: int = 40
    postings: int = 150
    decisions: int = 40
    # Of a day's work so much falls into its busiest hour.
    peak_hour: float = 0.2

    @property
    def pages(self) -> int:
        """Pages and parts of pages a day."""
        return self.people * self.pages_a_person

    def at_peak(self, a_day: float) -> float:
        """So many a day, in a second of the busiest hour."""
        return a_day * self.peak_hour / 3600


@dataclass(frozen=True)
class Machine:
    """What is bought: a database of so many cores, of which so much is used at the peak, and its disk."""

    cores: int = 32
    used: float = 0.6
    disk_tb: float = 8.0


@dataclass(frozen=True)
class Costs:
    """What was measured, in seconds of CPU (`feed_wall_s` and `chain_s`: of the clock) and in bytes."""

    page_web_s: float
    page_db_s: float
    posting_web_s: float
    posting_db_s: float
    feed_service_s: float
    feed_worker_s: float
    feed_db_s: float
    feed_wall_s: float
    copy_worker_s: float
    copy_db_s: float
    chain_s: float
    wal_a_posting: float
    # By program: bytes of a posting that stay for good; of those that are forgotten, what a posting a day comes to in their days.
    kept: dict[str, float]
    forgotten: dict[str, float]

    @property
    def feed_s(self) -> float:
        """A look at a feed by the CPU of all that it goes through in turn: none is shorter."""
        return self.feed_worker_s + self.feed_service_s + self.feed_db_s


BUSINESS, MACHINE = Business(), Machine()
# The demo posts many movements in one transaction of the ledger: one by one each has at least so many rows of its own.
LEAST_ROWS = {"ledger_transaction": 1, "ledger_seal": 1, "ledger_entry": 2}


def from_performance(sentence: str) -> tuple[float, float]:
    """Two figures in milliseconds from a sentence of docs/performance.md; SystemExit where it stands there no more."""
    found = re.search(sentence, (ROOT / "docs" / "performance.md").read_text())
    if found is None:
        raise SystemExit(f"docs/performance.md does not say any more: {sentence}")
    return float(found[1]) / 1000, float(found[2]) / 1000


def costs() -> Costs:
    """What the model rests on."""
    measured = json.loads(INPUTS.read_text())
    page = from_performance(
        r"the web server's part [\d.]+ ms before and ([\d.]+) after, PostgreSQL's [\d.]+ and ([\d.]+\d)"
    )
    posting = from_performance(r"takes ([\d.]+) ms of the web server's CPU and ([\d.]+) ms of PostgreSQL's")
    postings = measured["postings"]
    kept, forgotten = {}, {}
    for program, tables in measured["tables"].items():
        short = FORGOTTEN[program]
        bytes_of = {name: size / rows * rows_a_posting(name, rows, postings) for name, (rows, size) in tables.items()}
        kept[program] = sum(size for name, size in bytes_of.items() if name not in short)
        forgotten[program] = sum(size * short[name] for name, size in bytes_of.items() if name in short)
    return Costs(
        *page, *posting, *(measured["feed"][name] for name in ("service_s", "worker_s", "db_s", "wall_s")),
        measured["copy_worker_s"] / postings, measured["copy_db_s"] / postings, measured["chain_s"], measured["wal_bytes"] / postings, kept, forgotten,
    )  # fmt: skip


def rows_a_posting(table: str, rows: int, postings: int) -> float:
    """How many rows of a table a posting adds."""
    return max(rows / postings, LEAST_ROWS.get(table, 0))


def feed_every_s() -> float:
    """How often each business's feed is looked at, by config/celery.py."""
    return _number("config/celery.py", r'"feed": every\((\d+) \* SECOND')


def senders() -> int:
    """How many decisions are on their way at once, over all businesses (dashboard/decisions/dispatcher.py)."""
    return int(_number("dashboard/decisions/dispatcher.py", r"^SENDERS = (\d+)$"))


def _number(file: str, pattern: str) -> float:
    found = re.search(pattern, (ROOT / file).read_text(), re.M)
    if found is None:
        raise SystemExit(f"{file} does not say any more: {pattern}")
    return float(found[1])


@dataclass(frozen=True)
class Part:
    """A part that one machine, or one job at a time, carries: how many businesses until it is full, and what follows."""

    name: str
    businesses: float
    then: str


def parts(cost: Costs) -> list[Part]:
    """What is not simply more of the same, the first to be full at the top."""
    each, cores = BUSINESS, MACHINE.cores * MACHINE.used
    disk = MACHINE.disk_tb * 1e12
    decision_s = (cost.posting_web_s + cost.posting_db_s) * 10
    found = [
        Part("the feed, looked at by one job after another", feed_every_s() / cost.feed_s, "a job per part of the businesses"),
        Part("decisions, sent by one sweep at a time", senders() / decision_s / each.at_peak(each.decisions), "a sweep per part of the businesses"),
        Part("the ledger's chain, sealed by one at a time", 1 / cost.chain_s / each.at_peak(each.postings), "a chain per business"),
        Part("PostgreSQL of the service, cores", cores / service_db(cost), "distributed by business"),
        Part("PostgreSQL of the dashboard, cores", cores / dashboard_db(cost), "a replica for lists, then distributed"),
        Part("PostgreSQL of the service, disk after a year", disk / disk_of(cost, "service"), "distributed by business"),
        Part("PostgreSQL of the dashboard, disk after a year", disk / disk_of(cost, "dashboard"), "distributed by business"),
    ]  # fmt: skip
    return sorted(found, key=lambda part: part.businesses)


def service_db(cost: Costs) -> float:
    """Cores of the service's PostgreSQL that a business needs at its peak."""
    return BUSINESS.at_peak(BUSINESS.postings) * cost.posting_db_s + cost.feed_db_s / feed_every_s()


def dashboard_db(cost: Costs) -> float:
    """Cores of the dashboard's PostgreSQL that a business needs at its peak."""
    return BUSINESS.at_peak(BUSINESS.pages) * cost.page_db_s + BUSINESS.at_peak(BUSINESS.postings) * cost.copy_db_s


def disk_of(cost: Costs, program: str) -> float:
    """Bytes of a business in a program's database after a year."""
    return BUSINESS.postings * (cost.kept[program] * YEAR_DAYS + cost.forgotten[program])


def size(value: float) -> str:
    """Bytes, as they are read: "1.2 GB"."""
    unit = min(5, int(math.log(max(value, 1), 1000)))
    value /= 1000**unit
    return f"{value:,.{0 if value >= 100 or not unit else 1}f} {('B', 'KB', 'MB', 'GB', 'TB', 'PB')[unit]}"


def rows_of(cost: Costs) -> list[tuple[str, Callable[[int], str]]]:
    """The lines of the table for so many businesses."""
    each, feed, machine = BUSINESS, 1 / feed_every_s(), MACHINE.cores * MACHINE.used

    def cores(a_business: float) -> Callable[[int], str]:
        return lambda count: f"{math.ceil(count * a_business):,}"

    def primaries(count: int) -> str:
        needs = max(
            count * service_db(cost) / machine, count * disk_of(cost, "service") / (MACHINE.disk_tb * 1e12),
            count * dashboard_db(cost) / machine, count * disk_of(cost, "dashboard") / (MACHINE.disk_tb * 1e12),
        )  # fmt: skip
        return f"{math.ceil(needs):,}"

    return [
        ("pages a second at the peak", lambda count: f"{count * each.at_peak(each.pages):,.1f}"),
        ("postings a second at the peak", lambda count: f"{count * each.at_peak(each.postings):,.2f}"),
        ("looks at the feed a second, always", lambda count: f"{count * feed:,.0f}"),
        ("cores: dashboard, pages", cores(each.at_peak(each.pages) * cost.page_web_s / MACHINE.used)),
        ("cores: dashboard, the copy's workers", cores((feed * cost.feed_worker_s + each.at_peak(each.postings) * cost.copy_worker_s) / MACHINE.used)),
        ("cores: service", cores((each.at_peak(each.postings) * cost.posting_web_s + feed * cost.feed_service_s) / MACHINE.used)),
        ("cores: PostgreSQL of the service", cores(service_db(cost) / MACHINE.used)),
        ("cores: PostgreSQL of the dashboard", cores(dashboard_db(cost) / MACHINE.used)),
        ("disk of the service after a year", lambda count: size(count * disk_of(cost, "service"))),
        ("disk of the dashboard after a year", lambda count: size(count * disk_of(cost, "dashboard"))),
        ("write-ahead log a day, both", lambda count: size(count * each.postings * cost.wal_a_posting)),
        (f"primaries of {MACHINE.cores} cores and {MACHINE.disk_tb:g} TB for each program, each with a standby", primaries),
    ]  # fmt: skip


def computed() -> str:
    """What stands between the two marks of docs/scale.md."""
    cost, measured, each = costs(), json.loads(INPUTS.read_text()), BUSINESS
    lines = [
        f"A business has {each.people} people, who ask for {each.pages:,} pages and parts of pages a day; {each.postings} postings and "
        f"{each.decisions} decisions a day; a fifth of a day's work falls into its busiest hour. A machine is used to "
        f"{MACHINE.used:.0%} at the peak.",
        "",
        f"Measured on {measured['day']} at {measured['commit']} beside other work, {measured['expenses']:,} expenses of the demo, {measured['postings']:,} postings:",
        "",
        "| what | takes |",
        "|---|---:|",
        f"| a page of a list: web server · PostgreSQL (docs/performance.md) | {cost.page_web_s * 1000:.1f} · {cost.page_db_s * 1000:.1f} ms of CPU |",
        f"| a posting over HTTP: web server · PostgreSQL (likewise) | {cost.posting_web_s * 1000:.1f} · {cost.posting_db_s * 1000:.1f} ms of CPU |",
        f"| a look at a feed without news: worker · service · PostgreSQL | {cost.feed_worker_s * 1000:.1f} · {cost.feed_service_s * 1000:.1f} · {cost.feed_db_s * 1000:.1f} ms of CPU |",
        f"| the same of the clock, on that busy machine | {cost.feed_wall_s * 1000:.1f} ms |",
        f"| all that the dashboard's worker does for a posting, the first copy and the reading of its receipt included: worker · PostgreSQL | {cost.copy_worker_s * 1000:.1f} · {cost.copy_db_s * 1000:.1f} ms of CPU |",
        f"| a link of the ledger's chain, of the clock on that busy machine | {cost.chain_s * 1000:.3f} ms |",
        f"| bytes that a posting adds for good: service · dashboard | {size(cost.kept['service'])} · {size(cost.kept['dashboard'])} |",
        f"| the same of what is forgotten, as it stands after its days | {size(cost.forgotten['service'])} · {size(cost.forgotten['dashboard'])} |",
        f"| write-ahead log of a posting, both | {size(cost.wal_a_posting)} |",
        "",
        "The largest tables, with their indexes:",
        "",
        "| table | rows of a posting | bytes a row |",
        "|---|---:|---:|",
    ]
    for program, tables in measured["tables"].items():
        largest = sorted(tables.items(), key=lambda entry: -entry[1][1])[:6]
        lines += [
            f"| {program}: `{name}` | {rows_a_posting(name, rows, measured['postings']):.2f} | {size_bytes / rows:,.0f} |"
            for name, (rows, size_bytes) in largest
        ]
    lines += [
        "",
        f"| businesses | {' | '.join(f'{count:,}' for count in SIZES)} |",
        f"|---|{'---:|' * len(SIZES)}",
    ]
    lines += [f"| {name} | {' | '.join(text(count) for count in SIZES)} |" for name, text in rows_of(cost)]
    lines += [
        "",
        "What is full first, where everything is one of its kind:",
        "",
        "| part | full at so many businesses | then |",
        "|---|---:|---|",
    ]
    lines += [f"| {part.name} | {_round(part.businesses):,} | {part.then} |" for part in parts(cost)]
    return "\n".join(lines)


def _round(value: float) -> int:
    """To two figures: the model knows no more."""
    return int(round(value, 2 - len(str(int(value)))))


def written() -> str:
    """What the page says between its marks."""
    return PAGE.read_text().partition(BEGIN)[2].partition(END)[0].strip()


def main(arguments: list[str]) -> int:
    """Prints what is computed; 1 where the page says something else."""
    if "--measure" in arguments:
        # Only here: it starts a house of its own.
        subprocess.run([sys.executable, str(ROOT / "benchmarks" / "_capacity_inputs.py")], check=True)
    text = computed()
    if "--write" in arguments:
        head, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(f"{head}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}")
    print(text)
    if written() != text:
        print("docs/scale.md says something else: python benchmarks/capacity.py --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
