"""The tables of the dashboard lie by business, or are named with the reason why not; keys without it only become fewer."""

from __future__ import annotations

import os

import pytest
from django.apps import apps

from dashboard.mirror.models import Mirrored
from tests import distribution

PROGRAM = "dashboard"
# Keys that a distribution by business would have to change: a number that goes down and never up (docs/scale.md). Beside them
# the id that all copies have from `Mirrored`, declared and changed in one place: a copy more is no key more.
MOST_SHORT_KEYS = 107


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
    copies = {model._meta.db_table for model in apps.get_models() if issubclass(model, Mirrored)}
    inherited = {name for name, table in tables.items() if table.table in copies and table.short == ["id"]}
    assert len(inherited) > 15
    own = {name: table for name, table in tables.items() if name not in inherited}
    assert distribution.short_keys(own) == MOST_SHORT_KEYS
