"""The floors of the service say every router, and nothing hides an import from import-linter, which keeps them."""

import ast
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(file for file in (ROOT / "service").rglob("*.py") if "migrations" not in file.parts)


@pytest.fixture(scope="module")
def contracts() -> list[dict[str, Any]]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]


def test_every_router_is_protected(contracts: list[dict[str, Any]]) -> None:
    [protected] = [each["protected_modules"] for each in contracts if each["type"] == "protected"]
    routers = [
        ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for file in MODULES
        if "router = Router(" in file.read_text()
    ]
    assert len(routers) > 30
    for router in routers:
        area, version = router.split(".")[1:]
        assert {router, f"service.*.{version}"} & set(protected), f"{area}/{version} may be imported from anywhere"


def test_no_import_is_let_off_the_contracts(contracts: list[dict[str, Any]]) -> None:
    service = [each for each in contracts if each["name"].startswith("Service: ")]
    assert {each["type"] for each in service} == {"layers", "protected", "forbidden", "acyclic_siblings"}
    assert not [each for each in service if each.get("ignore_imports") or each.get("exhaustive_ignores")]
    assert [each["exhaustive"] for each in service if each["type"] == "layers"] == [True]


def test_only_an_app_that_is_loaded_imports_inside_a_function() -> None:
    """AppConfig.ready() registers: models cannot be imported before it. Nobody else has a reason to import late."""
    for file in MODULES:
        for function in ast.walk(ast.parse(file.read_text())):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            late = [each for each in ast.walk(function) if isinstance(each, ast.Import | ast.ImportFrom)]
            ready = file.name == "apps.py" and function.name == "ready"
            assert ready or not late, f"{file.relative_to(ROOT)}:{function.lineno} imports inside {function.name}()"


def test_nothing_is_imported_by_name_at_run_time() -> None:
    """What is looked up by a text is an arrow that import-linter does not see."""
    hiding = ("import_module", "import_string", "__import__", "get_model")
    for file in MODULES:
        names = {each.id for each in ast.walk(ast.parse(file.read_text())) if isinstance(each, ast.Name)}
        names |= {each.attr for each in ast.walk(ast.parse(file.read_text())) if isinstance(each, ast.Attribute)}
        assert not names & set(hiding), file


def test_types_make_no_arrow_of_their_own() -> None:
    """An import for types alone is left out by import-linter: none of them is of the service."""
    for file in MODULES:
        for branch in ast.walk(ast.parse(file.read_text())):
            if isinstance(branch, ast.If) and "TYPE_CHECKING" in ast.unparse(branch.test):
                assert "from service" not in ast.unparse(branch), file


def test_an_app_is_imported_by_nobody() -> None:
    """apps.py may import from any floor below its area because no module stands on it."""
    for file in MODULES:
        for each in ast.walk(ast.parse(file.read_text())):
            if isinstance(each, ast.ImportFrom) and (each.module or "").startswith("service"):
                assert not each.module.endswith(".apps"), file
                assert "apps" not in {name.name for name in each.names}, file
