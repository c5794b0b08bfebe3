"""Before its first release the product has no past to migrate: each app begins with one migration."""

import ast
from pathlib import Path

import pytest

from tests.house.sources import nodes_of, tree_of

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("program", ["dashboard", "service"])
def test_each_app_has_one_migration(program: str) -> None:
    apps = sorted((ROOT / program).glob("*/migrations"))
    assert len(apps) > 10
    assert {app.parent.name: sorted(file.name for file in app.glob("0*.py")) for app in apps} == {
        app.parent.name: ["0001_initial.py"] for app in apps
    }


# The index is of a column that refers to a table made after it.
ADDED_LATER = {"service/businesses": 1}


@pytest.mark.parametrize("program", ["dashboard", "service"])
def test_indexes_and_constraints_come_with_their_tables(program: str) -> None:
    """For each operation Django builds nearly all models anew: a new database is made sooner with fewer of them."""
    apps = {f"{program}/{app.parent.name}": app for app in (ROOT / program).glob("*/migrations")}
    added = {
        name: sum(
            isinstance(node, ast.Attribute) and node.attr in {"AddIndex", "AddConstraint"}
            for node in nodes_of(tree_of(app / "0001_initial.py"))
        )
        for name, app in apps.items()
    }
    assert {name: count for name, count in added.items() if count} == {
        name: count for name, count in ADDED_LATER.items() if name in apps
    }
