"""Bad input gets a clear refusal in the interface's shape that names the field, and changes nothing (decisions B.1)."""

import base64
from typing import Any

import pytest
from django.test import RequestFactory

from service.categories.models import Category
from service.errors import ServiceError
from service.request_body import BODY_LIMIT, UPLOAD_LIMIT, check_body
from tests.service.house import House, code


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("page=0", "page"),
        ("page=-1", "page"),
        ("page=abc", "page"),
        ("page=99999999999999999999", "page"),
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("limit=ten", "limit"),
        ("from=2026-13-01", "from"),
        ("from=2026-02-01&to=2026-01-01", "from"),
        ("status=LOST", "status"),
        ("cursor=zzzz", "cursor"),
        ("updated_since=yesterday", "updated_since"),
        ("accountref=a%00b", "accountref"),
    ],
)
def test_bad_queries_are_400_and_name_the_parameter(house: House, query: str, field: str) -> None:
    answer = house.get(f"/expenses?{query}")
    assert code(answer) == (400, "invalid_parameters")
    assert answer.json()["errors"][0]["field"] == field


@pytest.mark.parametrize(
    "place", ["[" * 5000, "9" * 5000, '["2026-01-01T00:00:00Z","\\ud800"]', '["2026-01-01T00:00:00Z","\\u0000"]', "[1]", "{}"],
    ids=lambda place: place[:30],
)  # fmt: skip
def test_a_cursor_that_no_page_gave_is_400_whatever_it_holds(house: House, place: str) -> None:
    cursor = base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")
    answer = house.get(f"/expenses?cursor={cursor}")
    assert code(answer) == (400, "invalid_parameters")
    assert answer.json()["errors"][0]["field"] == "cursor"


@pytest.mark.parametrize("length", ["²", "x"])
def test_a_length_that_is_no_number_is_read_as_no_body(length: str) -> None:
    request = RequestFactory().post("/v2/categories", b"{}", content_type="application/json")
    request.META["CONTENT_LENGTH"] = length
    check_body(request)


@pytest.mark.parametrize("length", ["1048577", "9" * 16, "9" * 19, "9" * 4300, "9" * 5000, "+99999999", "٩" * 9, "-5"])
@pytest.mark.parametrize("upload", [False, True])
def test_a_length_of_however_many_digits_is_too_large_before_the_body_is_read(length: str, upload: bool) -> None:
    media_type, limit = ("multipart/form-data", UPLOAD_LIMIT) if upload else ("application/json", BODY_LIMIT)
    length = str(UPLOAD_LIMIT + 1) if upload and length == "1048577" else length
    request = RequestFactory().generic("POST", "/v2/categories", b"{}", f"{media_type}; boundary=x")
    request.META["CONTENT_LENGTH"] = length
    with pytest.raises(ServiceError) as refused:
        check_body(request, limit_bytes=limit, media_type=media_type)
    assert (refused.value.status, refused.value.code) == (413, "file_too_large")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": 7}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "Tabs\tinside"}, "name"),
        ({"name": "Fine", "code": "no spaces"}, "code"),
        ({"name": "Fine", "colour": "red"}, "colour"),
        ([], "body"),
    ],
)
def test_bad_bodies_are_422_and_name_the_field(house: House, body: Any, field: str) -> None:
    before = Category.objects.filter(business=house.business).count()
    answer = house.post("/categories", body)
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["field"] == field
    assert Category.objects.filter(business=house.business).count() == before


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"nonsense",
        b'{"name": NaN}',
        b'{"name": "\\u0000"}',
        b'{"name": "\\ud800"}',
        b"\xff\xfe",
        b"[" * 9000,
        b"[" * 450 + b"]" * 450,
    ],
)
def test_unreadable_bodies_are_400(house: House, body: bytes) -> None:
    answer = house.send("POST", "/categories", body)
    assert code(answer) == (400, "malformed_request")


def test_another_content_type_is_415(house: House) -> None:
    answer = house.browser.generic(
        "POST", "/v2/categories", b"name=x", "application/x-www-form-urlencoded",
        headers={"Authorization": f"Bearer {house.token}"},
    )  # fmt: skip
    assert code(answer) == (415, "unsupported_media_type")


def test_a_huge_body_is_413(house: House) -> None:
    assert code(house.post("/categories", {"name": "x" * (1024 * 1024)})) == (413, "file_too_large")


def test_a_refusal_has_every_field_and_echoes_the_request_id(house: House) -> None:
    answer = house.get("/categories/nope", headers={"X-Request-Id": "trace-1"})
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["X-Request-Id"] == "trace-1"
    assert answer.json() == {
        "type": "/errors/not_found",
        "title": "Not found",
        "status": 404,
        "detail": "There is no such category.",
        "instance": "/v2/categories/nope",
        "code": "not_found",
        "errorMessage": "There is no such category.",
        "errors": [],
        "request_id": "trace-1",
        "retryable": False,
    }


@pytest.mark.parametrize("offered", ["", "has spaces", "x" * 200, "line\nbreak"])
def test_a_strange_request_id_is_replaced(house: House, offered: str) -> None:
    answer = house.get("/categories", headers={"X-Request-Id": offered.replace("\n", " ")})
    assert answer["X-Request-Id"].startswith("req_")


def test_unknown_addresses_and_methods_have_the_same_shape(house: House) -> None:
    assert code(house.get("/nowhere")) == (404, "not_found")
    refused = house.send("PATCH", "/categories")
    assert code(refused) == (405, "method_not_allowed")
    assert set(refused["Allow"].split(", ")) == {"GET", "POST"}


def test_a_host_name_that_is_not_ours_is_400(house: House) -> None:
    assert code(house.get("/categories", HTTP_HOST="evil.example")) == (400, "malformed_request")


def test_what_nobody_foresaw_is_a_500_that_tells_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def explode(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr("service.categories.selectors.categories", explode)
    answer = house.get("/categories")
    assert code(answer) == (500, "internal")
    assert "secret" not in answer.content.decode()
