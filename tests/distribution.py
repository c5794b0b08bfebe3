"""How the tables of both programs would lie on a PostgreSQL of many machines (Citus), by business: `distribution.csv`.

A row a table. `placement`: "distributed" by its `column`, so that all rows of a business lie on one machine; "reference",
the same small table on every machine; "local", on the coordinator alone. `through`: where a distributed table has no such
column yet, the foreign key by which the business of a row is found. `keys`: the primary and unique keys that do not hold
the column, so that they could not be kept across machines: each needs it added, (business, id) in place of (id).

The list is a ratchet: keys may leave it and never come in (tests/…/test_distribution.py, docs/scale.md). After a change
of tables `WRITE_DISTRIBUTION=1` writes it anew for its program; what a row says of the placement stays.
"""

from __future__ import annotations

import csv
import fcntl
from dataclasses import astuple, dataclass, fields
from pathlib import Path

FILE = Path(__file__).parent / "distribution.csv"
# What a row's business is called: the audit has a chain of each.
COLUMNS = ("business_id", "chain")
BUSINESSES = {"service": "businesses_business", "dashboard": "access_business"}
TABLES = """
select c.relname, array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped)
from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1
"""
KEYS = """
select array(select pg_get_indexdef(i.indexrelid, k, true) from generate_series(1, i.indnkeyatts) k)
from pg_index i where i.indrelid = ('public.' || quote_ident(%s))::regclass and (i.indisunique or i.indisexclusion) order by 1
"""
PARENTS = """
select a.attname::text, f.confrelid::regclass::text from pg_constraint f
join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
where f.contype = 'f' and f.conrelid = ('public.' || quote_ident(%s))::regclass order by f.conkey[1]
"""


@dataclass(frozen=True)
class Table:
    """A row of the list; `keys` are separated by " · ", the columns of a key by ", "."""

    program: str
    table: str
    placement: str
    column: str
    through: str
    keys: str
    reason: str

    @property
    def short(self) -> list[str]:
        """The keys that lack the column."""
        return [key for key in self.keys.split(" · ") if key]


NAMES = [field.name for field in fields(Table)]


def listed(program: str = "") -> dict[str, Table]:
    """What the list says of a program's tables, or of both programs' by "program.table"."""
    with FILE.open(newline="") as file:
        rows = [Table(**row) for row in csv.DictReader(file)]
    return {row.table if program else f"{row.program}.{row.table}": row for row in rows if program in ("", row.program)}


def as_they_are(program: str) -> dict[str, Table]:
    """The tables of the database with their columns and keys; their placement and its reason as the list has them."""
    from django.db import connection

    known, found = listed(program), {}
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        tables = cursor.fetchall()
        for name, columns in tables:
            before = known.get(name)
            column = "id" if name == BUSINESSES[program] else next((one for one in COLUMNS if one in columns), "")
            placement = before.placement if before else "distributed"
            cursor.execute(KEYS, [name])
            keys = [row[0] for row in cursor.fetchall()]
            cursor.execute(PARENTS, [name])
            parents = cursor.fetchall()
            if placement != "distributed":
                found[name] = Table(program, name, placement, "", "", "", before.reason if before else "")
                continue
            through = "" if column or not parents else f"{parents[0][0]} → {parents[0][1]}"
            if before and not column and before.through.partition(" → ")[0] in columns:
                # The first foreign key need not be the one that says whose row it is.
                through = before.through
            short = " · ".join(", ".join(key) for key in keys if not column or column not in key)
            found[name] = Table(program, name, placement, column, through, short, before.reason if before else "")
    return found


def without_business(tables: dict[str, Table]) -> list[str]:
    """The distributed tables that neither have the business nor lead to one that is distributed."""
    placed = {name for name, row in tables.items() if row.placement == "distributed"}
    return [name for name in placed if not tables[name].column and tables[name].through.split(" → ")[-1] not in placed]


def without_reason(tables: dict[str, Table]) -> list[str]:
    """The tables that are placed otherwise, or nowhere that there is, without a sentence that says why."""
    excused = {
        name for name, row in tables.items() if row.placement in {"reference", "local"} and row.reason.endswith(".")
    }
    return [name for name, row in tables.items() if row.placement != "distributed" and name not in excused]


def short_keys(tables: dict[str, Table]) -> int:
    """How many primary and unique keys lack the business."""
    return sum(len(row.short) for row in tables.values())


def write(program: str) -> None:
    """Writes the program's rows anew, the other's as they are."""
    tables = as_they_are(program)
    with FILE.open("r+", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        others = [Table(**row) for row in csv.DictReader(file)]
        rows = [row for row in others if row.program != program] + list(tables.values())
        file.seek(0)
        file.truncate()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(NAMES)
        writer.writerows(astuple(row) for row in sorted(rows, key=lambda row: (row.program, row.table)))
