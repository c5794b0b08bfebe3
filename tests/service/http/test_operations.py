"""What is served is what is specified: every operation of the table, as it says, and beside them only marked extensions."""

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from django.urls import resolve

from service.api import v2
from service.auth import EVERYBODY
from service.scopes import SCOPES

TABLE = Path(__file__).resolve().parents[2] / "dashboard" / "data" / "operations.csv"
# Served by their signed address: no token, so no roles.
BY_ADDRESS = {("GET", "/expenses/export-receipts/download/{}")}


def shape(path: str) -> str:
    return re.sub(r"{[^}]*}", "{}", path)


def specified() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return [row for row in csv.DictReader(lines) if row["version"] == "v2"]


ROWS = {(row["method"], shape(row["path"])): row for row in specified()}
SERVED: dict[tuple[str, str], Any] = {
    (method.upper(), shape(path)): operation
    for path, methods in v2.get_openapi_schema()["paths"].items()
    for method, operation in methods.items()
}
NAMES = [f"{method} {path}" for method, path in ROWS]


def test_the_table_has_191_rows_of_v2() -> None:
    assert len(ROWS) == len(specified()) == 191


@pytest.mark.parametrize("place", ROWS, ids=NAMES)
def test_the_row_is_served_with_its_roles_entitlement_and_grant(place: tuple[str, str]) -> None:
    row, operation = ROWS[place], SERVED[place]
    assert operation["x-roles"] == sorted(row["roles"].split())
    assert operation["x-private-label"] == (row["entitlement"] == "private label")
    assert operation.get("x-grant", "") == row["grant"]
    assert "x-extension" not in operation


def test_what_the_table_does_not_name_is_marked_as_an_extension() -> None:
    more = {place: operation for place, operation in SERVED.items() if place not in ROWS}
    assert [place for place, operation in more.items() if operation.get("x-extension") is not True] == []


def test_every_operation_needs_one_known_scope_and_names_its_roles() -> None:
    for place, operation in SERVED.items():
        if place in BY_ADDRESS:
            assert "security" not in operation
            continue
        [scopes] = [each["oauth2ClientCredentials"] for each in operation["security"]]
        assert len(scopes) == 1, place
        assert set(scopes) <= set(SCOPES), place
        assert operation["x-roles"], place
        assert set(operation["x-roles"]) <= EVERYBODY, place


def test_each_address_leads_to_its_own_function() -> None:
    """Static paths stand before parameters: /cards/business is not the card called "business"."""
    for _, path in SERVED:
        found = resolve("/v2" + path.replace("{}", "x" * 8))
        assert re.sub(r"<[^>]*>", "{}", f"/{found.route.removeprefix('v2/')}") == path
