"""Every line of a request of the service has the caller's request id and trace, and so has its refusal."""

from __future__ import annotations

from unittest import mock

from tests.log_lines import written_lines
from tests.service.house import House

HEADER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
OURS = {"X-Request-Id": "click-1.2", "traceparent": HEADER}


def test_the_line_of_a_request_has_the_callers_ids(house: House) -> None:
    # Fetched before anybody looks: that is a request of its own.
    assert house.token
    with written_lines() as lines:
        answer = house.get("/categories?q=254712345678", headers=OURS)
    [line] = lines.of("request")
    assert answer["X-Request-Id"] == line["request_id"] == "click-1.2"
    assert line["trace_id"] == HEADER.split("-")[1]
    assert (line["method"], line["status"]) == ("GET", 200)
    assert "categories" in line["path"]
    assert "254712345678" not in lines.stream.getvalue()


def test_a_refusal_and_a_failure_have_them_too(house: House) -> None:
    # Fetched before anybody looks: that is a request of its own.
    assert house.token
    with written_lines() as lines:
        refused = house.get("/categories/nope", headers=OURS)
    assert refused.json()["request_id"] == "click-1.2"
    assert {line["request_id"] for line in lines.all()} == {"click-1.2"}
    with mock.patch("service.categories.v2.page_of", side_effect=RuntimeError("ours")), written_lines() as lines:
        failed = house.get("/categories", headers=OURS)
    assert failed.status_code == 500
    assert failed.json()["request_id"] == "click-1.2"
    assert {line["request_id"] for line in lines.all()} == {"click-1.2"}
    assert any("RuntimeError: ours" in line.get("exception", "") for line in lines.all())


def test_who_names_no_trace_begins_one(house: House) -> None:
    # Fetched before anybody looks: that is a request of its own.
    assert house.token
    with written_lines() as lines:
        house.get("/categories")
        house.get("/categories", headers={"traceparent": "strange"})
    first, second = (line["trace_id"] for line in lines.of("request"))
    assert len(first) == len(second) == 32
    assert first != second
