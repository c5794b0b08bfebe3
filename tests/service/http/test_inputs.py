"""Every number, text and day that any operation takes is of a type of service/inputs.py; and what those types refuse."""

import json
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from annotated_types import GroupedMetadata
from ninja.operation import Operation
from pydantic import StringConstraints, TypeAdapter, ValidationError

from service import inputs
from tests.service.house import House
from tests.service.http.operation_fields import ALL, Field, fields, is_closed
from tests.service.http.test_openapi import DOCUMENTS

NAMES = [f"{method} {path}" for method, path, _ in ALL]


@pytest.mark.parametrize(("method", "path", "operation"), ALL, ids=NAMES)
def test_every_field_is_of_a_type_that_is_checked(method: str, path: str, operation: Operation) -> None:
    """Path parameters are looked up and nothing else: the middleware refuses what is no text there."""
    forgotten = [
        (source, name)
        for source in ("body", "query", "form", "header")
        for name, kind in fields(operation, source)
        if kind is None
    ]
    assert forgotten == []


def test_there_is_something_to_check() -> None:
    kinds = [kind for _, _, operation in ALL for source in ("body", "query") for _, kind in fields(operation, source)]
    for kind, least in (("number", 100), ("text", 80), ("day", 50), ("moment", 20), ("code", 150)):
        assert kinds.count(kind) > least, kind


@pytest.mark.parametrize(
    ("pattern", "closed"),
    [("^[A-Z]{3}$", True), (r"^\d+$", False), ("^[^x]+$", False), ("^.*$", False), ("[A-Z]", False), ("^é$", False)],
)
def test_the_proof_of_a_pattern_is_one(pattern: str, closed: bool) -> None:
    assert is_closed(pattern) is closed


class Raw(str):
    """A piece of JSON as it is to be sent."""


NUMBERS = (
    True, "1_000", Raw("1e3"), Raw("1.5E+2"), "1e3", "٣٤", "１２", " 5", "5 ", "+5", "1,5", "", "0x1F", "NaN", "Infinity",
    ".5", "5.", "--5", "5\n", 10**15, "1000000000000000", Raw("123456789012345678901234567890"), [], {},
)  # fmt: skip
TEXTS = ("a\x07b", "a\x1bb", "a\x7fb", "a\x85b", "a\u2028b", 5, True, [], {})
CODES = ("\u0663", "A\n", "\uff11", "\x07", 5, True, [], {})
DAYS = (
    "2026-3-1", "20260301", "2026-03-01T00:00:00Z", "2026-W09-7", "2026-060", " 2026-03-01", "２０２６-03-01", "01/03/2026",
    1772323200, "1772323200", True, "", "2026-02-30",
)  # fmt: skip
MOMENTS = (
    "2026-03-01", "2026-03-01 09:00:00Z", "2026-03-01T09:00:00", 1772323200, "1772323200", True, "2026-03-01T09:00:00+3",
    "２０２６-03-01T09:00:00Z", "", "2026-03-01T25:00:00Z", "0001-01-01T00:00:00+14:00", "1969-12-31T23:59:59Z",
    "9999-12-31T23:59:59-14:00",
)  # fmt: skip
WRONG: dict[str, tuple[Any, ...]] = {"number": NUMBERS, "text": TEXTS, "code": CODES, "day": DAYS, "moment": MOMENTS}


