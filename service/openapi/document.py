"""The OpenAPI 3.1 documents of v2 and v1: schemas as the service writes JSON, every operation and field described, one
whole example for each body and each answer."""

import json
import re
from typing import Any, cast

from ninja import NinjaAPI
from ninja.openapi.schema import REF_TEMPLATE, OpenAPISchema
from pydantic.json_schema import JsonSchemaMode

from service import documentation
from service.documentation import PARAMETERS, REFUSALS
from service.error_titles import TITLES
from service.openapi import answers_v1, dictionary, webhooks
from service.openapi.examples import example
from service.openapi.numbers import ExactNumbers, with_bounds
from service.scopes import SCOPES

Json = dict[str, Any]
PROBLEM = "#/components/schemas/Problem"
JSON = "application/json"
REF = r'"#/components/schemas/([^"]+)"'


class _Exactly:
    """A model whose JSON schema is by ExactNumbers, whatever generator is asked for: ninja names its own for parameters."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.__ninja_param_source__ = getattr(model, "__ninja_param_source__", None)

    def model_json_schema(self, **options: Any) -> Json:
        """The schema, pointing at the document's components."""
        options |= {"ref_template": REF_TEMPLATE, "schema_generator": ExactNumbers}
        schema: Json = with_bounds(self.model.model_json_schema(**options))
        return schema


class Document(OpenAPISchema):
    """The document of an API as ninja makes it, with schemas by ExactNumbers."""

    def _extract_parameters(self, model: Any) -> list[Json]:
        parameters: list[Json] = super()._extract_parameters(cast(Any, _Exactly(model)))
        return parameters

    def _create_schema_from_model(
        self, model: Any, by_alias: bool = True, remove_level: bool = True, mode: JsonSchemaMode = "validation"
    ) -> tuple[Json, bool]:
        if hasattr(model, "__ninja_flatten_map__"):
            schema = self._flatten_schema(model)
        else:
            schema = _Exactly(model).model_json_schema(by_alias=by_alias, mode=mode)
        if schema.get("$defs"):
            self.add_schema_definitions(schema.pop("$defs"))
        if remove_level and len(schema["properties"]) == 1:
            [(name, details)] = schema["properties"].items()
            return details, name in schema.get("required", ())
        return schema, True

    def add_schema_definitions(self, definitions: Json) -> None:
        """Keeps schemas by their names; two of one name that differ would silently be one: TypeError."""
        for name, schema in definitions.items():
            if self.schemas.setdefault(name, schema) != schema:
                raise TypeError(f"two schemas are named {name}: give one of them a name that no other area has")


def _texts(**fields: str) -> Json:
    return {name: {"type": "string", "description": description} for name, description in fields.items()}


PROBLEM_SCHEMA: Json = {
    "title": "Problem",
    "type": "object",
    "description": "Why a request was refused (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code", "errorMessage", "errors", "request_id"],
    "properties": {
        "type": {"type": "string", "description": "Stands for the code, for good.", "examples": ["/errors/invalid_state"]},
        "title": {"type": "string", "description": "The code in words.", "examples": [TITLES["invalid_state"]]},
        "status": {"type": "integer", "description": "The HTTP status.", "examples": [409]},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "code": {
            "type": "string",
            "description": "What a program goes by; never renamed.",
            "examples": ["invalid_state", *sorted(set(TITLES) - {"invalid_state"})],
        },
        "errorMessage": {"type": "string"},
        "errors": {
            "type": "array",
            "description": "Which fields are wrong, and why; empty where it is about none.",
            "items": {
                "type": "object",
                "required": ["field", "code", "message"],
                "properties": _texts(
                    field="Dotted path, such as items.3.amount.", code="What is wrong, for programs.",
                    message="What is wrong, in words.",
                ),
            },
            "examples": [[]],
        },
        "request_id": {"type": "string"},
        "retryable": {"type": "boolean"},
        "attempts_left": {"type": "integer", "minimum": 0, "description": "Of a one-time code, with wrong_code."},
    },
}  # fmt: skip
SECURITY_SCHEMES: Json = {
    "oauth2ClientCredentials": {
        "type": "oauth2",
        "description": "A token of the client credentials grant, sent as Authorization: Bearer.",
        "flows": {"clientCredentials": {"tokenUrl": "/oauth/token", "scopes": SCOPES}},
    }
}


