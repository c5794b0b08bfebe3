"""The list of what the daily run takes in part names tests that there are, in the order of their names, each once."""

import ast
import csv
from functools import cache
from pathlib import Path

from tests.house.sources import nodes_of, tree_of

ROOT = Path(__file__).parent.parent.parent
ROWS = list(csv.DictReader((ROOT / "tests" / "daily_cases.csv").read_text().splitlines()))


@cache
def functions_in(file: Path) -> set[str]:
    return {node.name for node in nodes_of(tree_of(file)) if isinstance(node, ast.FunctionDef)}


def test_each_row_names_a_test_that_there_is() -> None:
    gone = []
    for row in ROWS:
        path, _, name = row["test"].partition("::")
        if not (ROOT / path).exists() or name not in functions_in(ROOT / path):
            gone.append(row["test"])
    assert gone == []


def test_each_stands_there_once_in_the_order_of_names() -> None:
    names = [row["test"] for row in ROWS]
    assert names == sorted(set(names))


def test_a_test_that_is_left_out_whole_says_why() -> None:
    silent = [row["test"] for row in ROWS if row["cases"] == "0" and not row["why"]]
    assert silent == []
