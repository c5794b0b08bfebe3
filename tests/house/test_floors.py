"""What import-linter cannot see of the floors: imports inside functions or by a name, keys of tables, and the page of them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.floors import PAGE, PROGRAMS, ROOT, arrows_of, contracts, floors_of, page_with_floors
from tests.house.sources import imports_of, name_of, nodes_of, python_files, tree_of

WITH_FLOORS = [program for program in PROGRAMS if floors_of(program) is not None]
BY_NAME = {"import_module", "__import__", "import_string", "get_model"}


def imports_within(tree: ast.AST) -> Iterator[ast.stmt]:
    """The imports that stand inside a function."""
    for function in nodes_of(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (one for one in ast.walk(function) if isinstance(one, ast.Import | ast.ImportFrom))


def is_of(program: str, statement: ast.stmt) -> bool:
    """Whether an import is of a program's own modules."""
    if isinstance(statement, ast.ImportFrom):
        return statement.level > 0 or (statement.module or "").split(".")[0] == program
    return isinstance(statement, ast.Import) and any(name.name.split(".")[0] == program for name in statement.names)


def is_registration(file: Path, tree: ast.AST) -> bool:
    """Whether all that a file imports inside functions, it imports in `ready()` of an app: tables are there by then."""
    ready = [one for one in nodes_of(tree) if isinstance(one, ast.FunctionDef) and one.name == "ready"]
    inside = {id(one) for function in ready for one in imports_within(function)}
    return file.name == "apps.py" and all(id(one) in inside for one in imports_within(tree))


@pytest.mark.parametrize("program", PROGRAMS)
def test_no_function_imports_anything_of_ours_but_the_registrations_of_an_app(program: str) -> None:
    # A heavy library may be loaded by the function that needs it: no floor is passed by that.
    guilty = {
        f"{name_of(file)}:{one.lineno}"
        for file in python_files(program)
        if not is_registration(file, tree := tree_of(file))
        for one in imports_within(tree)
        if is_of(program, one)
    }
    assert not guilty


@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_is_imported_for_its_types_alone_or_by_a_written_name(program: str) -> None:
    guilty = set()
    for file in python_files(program):
        for node in nodes_of(tree_of(file)):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                inside = (one for each in node.body for one in ast.walk(each) if isinstance(one, ast.ImportFrom))
                guilty |= {name_of(file) for one in inside if (one.module or "").split(".")[0] == program}
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in BY_NAME:
                written = (each.value for each in node.args if isinstance(each, ast.Constant))
                guilty |= {f"{name_of(file)}:{node.lineno}" for each in written if str(each).startswith(program)}
    assert not guilty


def test_an_import_in_a_function_would_be_found() -> None:
    tree = ast.parse("def ready():\n    import a\n\ndef other():\n    from b import c\n")
    assert len(list(imports_within(tree))) == 2
    assert not is_registration(Path("apps.py"), tree)
    assert not is_registration(Path("views.py"), ast.parse("def ready():\n    import a\n"))
    assert is_registration(Path("apps.py"), ast.parse("class A:\n    def ready(self):\n        import a\n"))


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_app_is_imported_by_nobody(program: str) -> None:
    """apps.py may import from any floor below its area because no module stands on it."""
    assert not {
        f"{name_of(file)}: {one}"
        for file in python_files(program)
        for one in imports_of(file)
        if one.startswith(f"{program}.") and "apps" in one.split(".")
    }


@pytest.mark.parametrize("program", WITH_FLOORS)
def test_no_table_has_a_key_to_a_table_of_a_higher_floor(program: str) -> None:
    floors, guilty = floors_of(program), set()
    assert floors is not None
    key = re.compile(r"""(?:ForeignKey|OneToOneField|ManyToManyField)\(\s*["'](\w+)\.\w+["']""")
    for file in python_files(program):
        here = floors.of(file.relative_to(ROOT / program).parts[0].removesuffix(".py"))
        for app in key.findall(file.read_text()):
            there = floors.of(app)
            if here is not None and there is not None and there > here:
                guilty.add(f"{name_of(file)}: {app}")
    assert not guilty


@pytest.mark.parametrize("program", WITH_FLOORS)
def test_no_arrow_goes_up_and_every_package_has_a_floor(program: str) -> None:
    floors = floors_of(program)
    assert floors is not None
    arrows = arrows_of(program)
    assert [name for name in arrows if floors.of(name) is None] == []
    up = {
        f"{here} → {there}"
        for here, found in arrows.items()
        for there in found
        if (floors.of(there) or 0) > (floors.of(here) or 0)
    }
    assert not up


def test_no_contract_looks_away() -> None:
    assert not [one["name"] for one in contracts() if one.get("ignore_imports") or one.get("exhaustive_ignores")]


def test_the_page_of_the_floors_is_up_to_date() -> None:
    assert WITH_FLOORS
    assert PAGE.read_text(encoding="utf-8") == page_with_floors(), "python -m tests.house.floors writes it anew"