def put(body: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """The body with a value at that place."""
    if not path:
        return value
    first, rest = path[0], path[1:]
    if first == 0:
        return [put(body[0] if isinstance(body, list) and body else {}, rest, value)]
    return {**(body if isinstance(body, dict) else {}), first: put((body or {}).get(first), rest, value)}


def encode(value: Any) -> str:
    """JSON, with what is Raw as it is."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)}: {encode(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(encode(each) for each in value) + "]"
    return json.dumps(value)


def send(house: House, method: str, path: str, body: str | None, query: str = "") -> Any:
    headers = {"x-api-key": house.opened.api_key}
    if path.startswith("/v2"):
        headers = {
            "Authorization": f"Bearer {house.token}",
            "business-id": house.business.id,
            "Idempotency-Key": uuid4().hex,
            "X-Acting-Employee": house.person(asker(method, path)).id,
        }
    content = {"data": body, "content_type": "application/json"} if body is not None else {}
    address = "/".join("0" * 24 if part.startswith("{") else part for part in path.split("/"))
    return house.browser.generic(method, address + query, headers=headers, **content)


def said(answer: Any) -> set[str]:
    """The fields that a refusal names: v1 has one sentence of them."""
    body = answer.json()
    if "errors" in body:
        return {each["field"] for each in body["errors"]}
    return {part.partition(":")[0].strip() for part in body["errorMessage"].split(";")}


def with_body() -> list[tuple[str, str, list[Field]]]:
    found = []
    for method, path, operation in ALL:
        known = [Field(name, kind) for name, kind in fields(operation, "body") if kind and name]
        if known:
            found.append((method, path, list(dict.fromkeys(known))))
    return found


BODIES = with_body()
# Who of the house has each role. An operation is asked by the first of them whose role it names: a refusal for who asks
# would say nothing of what was asked.
PEOPLE = {"APPROVER": "Apollo", "ADMIN": "Ada", "SUPER_ADMIN": "Sam", "REVIEWER": "Rita", "CARD_USER": "Carla"}
OF_V2 = DOCUMENTS["v2"]["paths"]


def asker(method: str, path: str) -> str:
    """The name of somebody who may call an operation; a key of v1 has no role."""
    operation = OF_V2.get(path.removeprefix("/v2"), {}).get(method.lower(), {})
    roles = operation.get("x-roles") or list(PEOPLE)
    return next(name for role, name in PEOPLE.items() if role in roles)


@pytest.mark.parametrize("kind", WRONG)
def test_what_a_type_refuses_is_refused_at_its_field_by_every_operation(house: House, kind: str) -> None:
    """All fields of one kind wrong at once: 422 (v1: 400), each named where it stands, nothing else is looked at."""
    wrong = []
    for method, path, known in BODIES:
        mine = [each for each in known if each.kind == kind]
        if not mine:
            continue
        for value in WRONG[kind]:
            body: Any = {}
            for each in mine:
                body = put(body, each.path, value)
            answer = send(house, method, path, encode(body))
            expected = 400 if path.startswith("/v1") else 422
            # A sentence of v1 names the first five.
            names = said(answer) if answer.status_code == expected else set()
            missing = [each.name for each in mine if each.name not in names]
            if answer.status_code != expected or (missing and (expected == 422 or len(names) < 5)):
                wrong.append((method, path, value, answer.status_code, missing, answer.content[:300]))
    assert wrong == [], "\n".join(str(each)[:400] for each in wrong[:12])


QUERY = {
    "number": ("1_000", "1e3", "%D9%A3", "+5", "%EF%BC%91", "", "true"),
    "day": ("2026-3-1", "20260301", "2026-03-01T00:00:00Z", "1772323200"),
    "moment": ("2026-03-01", "1772323200", "0001-01-01T00:00:00%2B14:00", "9999-12-31T23:59:59-14:00"),
    "text": ("a%07b", "a%0Ab", "a%C2%85b"),
    "code": ("%D9%A3", "a%0A"),
}


def test_queries_refuse_the_same(house: House) -> None:
    wrong = []
    for method, path, operation in ALL:
        for name, kind in fields(operation, "query"):
            for value in QUERY.get(kind or "", ()):
                answer = send(house, method, path, None, f"?{name[0]}={value}")
                if answer.status_code != 400 or name[0] not in said(answer):
                    wrong.append((method, path, name, value, answer.status_code, answer.content[:200]))
    assert wrong == []


@pytest.mark.parametrize("end", ["%00", "a%00b", "%0A", "%07", "%7F", "%C2%85", "%E2%80%A8"])
def test_a_path_that_is_no_text_is_404_everywhere(house: House, end: str) -> None:
    wrong = []
    for method, path, _ in ALL:
        if "{" not in path:
            continue
        for place in [part for part in path.split("/") if part.startswith("{")]:
            answer = send(house, method, path.replace(place, end, 1), "{}" if method != "GET" else None)
            if answer.status_code != 404:
                wrong.append((method, path, place, answer.status_code))
    assert wrong == []


READ: list[tuple[Any, Any, Any]] = [
    (inputs.Number, "1250.50", Decimal("1250.50")), (inputs.Number, 5, Decimal(5)), (inputs.Number, "-0.1", Decimal("-0.1")),
    (inputs.Number, Decimal("999999999999999.99"), Decimal("999999999999999.99")), (inputs.Number, "007", Decimal(7)),
    (inputs.Whole, "12", 12), (inputs.Whole, 12, 12), (inputs.Whole, Decimal("12.0"), 12), (inputs.Whole, -3, -3),
    (inputs.Day, "2026-03-31", date(2026, 3, 31)),
    (inputs.Line, "  Caf\u0065\u0301 ", "Caf\u00e9"), (inputs.Line, "", ""), (inputs.Line, "אבג", "אבג"),
    (inputs.Lines, "one\r\ntwo\tthree\n", "one\ntwo\tthree"), (inputs.Name, "👩‍🔧", "👩‍🔧"), (inputs.Name, "中", "中"),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "value", "expected"), READ)
def test_what_is_taken_is_read_exactly(type_: Any, value: Any, expected: Any) -> None:
    found = TypeAdapter(type_).validate_python(value)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    "name", ["", " ", "\u200b", "\u00a0\u2003", "\u3164", "\u2800", "\u202e\u202c", "\u0301", "\u00ad"]
)
def test_a_name_has_something_to_be_seen(name: str) -> None:
    for type_ in (inputs.Name, inputs.Sentences):
        with pytest.raises(ValidationError, match="seen"):
            TypeAdapter(type_).validate_python(name)


@pytest.mark.parametrize("text", ["a\nb", "a\tb", "a\rb"])
def test_a_line_is_one_line(text: str) -> None:
    for type_ in (inputs.Line, inputs.Name):
        with pytest.raises(ValidationError, match="control"):
            TypeAdapter(type_).validate_python(text)
    if "\r" in text:
        with pytest.raises(ValidationError, match="control"):
            TypeAdapter(inputs.Lines).validate_python(text)


@pytest.mark.parametrize(
    "body", [rb'{"name": "a\u0000b"}', rb'{"name": "\ud800"}', rb'{"\udfff": 1}', b'{"name": "\xed\xa0\x80"}']
)
@pytest.mark.parametrize("path", ["/v2/customers", "/v1/teams"])
def test_what_no_text_column_takes_is_400(house: House, path: str, body: bytes) -> None:
    answer = send(house, "POST", path, body.decode("latin-1") if b"\xed" not in body else None)
    if b"\xed" in body:
        headers = {"x-api-key": house.opened.api_key, "Authorization": f"Bearer {house.token}"}
        answer = house.browser.generic("POST", path, body, content_type="application/json", headers=headers)
    assert answer.status_code == 400


def test_a_name_is_kept_in_one_form(house: House) -> None:
    created = house.post("/customers", {"name": "Cafe\u0301 Lamu"}).json()
    assert created["name"] == "Caf\u00e9 Lamu"
    assert house.get("/customers/search?q=Caf\u00e9").json()["docs"][0]["_id"] == created["_id"]
    assert isinstance(StringConstraints(pattern="^a$"), GroupedMetadata)
