"""Whether a statement stays within one business: every table of it that would be distributed is held to the business.

Each statement that a test has the program make is looked at, by an execute wrapper. Held means: the table's column of the
business (tests/distribution.csv) is compared with `=` or `IN`, or stands among the columns that are inserted. A table that
is joined by another's id alone is not held, nor is one that has no such column yet: on many machines both would be asked on
all of them. What comes from the places that are checked and is not held must stand in `one_business.csv` with the reason.
"""

from __future__ import annotations

import csv
import fcntl
import os
import re
import sys
from collections.abc import Callable
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import Path
from typing import Any

from tests import distribution

ROOT = Path(__file__).resolve().parents[1]
FILE = Path(__file__).parent / "one_business.csv"
# What reads for a request: the lists of the dashboard, and the service's lists and selectors.
CHECKED = (
    *(f"dashboard/lists/{name}.py" for name in ("pages", "query", "totals", "filters", "columns", "view", "exports", "saved")),
    "dashboard/mirror/scopes.py", "service/pagination.py", "service/totals.py", "service/*/selectors.py",
)  # fmt: skip
STATEMENT = re.compile(r"\s*(select|insert|update|delete|with|merge)\b", re.I)
AFTER_A_TABLE = (
    "where|on|set|inner|left|right|full|join|order|group|limit|using|values|for|cross|returning|union|select|having|as|"
    "default|window|offset|except|intersect|when|natural"
)
TABLE = re.compile(
    rf'\b(from|join|update|into|using)\s+(?:only\s+)?"?(\w+)"?(?:\s+(?:as\s+)?(?!(?:{AFTER_A_TABLE})\b)"?([a-z_]\w*)"?)?',
    re.I,
)
LONG_LIST = re.compile(r"\((?:%s, )+%s\)")


class Crossing:
    """What of the statements of a run is not held to one business: from which place, and which table; of each statement
    while `is_looking`."""

    def __init__(self) -> None:
        self.found: set[tuple[str, str]] = set()
        self.is_looking = True

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """An execute wrapper of Django's: looks at the statement, and has it executed."""
        tables = loose(LONG_LIST.sub("(%s)", str(sql))) if self.is_looking else ()
        if tables:
            place = _place()
            if place and any(fnmatch(place, pattern) for pattern in CHECKED):
                self.found |= {(place, table) for table in tables}
        return execute(sql, params, many, context)

    def fresh(self) -> set[tuple[str, str]]:
        """What was found and stands not in the list."""
        return self.found - set(listed())


def _place() -> str:
    """The file of the program that made the statement; "" where it was a test."""
    frame = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(str(ROOT)) and "site-packages" not in name:
            place = Path(name).relative_to(ROOT).as_posix()
            if place.startswith("tests/") and not place.startswith("tests/one_business.py"):
                return ""
            if place.startswith(("dashboard/", "service/")):
                return place
        frame = frame.f_back  # type: ignore[assignment]
    return ""


@lru_cache(maxsize=1)
def columns() -> dict[str, str]:
    """Of each distributed table the column of its business, "" where it has none yet."""
    program = os.environ["DJANGO_SETTINGS_MODULE"].rpartition(".")[2]
    tables = distribution.listed(program)
    return {name: row.column for name, row in tables.items() if row.placement == "distributed"}


@lru_cache(maxsize=20_000)
def loose(sql: str) -> frozenset[str]:
    """The distributed tables of a statement that are not held to one business."""
    if not STATEMENT.match(sql):
        return frozenset()
    tables = [match.groups() for match in TABLE.finditer(sql) if match[2] in columns()]
    return frozenset(table for word, table, alias in tables if not _is_held(sql, word, table, alias or table))


def _is_held(sql: str, word: str, table: str, alias: str) -> bool:
    column = columns()[table]
    if not column:
        return False
    if word.lower() == "into":
        inserted = re.search(rf'into\s+"?{table}"?[^(]*\(([^)]*)\)', sql, re.I)
        return inserted is not None and column in inserted[1].replace('"', "").replace(" ", "").split(",")
    name = rf'"?(?:{re.escape(alias)}|{re.escape(table)})"?\."?{column}"?'
    if re.search(rf"{name}\s*(?:=|in\b)|=\s*\(?{name}", sql, re.I):
        return True
    # Written by hand for a single table, a column needs no table before it.
    return re.search(rf'(?<![."\w])"?{column}"?\s*(?:=|in\b)', sql, re.I) is not None


@lru_cache(maxsize=1)
def listed() -> dict[tuple[str, str], str]:
    """What is known not to be held: the reason, by place and table."""
    with FILE.open(newline="") as file:
        return {(row["place"], row["table"]): row["reason"] for row in csv.DictReader(file)}


def write(found: set[tuple[str, str]]) -> None:
    """Adds what was found to the list, without a reason: that is to be written by hand. Several runs may write at once."""
    with FILE.open("r+", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        known = {(row["place"], row["table"]): row["reason"] for row in csv.DictReader(file)}
        rows = sorted({**dict.fromkeys(found, ""), **known}.items())
        file.seek(0)
        file.truncate()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("place", "table", "reason"))
        writer.writerows((*where, reason) for where, reason in rows)
