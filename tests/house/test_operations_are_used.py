"""Every operation of the interface is named outside the table: what is named nowhere else, no page can reach."""

import ast
import re
from functools import cache
from pathlib import Path

from tests.house.sources import ROOT, nodes_of, tree_of

DASHBOARD = ROOT / "dashboard"
# The tables themselves: a row there says what may be done, not that anything does it.
TABLES = {
    "operations.py", "operations_accounting.py", "operations_extra.py", "operations_pages.py", "operations_payables.py",
}  # fmt: skip
PUBLISHED = 191


def operations_of(table: Path) -> set[str]:
    """The names of the operations that a table declares."""
    return {
        target.id
        for node in tree_of(table).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if isinstance(node.value.func, ast.Name) and node.value.func.id == "Operation"
        for target in node.targets
        if isinstance(target, ast.Name)
    }


@cache
def named_in_code(dashboard: Path) -> frozenset[str]:
    """The names that the modules below a folder use, but for the tables."""
    names: set[str] = set()
    for module in dashboard.rglob("*.py"):
        if module.name in TABLES or "__pycache__" in module.parts:
            continue
        for node in nodes_of(tree_of(module)):
            if isinstance(node, ast.Attribute):
                names.add(node.attr)
            elif isinstance(node, ast.Name):
                names.add(node.id)
    return frozenset(names)


def named_in_templates(templates: Path) -> set[str]:
    """The operations that templates ask the gate about, `{% can "approve_expense" … %}`, as the table spells them."""
    text = "\n".join(page.read_text() for page in templates.rglob("*.html"))
    return {name.upper() for name in re.findall(r"""\{%\s*can(?:_open)?\s+["']([a-z0-9_]+)["']""", text)}


def test_every_operation_is_named_outside_the_table() -> None:
    operations = operations_of(DASHBOARD / "operations.py")
    assert len(operations) == PUBLISHED
    assert operations - named_in_code(DASHBOARD) - named_in_templates(ROOT / "templates") == set()


def test_one_that_is_named_in_the_table_alone_is_seen(tmp_path: Path) -> None:
    (tmp_path / "operations.py").write_text("READ_X = Operation('X')\nREAD_Y = Operation('Y')\n")
    (tmp_path / "operations_pages.py").write_text("PAGE = Page((operations.READ_Y,))\n")
    (tmp_path / "views.py").write_text('"""READ_Y"""\n# operations.READ_Y\nread(operations.READ_X)\n')
    assert operations_of(tmp_path / "operations.py") - named_in_code(tmp_path) == {"READ_Y"}
