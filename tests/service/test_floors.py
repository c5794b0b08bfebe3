"""The floors of the service say every router; what import-linter cannot see, tests/house/test_floors.py does."""

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
    ours = [each for each in contracts if each["name"].startswith("Service: ")]
    [protected] = [each["protected_modules"] for each in ours if each["type"] == "protected"]
    routers = [
        ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for file in MODULES
        if "router = Router(" in file.read_text()
    ]
    assert len(routers) > 30
    for router in routers:
        area, version = router.split(".")[1:]
        assert {router, f"service.*.{version}"} & set(protected), f"{area}/{version} may be imported from anywhere"
