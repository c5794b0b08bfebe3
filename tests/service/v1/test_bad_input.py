"""Whatever is sent to the old interface, it is answered in its own shape and never with a 500."""

import csv
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.service.house import House

TABLE = Path(__file__).resolve().parents[2] / "dashboard" / "data" / "operations.csv"
with TABLE.open(encoding="utf-8", newline="") as lines:
    ROWS = [(row["method"], row["path"]) for row in csv.DictReader(lines) if row["version"] == "v1"]

IDS = ["0" * 24, "x", "%00", "%ff", "..%2f", "9" * 400]
QUERIES = [
    "page=9223372036854775808&limit=1e3",
    "page=1&page=2&limit=1000",
    "page=1000000000&limit=1000",
    "employee_id=%00&org_wallet_ref=%00",
    "employee_id=" + "0" * 24 + "&org_wallet_ref=" + "9" * 40,
    "fromDate=9999-12-31&toDate=9999-12-31",
    "fromDate=0001-01-01&todate=0001-01-01",
    "fromDate=2024-02-30",
    "fromDate=2024-03-01&toDate=2024-02-01",
]
BODIES: list[Any] = [
    None, {}, [], [[]], "text", 1, {"amount": 10**400}, {"amount": -0.0, "employee_id": None},
    {"amount": 5, "employee_id": "0" * 24, "org_wallet_ref": "9" * 40}, {"name": None}, {"name": "x" * 10**4},
    {"amount": "NaN", "currency": "KES"}, {"amount": True, "currency": []}, {"reviewers": [{"employee_id": "x"}]},
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), ROWS, ids=[f"{method} {path}" for method, path in ROWS])
def test_bad_input_is_refused_in_the_old_shape(house: House, method: str, path: str) -> None:
    ids = IDS if "{" in path else [""]
    bodies = [None] if method in ("GET", "DELETE") else BODIES
    queries = ["", *QUERIES] if method in ("GET", "DELETE", "PATCH") else [""]
    for each, query, body in itertools.product(ids, queries, bodies):
        address = re.sub(r"{[^}]*}", each, path) + (f"?{query}" if query else "")
        answer = house.v1(method, address, None if body is None else json.dumps(body))
        assert answer.status_code < 500, (address, body, answer.content)
        if answer.status_code >= 400:
            assert set(answer.json()) == {"errorMessage", "status"}, (address, body)
            assert answer.json()["status"] == answer.status_code


def test_a_body_that_is_no_json_or_too_large_is_refused(house: House) -> None:
    headers = {"x-api-key": house.opened.api_key}
    for data, kind, status in (
        (b"{", "application/json", 400),
        (b'{"name": "\\u0000"}', "application/json", 400),
        (b"a=1", "application/x-www-form-urlencoded", 415),
        (b'"' + b"x" * (1024 * 1024) + b'"', "application/json", 413),
    ):
        answer = house.browser.post("/v1/teams", data, content_type=kind, headers=headers)
        assert (answer.status_code, set(answer.json())) == (status, {"errorMessage", "status"})
