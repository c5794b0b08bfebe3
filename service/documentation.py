"""What the OpenAPI document says about an operation beyond its schemas: security, headers, the refusals it may give."""

from collections.abc import Collection
from typing import Any

from ninja.openapi.schema import REF_TEMPLATE, OpenAPISchema
from ninja.operation import Operation
from ninja.schema import NinjaGenerateJsonSchema
from pydantic.json_schema import JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

from service.errors import TITLES
from service.scopes import SCOPES

PROBLEM = "#/components/schemas/Problem"
# `openapi_extra` of an operation that the published interface does not list: ours, marked as such.
EXTENSION = {"x-extension": True}

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
_NAMES = {
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
    return {status: {"$ref": f"#/components/responses/{_NAMES[status]}"} for status in statuses}


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
    parameters = [parameter(each) for each in (*named, "ActingEmployee", "RequestId")]
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


class ExactNumbers(NinjaGenerateJsonSchema):
    """JSON schemas as the service writes JSON: a Decimal in an answer is a number, not a text."""

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """A number where we write it; where we read it, what pydantic takes."""
        return {"type": "number"} if self.mode == "serialization" else super().decimal_schema(schema)


class Document(OpenAPISchema):
    """The OpenAPI document, with schemas by ExactNumbers."""

    def _create_schema_from_model(
        self, model: Any, by_alias: bool = True, remove_level: bool = True, mode: JsonSchemaMode = "validation"
    ) -> tuple[dict[str, Any], bool]:
        if hasattr(model, "__ninja_flatten_map__"):
            schema = self._flatten_schema(model)
        else:
            schema = model.model_json_schema(
                ref_template=REF_TEMPLATE, by_alias=by_alias, schema_generator=ExactNumbers, mode=mode
            ).copy()
        if schema.get("$defs"):
            self.add_schema_definitions(schema.pop("$defs"))
        if remove_level and len(schema["properties"]) == 1:
            [(name, details)] = schema["properties"].items()
            return details, name in schema.get("required", ())
        return schema, True

    def add_schema_definitions(self, definitions: dict[str, Any]) -> None:
        """Keeps schemas by their names; two of one name that differ would silently be one: TypeError."""
        for name, schema in definitions.items():
            if self.schemas.setdefault(name, schema) != schema:
                raise TypeError(f"two schemas are named {name}: give one of them a name that no other area has")


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
        "attempts_left": {"type": "integer", "minimum": 0, "description": "Of a one-time code, with wrong_code."},
    },
}


def finish(document: OpenAPISchema) -> OpenAPISchema:
    """Adds what all operations share, and drops the server entry that a relative document does not need."""
    components = document["components"]
    components.setdefault("securitySchemes", {}).update(SECURITY_SCHEMES)
    components["parameters"] = PARAMETERS
    content = {"application/problem+json": {"schema": {"$ref": PROBLEM}}}
    components["responses"] = {
        _NAMES[status]: {"description": description, "content": content} for status, description in REFUSALS.items()
    }
    components["schemas"]["Problem"] = PROBLEM_SCHEMA
    components["schemas"] = dict(sorted(components["schemas"].items()))
    document.pop("servers", None)
    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"] = _by_status(operation["responses"])
            for each in operation.get("parameters", []):
                _examples_to_schema(each)
    return document


def _examples_to_schema(each: dict[str, Any]) -> None:
    """A list of examples is JSON Schema's, and stands in the schema: a parameter's own would be a map."""
    if isinstance(each.get("examples"), list):
        each["schema"] = {**each["schema"], "examples": each.pop("examples")}


def _by_status(answers: dict[Any, Any]) -> dict[str, Any]:
    """Ninja writes statuses as numbers and refusals here are texts: one entry each, in order, as texts."""
    found: dict[str, Any] = {}
    for status, entry in answers.items():
        found[str(status)] = {**found.get(str(status), {}), **entry}
    return dict(sorted(found.items()))
