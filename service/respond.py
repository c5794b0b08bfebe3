"""How answers are written: JSON with exact decimals, and refusals as problem+json."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from http import HTTPStatus
from typing import Any, NotRequired, TypeAlias, TypedDict

import orjson
from django.http import HttpRequest, HttpResponse
from ninja.renderers import BaseRenderer
from pydantic import BaseModel

from service import errors
from service.error_titles import TITLES

V1_PREFIX = "/v1/"

ColumnValue: TypeAlias = "str | int | bool | Decimal | date | Sequence[ColumnValue] | Mapping[str, ColumnValue] | None"
"""What `to_json` writes: of a row's columns as they are, an amount exactly, and a moment and a day as text."""
ChangedFields: TypeAlias = Mapping[str, ColumnValue]
"""Fields of a row by their names, as they were before a change or are after it: for its event and its line of the audit."""
JsonObject = Mapping[str, object]
"""A JSON object that is passed on without a look at its fields: what of any area goes into an event or a line of the audit,
or lies in a row as JSON that its area has checked. It is read only; whoever reads a field of it says first what it is."""


def to_json(data: object) -> bytes:
    """JSON bytes. A Decimal is written as a number with the digits it has, never by way of a float."""
    return orjson.dumps(data, default=_encode, option=orjson.OPT_UTC_Z)


def _encode(value: object) -> Any:
    if isinstance(value, Decimal):
        return orjson.Fragment(format(value, "f"))
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True)
    return str(value)


class Renderer(BaseRenderer):
    """The renderer of the ninja APIs."""

    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> bytes:
        """An answer as JSON, exact for decimals."""
        return to_json(data)


def answer(data: object, status: int = 200) -> HttpResponse:
    """A JSON answer that skips response validation: for hot lists that were built from typed rows."""
    return HttpResponse(to_json(data), status=status, content_type="application/json; charset=utf-8")


def request_id_of(request: HttpRequest) -> str:
    """The request id that the middleware has set."""
    return str(getattr(request, "request_id", ""))


class ProblemShape(TypedDict):
    """A refusal as it is answered: application/problem+json."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    errorMessage: str
    errors: list[errors.FieldError]
    request_id: str
    retryable: bool
    attempts_left: NotRequired[int]


def problem(error: errors.ServiceError, *, instance: str, request_id: str) -> ProblemShape:
    """The body of the answer: application/problem+json, with `errorMessage` for parsers of the old interface."""
    return {
        "type": f"/errors/{error.code}",
        "title": TITLES.get(error.code, HTTPStatus(error.status).phrase),
        "status": error.status,
        "detail": error.detail,
        "instance": instance,
        "code": error.code,
        "errorMessage": error.detail,
        "errors": error.errors,
        "request_id": request_id,
        "retryable": error.retryable,
        **error.members,
    }


def refuse(request: HttpRequest, error: errors.ServiceError) -> HttpResponse:
    """A refusal in the shape of the interface that was asked: problem+json, or v1's own two fields."""
    if request.path.startswith(V1_PREFIX):
        # The old interface knows no 422: a body that is not valid is a 400 there.
        status = 400 if error.status == 422 else error.status
        body: JsonObject = {"errorMessage": error.detail, "status": status}
        media_type = "application/json; charset=utf-8"
    else:
        status = error.status
        body = problem(error, instance=request.path, request_id=request_id_of(request))
        media_type = "application/problem+json"
    response = HttpResponse(to_json(body), status=status, content_type=media_type)
    for name, value in error.headers.items():
        response[name] = value
    return response
