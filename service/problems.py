"""How what goes wrong while a request is handled becomes a refusal in the interface's shape: one handler per kind."""

import logging
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from service import errors
from service.respond import refuse, request_id_of

log = logging.getLogger(__name__)

LOCK_TROUBLE = {"55P03", "40P01", "40001"}  # lock not available, deadlock, serialization failure


def field_errors(error: ValidationError) -> tuple[bool, list[errors.FieldError]]:
    """Whether the body is to blame (else query, path or headers), and the fields with what is wrong about each."""
    in_body = all(detail["loc"][0] == "body" for detail in error.errors)
    return in_body, [_field_error(detail) for detail in error.errors]


def _field_error(error: dict[str, Any]) -> errors.FieldError:
    location, *path = error["loc"]
    if location == "body":
        path = path[1:]  # the name of the view's argument says nothing to a caller
    message = str(error["msg"]).removeprefix("Value error, ")
    return {
        "field": ".".join(str(part) for part in path) or str(location),
        "code": str(error["type"]),
        "message": message,
    }


def from_validation(error: ValidationError) -> errors.ServiceError:
    """400 invalid_parameters for query and headers, 422 validation_failed for a body."""
    in_body, fields = field_errors(error)
    return errors.many_validation_failed(fields) if in_body else errors.many_invalid_parameters(fields)


def from_database(error: Exception) -> errors.ServiceError:
    """409 for lost races, 503 for a database that is away or overloaded."""
    state = getattr(error.__cause__, "sqlstate", None)
    if state in LOCK_TROUBLE:
        return errors.concurrent_update()
    log.warning("database trouble: sqlstate %s", state)
    return errors.unavailable()


def from_exception(request: HttpRequest, error: object) -> errors.ServiceError:
    """The refusal for anything that was raised; what nobody foresaw is logged with its request id and is a 500."""
    if isinstance(error, errors.ServiceError):
        return error
    if isinstance(error, ValidationError):
        return from_validation(error)
    if isinstance(error, Http404):
        return errors.not_found()
    if isinstance(error, HttpError) and error.status_code == 400:
        return errors.malformed_request()
    if isinstance(error, SuspiciousOperation):  # such as a host name that is not ours
        return errors.malformed_request("The request cannot be read.")
    if isinstance(error, (OperationalError, InterfaceError)):
        return from_database(error)
    if isinstance(error, DataError):
        return errors.malformed_request("A value does not fit what it is for.")
    cause = error if isinstance(error, BaseException) else None
    log.error("unforeseen failure in request %s", request_id_of(request), exc_info=cause)
    return errors.internal()


def handle(request: HttpRequest, error: object) -> HttpResponse:
    """The answer to a request that raised."""
    return refuse(request, from_exception(request, error))


def install(api: NinjaAPI) -> None:
    """Makes an API answer every failure in the interface's shape."""
    for kind in (Exception, errors.ServiceError, ValidationError, Http404, HttpError):
        api.add_exception_handler(kind, handle)
