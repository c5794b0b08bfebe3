"""Every operation that is served has the roles and the entitlement of the specification, and a function of its own."""

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from django.urls import resolve

from service.api import v2

TABLE = Path(__file__).resolve().parents[2] / "dashboard" / "data" / "operations.csv"
WHOLE_AREAS = {
    "Approvals",
    "Bills",
    "Business policies",
    "Expenses",
    "Roles and permissions",
    "Subscriptions",
    "Taxes",
    "Vendors",
    "Wallet policies",
}


def shape(path: str) -> str:
    return re.sub(r"{[^}]*}", "{}", path)


def specified() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return [row for row in csv.DictReader(lines) if row["version"] == "v2"]


SERVED: dict[tuple[str, str], Any] = {
    (method.upper(), shape(path.removeprefix("/v2"))): operation
    for path, methods in v2.get_openapi_schema()["paths"].items()
    for method, operation in methods.items()
}
ROWS = [row for row in specified() if (row["method"], shape(row["path"])) in SERVED]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['method']} {row['path']}" for row in ROWS])
def test_roles_and_entitlement_are_those_of_the_specification(row: dict[str, str]) -> None:
    operation = SERVED[row["method"], shape(row["path"])]
    assert operation["x-roles"] == sorted(row["roles"].split())
    assert operation["x-private-label"] == (row["entitlement"] == "private label")
    assert operation.get("x-grant", "") == row["grant"]


def test_these_areas_are_whole() -> None:
    missing = [
        f"{row['method']} {row['path']}"
        for row in specified()
        if row["area"] in WHOLE_AREAS and (row["method"], shape(row["path"])) not in SERVED
    ]
    assert missing == []


def test_each_address_leads_to_its_own_function() -> None:
    """Static paths stand before parameters: /cards/business is not the card called "business"."""
    for row in ROWS:
        path = re.sub(r"{[^}]*}", "x" * 8, row["path"])
        found = resolve(f"/v2{path}")
        assert shape(f"/{found.route.removeprefix('v2/')}".replace("<", "{").replace(">", "}")) == shape(row["path"])
