"""What the web server refuses before any view sees it is refused in the interface's shape, and nothing breaks."""

import pytest
import requests


@pytest.mark.parametrize(
    ("path", "headers", "status", "code"),
    [
        ("/v2/expenses?status=" + "x" * 9_000, {}, 414, "uri_too_long"),
        ("/v2/expenses", {"X-Request-Id": "x" * 9_000}, 431, "headers_too_large"),
    ],
)
def test_an_address_or_headers_over_the_limit_are_a_problem(
    service_address: str, path: str, headers: dict[str, str], status: int, code: str
) -> None:
    answer = requests.get(service_address + path, headers=headers, timeout=30)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == code


def test_a_long_address_below_the_limit_reaches_the_view(service_address: str) -> None:
    answer = requests.get(f"{service_address}/v2/expenses?status={'x' * 7_000}", timeout=30)
    assert answer.status_code == 401
