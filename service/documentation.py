"""What the OpenAPI document says about an operation beyond its schemas: security, headers, the refusals it may give.

The document itself is put together in service/openapi/.
"""

from collections.abc import Collection, Mapping
from typing import Annotated, Any

from ninja import Query
from ninja.operation import Operation

# `openapi_extra` of an operation that the published interface does not list: ours, marked as such.
EXTENSION = {"x-extension": True}
# A parameter beside the interface of what ends something for good.
OnlyDraft = Annotated[
    bool, Query(description="Whether only a draft is ended: 409 not_draft for what is none any more.")
]

REFUSALS = {
    "400": "A parameter or the body cannot be read",
    "401": "Missing, unknown or expired token",
    "403": "Scope, role, entitlement or business does not allow it",
    "404": "No such thing, or not the caller's to see",
    "409": "The state does not allow it, or the same request is being worked on",
    "413": "The body is too large",
    "414": "The address is too long",
    "415": "The body is not JSON",
    "422": "The body is not valid, or a business rule refuses it",
    "429": "Too many requests",
    "431": "The headers are too large",
    "503": "Temporarily unavailable",
}
NAMES = {
    "400": "BadRequest",
    "401": "Unauthorized",
    "403": "Forbidden",
    "404": "NotFound",
    "409": "Conflict",
    "413": "TooLarge",
    "414": "AddressTooLong",
    "415": "UnsupportedMediaType",
    "422": "Unprocessable",
    "429": "TooManyRequests",
    "431": "HeadersTooLarge",
    "503": "Unavailable",
}


def _header(name: str, description: str, *, required: bool = False) -> dict[str, Any]:
    schema = {"type": "string", "minLength": 1, "maxLength": 255}
    return {"in": "header", "name": name, "required": required, "description": description, "schema": schema}


# Written once in the document, pointed at by the operations.
PARAMETERS = {
    "BusinessId": _header("business_id", "The business: the client's own.", required=True),
    "BusinessIdOptional": _header("business_id", "The business: the client's own."),
    "OrgWalletRef": _header(
        "org_wallet_ref", 'A wallet of the business, "1" where it is missing; 404 for one of nobody\'s.'
    ),
    "ActingEmployee": _header("X-Acting-Employee", "Acts with this employee's rights (scope acting_employee)."),
    "RequestId": _header("X-Request-Id", "Echoed; minted where it is missing."),
    "IdempotencyKey": _header(
        "Idempotency-Key", "1 to 255 characters: a repeat gets the first answer again.", required=True
    ),
    "IdempotencyKeyOptional": _header("Idempotency-Key", "1 to 255 characters: a repeat gets the first answer again."),
}


def parameter(name: str) -> dict[str, str]:
    """A pointer to one of PARAMETERS."""
    return {"$ref": f"#/components/parameters/{name}"}


def extend(operation: Operation, extra: Mapping[str, object]) -> None:
    """Adds to an operation's part of the document: lists are joined, dictionaries merged."""
    known = operation.openapi_extra = dict(operation.openapi_extra or {})
    for key, value in extra.items():
        if isinstance(value, list):
            known[key] = [*known.get(key, []), *value]
        elif isinstance(value, dict):
            known[key] = {**known.get(key, {}), **value}
        else:
            known[key] = value


def refusals(*statuses: str) -> dict[str, dict[str, str]]:
    """The `responses` entries of those refusals."""
    return {status: {"$ref": f"#/components/responses/{NAMES[status]}"} for status in statuses}


def describe(
    operation: Operation,
    *,
    scope: str,
    roles: Collection[str],
    private_label: bool,
    business_header: bool,
    grant: str = "",
) -> None:
    """Documents what `@requires` asks for."""
    operation.by_alias = True  # answers say _id, as published
    statuses = ["400", "401", "403", "404", "414", "429", "431", "503"]
    if set(operation.methods) & {"POST", "PUT", "PATCH", "DELETE"}:
        statuses += ["409", "413", "415", "422"]
    named = ("BusinessId", "OrgWalletRef") if business_header else ("BusinessIdOptional",)
    parameters = [parameter(name) for name in (*named, "ActingEmployee", "RequestId")]
    extend(
        operation,
        {
            "security": [{"oauth2ClientCredentials": [scope]}],
            "parameters": parameters,
            "responses": refusals(*statuses),
            "x-roles": sorted(roles),
            "x-private-label": private_label,
            **({"x-grant": grant} if grant else {}),
        },
    )
