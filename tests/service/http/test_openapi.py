"""The OpenAPI document: served, checked in, and true to operations.csv."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from service.api import v2
from tests.service.house import House

FILE = Path(__file__).resolve().parents[3] / "service" / "openapi.json"
DOCUMENT: dict[str, Any] = json.loads(json.dumps(v2.get_openapi_schema(), default=str))
OPERATIONS = [
    (method, path, operation) for path, methods in DOCUMENT["paths"].items() for method, operation in methods.items()
]
NAMES = [f"{method} {path}" for method, path, _ in OPERATIONS]


def test_the_checked_in_document_is_what_the_code_says() -> None:
    call_command("export_openapi", check=True)
    assert json.loads(FILE.read_text()) == DOCUMENT


def test_it_is_served_with_a_docs_page_of_our_own_files(house: House) -> None:
    assert house.browser.get("/v2/openapi.json").json()["info"]["version"] == "2.0.0"
    page = house.browser.get("/v2/docs").content.decode()
    assert "/static/ninja/swagger-ui" in page
    assert "https://" not in page
    assert house.browser.get("/static/ninja/swagger-ui-bundle.js").status_code == 200


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=NAMES)
def test_each_operation_says_what_it_needs_and_what_it_may_answer(
    method: str, path: str, operation: dict[str, Any]
) -> None:
    if path.endswith("/export-receipts/download/{token}"):
        return  # its signed address is its permission
    assert operation["security"][0]["oauth2ClientCredentials"]
    assert {"400", "401", "403", "429"} <= set(operation["responses"])
    assert any(status.startswith("2") for status in operation["responses"])
    assert operation["summary"]
    assert set(operation["x-roles"]) <= {"CARD_USER", "REVIEWER", "APPROVER", "ADMIN", "SUPER_ADMIN"}


def test_names_are_unique() -> None:
    names = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(names) == len(set(names))
