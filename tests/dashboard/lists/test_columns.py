"""A column says every field of the row that it reads: a list reads from the database what its shown columns say, no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

import pytest

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.lists.columns import Column
from dashboard.lists.registry import REGISTRY

LISTS = [listed.declared for listed in REGISTRY.values() if listed.declared is not None]
COLUMNS = [(of.name, column) for of in LISTS for column in of.columns]
# What a field may hold: whichever branch a column goes into, it reads by names.
VALUES: tuple[Any, ...] = (
    "",
    "PENDING",
    0,
    70,
    None,
    True,
    date(2026, 11, 20),
    datetime(2026, 11, 20, tzinfo=UTC),
    [],
    {},
)


class Recorder(Mapping[str, Any]):
    """A row that holds one value in every field, and notes which are read."""

    def __init__(self, value: Any) -> None:
        self.value, self.names = value, set[str]()

    def __getitem__(self, name: str) -> Any:
        self.names.add(name)
        return "KES" if name == "currency" else self.value

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def read_by(column: Column) -> set[str]:
    """The fields that a column reads, whatever is in them."""
    actor = Actor(user=None, business=Business(pk=1), role=Role.ADMIN, employee_id="e-1")
    names = set()
    for value in VALUES:
        row = Recorder(value)
        # Where it fails, that is no value that this field ever holds.
        with suppress(TypeError, ValueError, AttributeError, KeyError):
            column.cell(row, actor)
        names |= row.names
    return names


@pytest.mark.parametrize(("of", "column"), COLUMNS, ids=[f"{of}-{column.name}" for of, column in COLUMNS])
def test_a_column_names_all_that_it_reads(of: str, column: Column) -> None:
    assert read_by(column) - {column.field, *column.needs} == set()
    assert read_by(column)


def test_one_that_does_not_is_seen() -> None:
    column = Column("a", "A", "a", render=lambda row, _: row["a"] and row["b"])
    assert read_by(column) == {"a", "b"}


def test_what_is_not_shown_is_not_read() -> None:
    for of in LISTS:
        fields = of.fields(of.columns[:1], of.sorts[of.sort.lstrip("-")])
        assert {of.columns[0].field, *of.columns[0].needs} <= set(fields)
        unseen = {column.field for column in of.columns[1:]} - {*of.columns[0].needs, *of.seen}
        assert not unseen & set(fields) - {of.columns[0].field, of.sorts[of.sort.lstrip("-")], of.item_id, "pk"}
