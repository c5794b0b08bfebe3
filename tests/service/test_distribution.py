"""The tables of the service lie by business, or are named with the reason why not; keys without it only become fewer."""

from __future__ import annotations

import os

import pytest

from tests import distribution

PROGRAM = "service"
# Keys that a distribution by business would have to change: a number that goes down and never up (docs/scale.md).
MOST_SHORT_KEYS = 128


@pytest.fixture
def tables(db: None) -> dict[str, distribution.Table]:
    if os.environ.get("WRITE_DISTRIBUTION"):
        distribution.write(PROGRAM)
    return distribution.as_they_are(PROGRAM)


def test_each_table_stands_in_the_list_as_it_is(tables: dict[str, distribution.Table]) -> None:
    assert distribution.listed(PROGRAM) == tables


def test_a_distributed_table_has_the_business_or_leads_to_it(tables: dict[str, distribution.Table]) -> None:
    assert distribution.without_business(tables) == []


def test_what_is_not_distributed_has_its_reason(tables: dict[str, distribution.Table]) -> None:
    assert distribution.without_reason(tables) == []


def test_keys_without_the_business_become_fewer(tables: dict[str, distribution.Table]) -> None:
    assert distribution.short_keys(tables) == MOST_SHORT_KEYS
