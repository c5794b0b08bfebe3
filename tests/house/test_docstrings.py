"""Public classes and functions say what they are: how many say nothing, or as good as nothing, only goes down."""

import ast
from collections.abc import Iterator

import pytest

from tests.house.sources import name_of, python_files, tree_of

# Too short to name what comes in, what comes out and in which unit: "What is sent.", "How far it is."
SHORTEST = 26
# Where there are fewer, write the new number.
MOST_SHORT = {"dashboard": 0, "service": 0, "config": 0, "telemetry": 0}
MOST_WITHOUT = {"dashboard": 0, "service": 0, "config": 0, "telemetry": 0}


def is_djangos(node: ast.AST) -> bool:
    """Whether Django asks for it, and its name says all: the options of a model, and the name and label of an app."""
    return isinstance(node, ast.ClassDef) and (
        node.name == "Meta" or any(ast.unparse(base) == "AppConfig" for base in node.bases)
    )


def public_in(body: list[ast.stmt], within: str = "") -> Iterator[tuple[str, str | None]]:
    """The public functions and classes of a module and of its public classes: dotted name and docstring."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            if not is_djangos(node):
                yield f"{within}{node.name}", ast.get_docstring(node)
            if isinstance(node, ast.ClassDef):
                yield from public_in(node.body, f"{within}{node.name}.")


def docstrings_of(program: str) -> dict[str, str | None]:
    """The docstrings of a program by their place, "dashboard/a.py::Name"; None where there is none."""
    return {
        f"{name_of(file)}::{name}": text
        for file in python_files(program)
        for name, text in public_in(tree_of(file).body)
    }


@pytest.mark.parametrize("program", sorted(MOST_SHORT))
def test_no_more_say_nothing_than_did(program: str) -> None:
    texts = docstrings_of(program)
    short = sorted(place for place, text in texts.items() if text is not None and len(text) < SHORTEST)
    without = sorted(place for place, text in texts.items() if text is None)
    assert len(texts) > (1000 if program in {"dashboard", "service"} else 25)
    assert len(short) <= MOST_SHORT[program], short
    assert len(without) <= MOST_WITHOUT[program], without


def test_nested_and_private_ones_are_told_apart() -> None:
    text = """
class Row:
    'A row of the sheet.'
    def total(self): ...
    def _sum(self): ...
    class Meta:
        ordering = ["day"]
class _Own:
    def total(self): ...
class RowsConfig(AppConfig):
    def ready(self): ...
def rows(): 'All rows of the sheet that are not deleted.'
"""
    assert dict(public_in(ast.parse(text).body)) == {
        "Row": "A row of the sheet.", "Row.total": None, "RowsConfig.ready": None,
        "rows": "All rows of the sheet that are not deleted.",
    }  # fmt: skip
