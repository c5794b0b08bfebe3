"""What the OpenAPI document says about an operation beyond its schemas: security, headers, the refusals it may give."""

from collections.abc import Collection
from typing import Any

from ninja.operation import Operation

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


def _header(name: str, description: str, *, required: bool = False) -> dict[str, Any]:
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
        _header("business_id", "The business; must be the client's own.", required=business_header),
        _header("X-Acting-Employee", "Acts with the rights of this employee (scope acting_employee)."),
        _header("X-Request-Id", "Echoed; minted where it is missing."),
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