def finish(document: OpenAPISchema, api: NinjaAPI) -> OpenAPISchema:
    """Makes ninja's document whole."""
    components = document["components"]
    document["servers"] = [{"url": f"/v{api.version[0]}", "description": f"This service, version {api.version}."}]
    if api.urls_namespace == "v1":
        answers_v1.add_answers(document)
    else:
        content = {"application/problem+json": {"schema": {"$ref": PROBLEM}}}
        components["securitySchemes"] = SECURITY_SCHEMES
        components["parameters"] = dict(PARAMETERS)
        components["schemas"]["Problem"] = PROBLEM_SCHEMA
        components["responses"] = {
            documentation.NAMES[status]: {"description": description, "content": content}
            for status, description in REFUSALS.items()
        }
        webhooks.add_webhooks(document)
    components["schemas"] = _pointed_at(document, components["schemas"])
    dictionary.describe(components["schemas"])
    for operations in document["paths"].values():
        for operation in operations.values():
            _operation(operation, components["schemas"])
    for webhook in document.get("webhooks", {}).values():
        _examples(webhook["post"]["requestBody"], components["schemas"])
    for answer in components["responses"].values():
        _examples(answer, components["schemas"])
    return document


def _pointed_at(document: Json, schemas: Json) -> Json:
    """The schemas that something in the document points at, in order: those of queries are published as parameters."""
    reached: set[str] = set()
    rest = {**document, "components": {**document["components"], "schemas": {}}}
    waiting = set(re.findall(REF, json.dumps(rest, default=str)))
    while waiting:
        reached |= waiting
        waiting = set(re.findall(REF, json.dumps([schemas[name] for name in waiting], default=str))) - reached
    return {name: schemas[name] for name in sorted(reached)}


def _operation(operation: Json, schemas: Json) -> None:
    operation["responses"] = _by_status(operation["responses"])
    operation["description"] = _described(operation)
    for parameter in operation.get("parameters", []):
        _parameter(parameter)
    body = operation.get("requestBody", {})
    if body:
        body.setdefault("description", "What is asked for.")
        _examples(body, schemas)
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            answer["description"] = _answered(status)
            _examples(answer, schemas)


def _described(operation: Json) -> str:
    """The view's own words, and who may call it: what the code checks, so that it cannot say anything else."""
    sentences = [operation.get("description") or f"{operation['summary']}."]
    if operation.get("x-roles"):
        scope = operation["security"][0]["oauth2ClientCredentials"][0]
        grant = f", or with the grant {operation['x-grant']}" if operation.get("x-grant") else ""
        sentences.append(f"Scope `{scope}`; for {', '.join(operation['x-roles'])}{grant}.")
    if operation.get("x-private-label"):
        sentences.append("Private label: the client needs the entitlement.")
    if operation.get("x-extension"):
        sentences.append("An extension of the published interface.")
    return "\n\n".join([sentences[0], " ".join(sentences[1:])] if sentences[1:] else sentences)


def _answered(status: str) -> str:
    return {"200": "As asked.", "201": "It was made.", "202": "It is under way.", "204": "Done; nothing to say."}[
        status
    ]


def _parameter(parameter: Json) -> None:
    """On the wire a parameter is text anyway: numbers are documented as such, and examples stand in the schema."""
    if "$ref" in parameter:
        return
    if isinstance(parameter.get("examples"), list):
        parameter["schema"] = {**parameter["schema"], "examples": parameter.pop("examples")}
    parameter["schema"] = _wire(parameter["schema"])
    dictionary.describe_parameter(parameter)
    parameter["schema"].pop("description", None)


def _wire(schema: Json) -> Json:
    forms = schema.get("anyOf", [])
    numbers = [form for form in forms if form.get("type") in ("integer", "number")]
    if not numbers:
        return schema
    remaining = [form for form in forms if "pattern" not in form]
    rest = {name: value for name, value in schema.items() if name != "anyOf"}
    return {**rest, **remaining[0]} if len(remaining) == 1 else {**rest, "anyOf": remaining}


def _examples(part: Json, schemas: Json) -> None:
    """An example for each kind of content that is JSON."""
    for media_type, content in part.get("content", {}).items():
        if "json" in media_type and "example" not in content:
            content["example"] = example(content["schema"], schemas)


def _by_status(answers: dict[Any, Any]) -> Json:
    """Ninja writes statuses as numbers and refusals here are texts: one entry each, in order, as texts."""
    merged: Json = {}
    for status, entry in answers.items():
        merged[str(status)] = {**merged.get(str(status), {}), **entry}
    return dict(sorted(merged.items()))
