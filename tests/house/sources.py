"""The sources of the programs and of the tests: each file is read, taken apart and walked through once for all rules."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def python_files(*folders: str) -> Iterator[Path]:
    """The modules of folders, given from the root, in the order of their names; migrations are written by Django."""
    for folder in folders:
        for file in _all_in(folder):
            if "migrations" not in file.parts:
                yield file


@cache
def _all_in(folder: str) -> tuple[Path, ...]:
    return tuple(sorted((ROOT / folder).rglob("*.py")))


def name_of(file: Path) -> str:
    """Its path from the root."""
    return str(file.relative_to(ROOT))


@cache
def tree_of(file: Path) -> ast.Module:
    """What a file says. Read once for all rules: to parse the two programs takes longer than any of them."""
    return ast.parse(file.read_text(encoding="utf-8"), filename=str(file))


@cache
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a tree, as `ast.walk` gives them. Walked once for all rules, which look at a million nodes each."""
    return tuple(ast.walk(tree))


@cache
def imports_of(file: Path) -> frozenset[str]:
    """The modules that a file imports, and what it imports of them, with the module in front."""
    found = set()
    for node in nodes_of(tree_of(file)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def root_of(function: ast.expr) -> str:
    """The name that an attribute begins with: of `log.info` and `log.bind(a).info` that is `log`."""
    while isinstance(function, ast.Attribute | ast.Call | ast.Subscript):
        function = function.func if isinstance(function, ast.Call) else function.value
    return function.id if isinstance(function, ast.Name) else ""
