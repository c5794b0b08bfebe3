"""What the OpenAPI document says about an operation beyond its schemas: security, headers, the refusals it may give."""

from collections.abc import Collection
from typing import Any

from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from service.errors import TITLES
from service.scopes import SCOPES

PROBLEM = "#/components/schemas/Problem"

REFUSALS = {
    "400": "A parameter or the body cannot be read",
    "401": "Missing, unknown or expired token",
    "403": "Scope, role, entitlement or business does not allow it",
    "404": "No such thing, or not the caller's to see",
    "409": "The state does not allow it, or the same request is being worked on",
    "413": "The body is too large",
    "415": "The body is not JSON",
    "422": "The body is not valid, or a business rule refuses it",
    "429": "Too many requests",
    "503": "Temporarily unavailable",
}


def header(name: str, description: str, *, required: bool = False) -> dict[str, Any]:
    """A header parameter."""
    return {
        "in": "header",
        "name": name,
        "required": required,
        "description": description,
        "schema": {"type": "string", "maxLength": 255},
    }


def extend(operation: Operation, extra: dict[str, Any]) -> None:
    """Adds to an operation's part of the document: lists are joined, dictionaries merged."""
    known = operation.openapi_extra = dict(operation.openapi_extra or {})
    for key, value in extra.items():
        if isinstance(value, list):
            known[key] = [*known.get(key, []), *value]
        elif isinstance(value, dict):
            known[key] = {**known.get(key, {}), **value}
        else:
            known[key] = value


def refusals(*statuses: str) -> dict[str, Any]:
    """The `responses` entries of those refusals."""
    content = {"application/problem+json": {"schema": {"$ref": PROBLEM}}}
    return {status: {"description": REFUSALS[status], "content": content} for status in statuses}


def describe(
    operation: Operation, *, scope: str, roles: Collection[str], private_label: bool, business_header: bool
) -> None:
    """Documents what `@requires` asks for."""
    statuses = ["400", "401", "403", "429", "503"]
    if "{" in operation.path:
        statuses.append("404")
    if set(operation.methods) & {"POST", "PUT", "PATCH", "DELETE"}:
        statuses += ["404", "409", "413", "415", "422"]
    parameters = [
        header("business_id", "The business; must be the client's own.", required=business_header),
        header("X-Acting-Employee", "Acts with the rights of this employee (scope acting_employee)."),
        header("X-Request-Id", "Echoed; minted where it is missing."),
    ]
    extend(
        operation,
        {
            "security": [{"oauth2ClientCredentials": [scope]}],
            "parameters": parameters,
            "responses": refusals(*dict.fromkeys(statuses)),
            "x-roles": sorted(roles),
            "x-private-label": private_label,
        },
    )


SECURITY_SCHEMES = {
    "oauth2ClientCredentials": {
        "type": "oauth2",
        "flows": {"clientCredentials": {"tokenUrl": "/oauth/token", "scopes": SCOPES}},
    }
}

PROBLEM_SCHEMA = {
    "title": "Problem",
    "type": "object",
    "description": "Why a request was refused (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code", "errorMessage", "errors", "request_id"],
    "properties": {
        "type": {"type": "string", "examples": ["/errors/invalid_state"]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "code": {"type": "string", "examples": sorted(TITLES)},
        "errorMessage": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "code", "message"],
                "properties": {name: {"type": "string"} for name in ("field", "code", "message")},
            },
        },
        "request_id": {"type": "string"},
        "retryable": {"type": "boolean"},
    },
}


def finish(document: OpenAPISchema) -> OpenAPISchema:
    """Adds what all operations share, and drops the server entry that a relative document does not need."""
    components = document["components"]
    components.setdefault("securitySchemes", {}).update(SECURITY_SCHEMES)
    components["schemas"]["Problem"] = PROBLEM_SCHEMA
    components["schemas"] = dict(sorted(components["schemas"].items()))
    document.pop("servers", None)
    return document
