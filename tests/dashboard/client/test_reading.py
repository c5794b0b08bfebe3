"""What comes back: envelopes, pages, typed models, the four shapes of an error; tolerant of words, strict on money."""

import json
from decimal import Decimal
from typing import Any

import pytest

from dashboard import errors
from dashboard.client.json import read_json, write_json
from dashboard.client.page import Drifted, Page, every_row, read_page, typed
from dashboard.client.refusals import refusal
from dashboard.schemas.accounts import Account
from dashboard.schemas.approvals import Approval
from dashboard.schemas.expenses import Expense

EXPENSE = {
    "_id": "1",
    "status": "SOMETHING_NEW",
    "amount": Decimal("1250.50"),
    "amount_minor": 125050,
    "currency": "KES",
    "transaction_date": "2026-01-01T10:00:00Z",
    "a_field_of_tomorrow": {"x": 1},
}


def test_unknown_fields_and_words_are_kept() -> None:
    [expense] = typed([EXPENSE], Expense)
    assert expense.status == "SOMETHING_NEW"
    assert expense.money.minor == 125050
    assert (expense.model_extra or {})["a_field_of_tomorrow"] == {"x": 1}


@pytest.mark.parametrize(
    "change",
    [
        {"amount": 1250.5},
        {"amount": Decimal("1250.505")},
        {"amount_minor": 125051},
        {"amount": Decimal("NaN")},
        {"currency": "kes"},
        {"amount": None},
        {"currency": "JPY", "amount": Decimal("1.5"), "amount_minor": None},
    ],
)
def test_wrong_money_is_no_answer(change: dict[str, Any]) -> None:
    with pytest.raises(errors.BadAnswer):
        typed([EXPENSE | change], Expense)


def test_other_areas_read_the_same_way() -> None:
    amount = {"amount": Decimal(50000), "amount_minor": 5000000, "currency": "KES"}
    assert Approval.model_validate({"_id": "a", "requested_by": {"_id": "e"}, **amount}).money.minor == 5000000
    wallet = {"_id": "w", "currency": "KWD", "walletType": "MAIN", "balances": {"available": Decimal("1.234")}}
    available = Account.model_validate(wallet).available
    assert available is not None
    assert available.minor == 1234


def test_numbers_travel_as_numbers_and_are_never_floats() -> None:
    body = {"amount": Decimal("0.10"), "big": Decimal(10) ** 20, "n": 3, "s": 'é"', "l": [True, None]}
    written = write_json(body)
    assert written.startswith(b'{"amount":0.10,"big":100000000000000000000,')
    assert json.loads(written)["s"] == 'é"'
    assert read_json(b'{"a":0.1}')["a"] == Decimal("0.1")
    with pytest.raises(TypeError):
        write_json({"a": 0.1})
    with pytest.raises(ValueError, match="NaN"):
        read_json(b'{"a":NaN}')


@pytest.mark.parametrize("name", ["docs", "data", "items", "results"])
def test_any_known_envelope(name: str) -> None:
    page = read_page({name: [{"_id": "1"}], "totalDocs": "7", "page": "1", "totalPages": 3})
    assert (len(page.rows), page.total, page.number, page.pages) == (1, 7, 1, 3)


@pytest.mark.parametrize("data", [None, "x", {}, {"docs": 3}, [1, 2]])
def test_no_list_is_no_answer(data: Any) -> None:
    with pytest.raises(errors.BadAnswer):
        read_page(data)


def pages_of(rows: list[dict[str, Any]], largest: int = 1000) -> Any:
    def fetch(number: int, limit: int) -> Page:
        if limit > largest:
            problem = errors.FieldProblem("limit", "too_large", "")
            raise errors.Rejected(upstream_status=400, fields=[problem])
        return Page(rows[(number - 1) * limit : number * limit], total=len(rows), number=number)

    return fetch


