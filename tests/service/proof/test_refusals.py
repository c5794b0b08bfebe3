"""Each operation refuses what everyone must refuse, in the one shape, and has not even begun to write."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from service.scopes import ALL_SCOPES
from tests.service.house import House, code
from tests.service.proof.operations import (
    BY_ROLE,
    CHANGING,
    OPERATIONS,
    WITH_JSON,
    Operation,
    attempts,
    is_problem,
    without,
)

Call = Callable[[Operation], Any]
TOO_LARGE = str(11 * 1024 * 1024)


def check(operations: Iterable[Operation], call: Call, expected: tuple[int, str]) -> None:
    """Every one of them answers so, with a whole problem, and has written nothing."""
    wrong, before = [], attempts()
    for operation in operations:
        answer = call(operation)
        after = attempts()
        if answer.status_code != expected[0] or not is_problem(answer) or code(answer) != expected or after != before:
            written = {name for name in after if after[name] != before.get(name)}
            wrong.append((str(operation), answer.status_code, answer.content[:200], written))
        before = after
    assert not wrong, "\n".join(str(each) for each in wrong)


def call(house: House, body: Any = None, **options: Any) -> Call:
    """Each operation, called by somebody who may."""
    assert house.token  # fetched here: that is no operation's doing
    return lambda each: house.send(each.method, each.at(), body, **{"by": each.somebody(), **options})


def test_there_is_something_to_check() -> None:
    assert len(OPERATIONS) > 200
    assert len(CHANGING) > 120
    assert len(WITH_JSON) > 80


@pytest.mark.parametrize(
    ("said", "name"),
    [(None, "token_missing"), ("Basic QWxhZGRpbjpvcGVu", "token_missing"), ("Bearer nobodys", "token_invalid")],
)
def test_without_a_token_that_counts_it_is_401(house: House, said: str | None, name: str) -> None:
    check(OPERATIONS, call(house, headers={"Authorization": said}), (401, name))


def test_without_its_scope_it_is_403(house: House) -> None:
    assert house.token
    tokens = {
        scope: house.fetch_token(scope=" ".join(each for each in ALL_SCOPES if each != scope)).json()["access_token"]
        for scope in {each.scope for each in OPERATIONS}
    }

    def send(each: Operation) -> Any:
        headers = {"Authorization": f"Bearer {tokens[each.scope]}"}
        return house.send(each.method, each.at(), by=each.somebody(), headers=headers)

    check(OPERATIONS, send, (403, "insufficient_scope"))


@pytest.mark.parametrize("role", sorted(BY_ROLE))
def test_in_another_role_it_is_403(house: House, role: str) -> None:
    """Who holds no grant is let in by none."""
    refused = [each for each in OPERATIONS if role in without(each.roles)]
    check(refused, call(house, by=BY_ROLE[role]), (403, "insufficient_role"))


def test_private_label_is_for_those_who_have_it(houses: Callable[..., House]) -> None:
    special = [each for each in OPERATIONS if each.about["x-private-label"]]
    assert special
    check(special, call(houses(entitled=False)), (403, "entitlement_required"))


def test_another_businesss_name_in_the_header_is_403(house: House, houses: Callable[..., House]) -> None:
    check(OPERATIONS, call(house, headers={"business_id": houses().business.id}), (403, "business_mismatch"))


def test_another_businesss_employee_cannot_be_acted_for(house: House, houses: Callable[..., House]) -> None:
    stranger = houses().person("Sam").id
    check(OPERATIONS, call(house, headers={"X-Acting-Employee": stranger}), (403, "insufficient_role"))


def test_another_content_type_is_415(house: House) -> None:
    assert house.token

    def send(each: Operation) -> Any:
        strange = "application/json" if each.media_type.startswith("multipart") else "text/plain"
        return house.send(each.method, each.at(), b"{}", by=each.somebody(), CONTENT_TYPE=strange)

    check(CHANGING, send, (415, "unsupported_media_type"))


def test_a_body_over_the_limit_is_413(house: House) -> None:
    check(CHANGING, call(house, b"{}", CONTENT_LENGTH=TOO_LARGE), (413, "file_too_large"))


@pytest.mark.parametrize("body", [b"{", b"nonsense", b'{"a": NaN}', b'{"a": "\\u0000"}', b"\xff\xfe", b"[" * 9000])
def test_a_body_that_is_no_json_is_400(house: House, body: bytes) -> None:
    check(WITH_JSON, call(house, body), (400, "malformed_request"))


def test_a_field_that_nobody_knows_is_422_and_named(house: House) -> None:
    send = call(house, {"surprise": 1})
    check(WITH_JSON, send, (422, "validation_failed"))
    named = {str(each): [error["field"] for error in send(each).json()["errors"]] for each in WITH_JSON}
    assert [name for name, fields in named.items() if "surprise" not in fields] == []


@pytest.mark.parametrize("body", [[], "text", 7, True, [{}]])
def test_a_body_of_another_kind_is_422(house: House, body: Any) -> None:
    check(
        WITH_JSON,
        call(house, str(body).lower().replace("'", '"') if body != "text" else '"text"'),
        (422, "validation_failed"),
    )


def test_what_needs_a_key_says_so(house: House) -> None:
    needing = [each for each in CHANGING if each.needs_key]
    assert len(needing) > 10
    check(needing, call(house, key=None), (400, "idempotency_key_missing"))


def test_a_wallet_in_the_header_that_is_nobody_s_is_404(house: House) -> None:
    """At each operation that takes the header."""
    taking = [
        each for each in OPERATIONS if {"$ref": "#/components/parameters/OrgWalletRef"} in each.about["parameters"]
    ]
    assert len(taking) > 8
    check(taking, call(house, headers={"org_wallet_ref": "99"}), (404, "not_found"))
