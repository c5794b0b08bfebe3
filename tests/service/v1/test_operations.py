"""Every row of the old interface in operations.csv is served, each by a function of its own."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import resolve

from service.api import v1
from tests.service.house import House

TABLE = Path(__file__).resolve().parents[2] / "dashboard" / "data" / "operations.csv"


def rows() -> list[tuple[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return [(row["method"], row["path"]) for row in csv.DictReader(lines) if row["version"] == "v1"]


ROWS = rows()


def functions() -> dict[tuple[str, str], Callable[..., Any]]:
    """The function behind each method and address, parameters left empty."""
    found = {}
    for prefix, router in v1._routers:
        for path, view in router.path_operations.items():
            for operation in view.operations:
                for method in operation.methods:
                    address = re.sub(r"{[^}]*}", "{}", prefix + path)
                    found[method, address] = operation.view_func
    return found


SERVED = functions()


def test_there_are_26_rows() -> None:
    assert len(ROWS) == 26


@pytest.mark.parametrize(("method", "path"), ROWS, ids=[f"{method} {path}" for method, path in ROWS])
def test_the_row_is_served_where_it_stands(method: str, path: str) -> None:
    shape = re.sub(r"{[^}]*}", "{}", path)
    assert (method, shape) in SERVED
    found = resolve("/v1" + re.sub(r"{[^}]*}", "x" * 8, path))
    route = re.sub(r"<[^>]*>|{[^}]*}", "{}", f"/{found.route.removeprefix('v1/')}")
    assert route == shape, "a parameter of another address stands in the way"


def test_no_two_rows_share_a_function_and_nothing_more_is_served() -> None:
    expected = {(method, re.sub(r"{[^}]*}", "{}", path)) for method, path in ROWS}
    assert set(SERVED) == expected
    assert len({SERVED[each] for each in expected}) == len(ROWS)


@pytest.mark.parametrize(("method", "path"), ROWS, ids=[f"{method} {path}" for method, path in ROWS])
def test_without_a_live_key_nothing_is_answered(house: House, method: str, path: str) -> None:
    address = re.sub(r"{[^}]*}", "0" * 24, path)
    for key in ("", "ak_unknown"):
        answer = house.v1(method, address, {} if method in ("POST", "PUT") else None, key=key)
        assert answer.status_code == 401
        assert set(answer.json()) == {"errorMessage", "status"}
