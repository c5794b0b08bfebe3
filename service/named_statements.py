"""Statements with names for their values: one value stands in many places, and all of them are prepared once per connection
(service/sql.py), which counts places."""

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Any

from service import sql

NAME = re.compile(r"%\((\w+)\)s")


def named_rows(statement: str, values: Mapping[str, str | int | date]) -> list[tuple[Any, ...]]:
    """All rows of a statement, each %(name)s of which is the value of that name; KeyError where there is none."""
    text, names = _by_place(statement)
    return sql.rows(text, [values[name] for name in names])


@lru_cache(maxsize=64)
def _by_place(statement: str) -> tuple[str, tuple[str, ...]]:
    return NAME.sub("%s", statement), tuple(NAME.findall(statement))
