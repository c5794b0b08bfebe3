"""A program names settings of its own alone: the types are looked at with those of both (config/settings/types.py)."""

import ast
from importlib import import_module

import pytest
from django.conf import global_settings

from tests.house.sources import name_of, nodes_of, python_files, tree_of


def names_in(tree: ast.AST) -> set[str]:
    """The settings that a module names: `settings.NAME`, also as text by `getattr(settings, "NAME")`."""
    found = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "settings":
            found.add(node.attr)
        elif isinstance(node, ast.Call) and [ast.unparse(one) for one in (node.func, *node.args[:1])] == [
            "getattr",
            "settings",
        ]:
            found |= {str(one.value) for one in node.args[1:2] if isinstance(one, ast.Constant)}
    return {name for name in found if name.isupper()}


@pytest.mark.parametrize("program", ["dashboard", "service"])
def test_a_program_names_settings_of_its_own_alone(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = import_module(f"config.settings.{program}")
    known = {name for settings in (own, global_settings) for name in dir(settings) if name.isupper()}
    unknown = {
        f"{name_of(file)}: {name}"
        for file in python_files(program, "telemetry")
        for name in names_in(tree_of(file)) - known
    }
    assert unknown == set()


def test_the_rule_finds_what_it_is_for() -> None:
    tree = ast.parse('a = settings.ONE\nb = getattr(settings, "TWO", 0)\nc = settings.lower\nd = other.THREE')
    assert names_in(tree) == {"ONE", "TWO"}