@pytest.mark.parametrize(("count", "largest"), [(0, 1000), (1, 1000), (500, 1000), (1203, 1000), (230, 100), (90, 40)])
def test_every_row_once_whatever_the_page_size(count: int, largest: int) -> None:
    rows = [{"_id": str(number)} for number in range(count)]
    assert list(every_row(pages_of(rows, largest))) == rows


def test_a_list_that_moves_while_it_is_read_is_read_again_by_the_caller() -> None:
    rows = [{"_id": str(number)} for number in range(10)]

    def moving(number: int, limit: int) -> Page:
        page: Page = pages_of(rows)(number, limit)
        rows.insert(0, {"_id": f"new{len(rows)}"})
        return page

    with pytest.raises(Drifted):
        list(every_row(moving, size=4))


SHAPES = [
    (409, b'{"status":409,"code":"invalid_state","detail":"No longer pending.","request_id":"r"}', errors.InvalidState),
    (400, b'{"statusCode":400,"message":["a must be b","c"],"error":"Bad Request"}', errors.Rejected),
    (409, b'{"errorMessage":"Transaction already exists","status":409}', errors.Conflict),
    (502, b"<html>Bad gateway</html>", errors.ServerFailed),
    (503, b"", errors.ServerFailed),
    (403, b'{"code":"entitlement_required"}', errors.EntitlementMissing),
    (422, b'{"code":"insufficient_funds","detail":"Not enough."}', errors.InsufficientFunds),
    (418, b"[]", errors.Rejected),
    (301, b"", errors.BadAnswer),
    (404, b'{"code":"insufficient_funds"}', errors.NotFound),
]


@pytest.mark.parametrize(("status", "body", "expected"), SHAPES)
def test_the_shapes_of_an_error(status: int, body: bytes, expected: type[errors.FinanceError]) -> None:
    assert type(refusal(status, body, {}, is_read=True)) is expected


def test_what_an_error_tells() -> None:
    body = (
        b'{"status":422,"code":"validation_failed","detail":"One field is wrong.","request_id":"r-9",'
        b'"errors":[{"field":"amount","code":"min","message":"at least 1"}]}'
    )
    told = refusal(422, body, {"Retry-After": "7"}, is_read=False)
    assert (told.code, told.request_id, told.retry_after) == ("validation_failed", "r-9", 7.0)
    assert [(one.field, one.message) for one in told.fields] == [("amount", "at least 1")]
    assert told.user_message.startswith("One field is wrong. Nothing was changed.")


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408])
def test_after_a_write_a_failing_server_is_doubt(status: int) -> None:
    assert type(refusal(status, b"", {}, is_read=False)) is errors.Unknown


CODES = (
    "insufficient_scope", "forbidden", "error.scope.missing", "INSUFFICIENT_SCOPE", "Forbidden", "insufficientScope",
    "urn:error:scope", "E-1021", "403", " SCOPE_MISSING ",
)  # fmt: skip


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_no_sentence(code: str) -> None:
    body = {"code": "insufficient_scope", "detail": code}
    told = refusal(403, json.dumps(body).encode(), {}, is_read=True)
    assert told.detail == "The business's account lacks the permission for this."


@pytest.mark.parametrize("code", CODES)
def test_neither_at_a_field_nor_among_several_messages(code: str) -> None:
    body = {
        "errors": [{"field": "amount", "code": code, "message": code}],
        "message": [code, "The amount is too high."],
    }
    told = refusal(422, json.dumps(body).encode(), {}, is_read=False)
    assert [(one.code, one.message) for one in told.fields] == [(code, "The finance service does not accept this.")]
    assert told.detail == "The amount is too high."


@pytest.mark.parametrize(
    "sentence", ["Required.", "at least 1", "金額が大きすぎます", "Locked!", "المبلغ", "Amount: too high"]
)
def test_a_sentence_is_shown_as_the_service_says_it(sentence: str) -> None:
    body = {"errors": [{"field": "amount", "message": sentence}], "detail": sentence}
    told = refusal(422, json.dumps(body).encode(), {}, is_read=False)
    assert [told.detail, *(one.message for one in told.fields)] == [sentence, sentence]
