"""One whole example for each body and each answer, put together from the examples of their fields: valid by construction,
and the same field looks the same wherever it is met."""

import json
import re
from collections.abc import Mapping
from functools import reduce
from typing import Any

from service.openapi.dictionary import entry, left_out

Schema = dict[str, Any]
REF = "#/components/schemas/"
BY_FORMAT = {"date-time": "2026-03-02T09:30:00Z", "date": "2026-03-02", "email": "carla@example.com"}
BY_TYPE: dict[str, Any] = {"string": "Text", "integer": 1, "number": 1.0, "boolean": False, "null": None}
TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list,), "object": (dict,),
    "null": (type(None),),
}  # fmt: skip


def example(schema: Schema, schemas: Mapping[str, Schema], owner: str = "", name: str = "") -> Any:
    """A value of the schema: its own example, else that of the field's name, else one of its type. What the own example of an
    object does not name of its fields stands beside it: nobody who works from an example finds a field that it hides."""
    if "$ref" in schema:
        owner = schema["$ref"].removeprefix(REF)
        return example(schemas[owner], schemas, owner)
    if schema.get("examples"):
        return _completed(schema["examples"][0], schema, schemas, owner)
    if "const" in schema:
        return schema["const"]
    defined = entry(owner, name)[1] if name else None
    forms = [*schema.get("anyOf", []), *schema.get("oneOf", []), *schema.get("allOf", [])]
    if defined is not None and any(fits(defined, form) for form in (forms or [schema])):
        return defined
    if "allOf" in schema:
        parts = [example(part, schemas, owner, name) for part in schema["allOf"]]
        return reduce(_merged, parts[1:], parts[0])
    if forms:
        return _of_forms(forms, schemas, owner, name)
    if "enum" in schema:
        return schema["enum"][0]
    return _of_type(schema, schemas, owner, name)


def _completed(own: Any, schema: Schema, schemas: Mapping[str, Schema], owner: str) -> Any:
    """A value that was written by hand, with the fields that it does not name: in itself and in all that it holds."""
    if "$ref" in schema:
        owner = schema["$ref"].removeprefix(REF)
        return _completed(own, schemas[owner], schemas, owner)
    forms = [*schema.get("anyOf", []), *schema.get("oneOf", []), *schema.get("allOf", [])]
    if forms and isinstance(own, dict | list):
        kind = "object" if isinstance(own, dict) else "array"
        same = [form for form in forms if _resolved(form, schemas).get("type") == kind]
        return _completed(own, same[0], schemas, owner) if same else own
    if isinstance(own, list):
        return [_completed(row, schema.get("items", {}), schemas, owner) for row in own]
    if not isinstance(own, dict) or not schema.get("properties"):
        return own
    fields = schema["properties"]
    named = {name: _completed(value, fields.get(name, {}), schemas, owner) for name, value in own.items()}
    return _of_type(schema, schemas, owner, "") | named


def _resolved(schema: Schema, schemas: Mapping[str, Schema]) -> Schema:
    return schemas[schema["$ref"].removeprefix(REF)] if "$ref" in schema else schema


def _of_forms(forms: list[Schema], schemas: Mapping[str, Schema], owner: str, name: str) -> Any:
    """Null where it may be null and nothing better is known of it; else the first form."""
    plain = {"string", "integer", "number", "boolean"}
    if any(form.get("type") == "null" for form in forms) and all(
        form.get("type") in plain | {"null"} and "format" not in form and "enum" not in form for form in forms
    ):
        return None
    if name in NULL_AT_THE_END:
        return None
    return example(next(form for form in forms if form.get("type") != "null"), schemas, owner, name)


def _merged(whole: Any, part: Any) -> Any:
    """What is of both: two objects are one of all their fields, and of two other things the first holds."""
    if not isinstance(whole, dict) or not isinstance(part, dict):
        return whole
    return {**whole, **{name: _merged(whole[name], part[name]) if name in whole else part[name] for name in part}}


# On a page that is the last one.
NULL_AT_THE_END = {"nextPage", "next_cursor"}


def _of_type(schema: Schema, schemas: Mapping[str, Schema], owner: str, name: str) -> Any:
    kind = schema.get("type")
    if kind == "object" or "properties" in schema:
        return {
            field_name: example(field, schemas, owner, field_name)
            for field_name, field in schema.get("properties", {}).items()
            if field_name not in left_out(owner) and not _is_recursive(field, owner)
        }
    if kind == "array":
        return [] if _is_recursive(schema, owner) else [example(schema["items"], schemas, owner, "")]
    if kind in ("integer", "number"):
        least = schema.get("minimum", schema.get("exclusiveMinimum", 0))
        return max(BY_TYPE[kind], least) if kind == "integer" else BY_TYPE[kind]
    return BY_FORMAT.get(schema.get("format", ""), BY_TYPE.get(str(kind), {}))


def _is_recursive(schema: Schema, owner: str) -> bool:
    return f'"{REF}{owner}"' in json.dumps(schema, default=str)


def fits(value: Any, schema: Schema) -> bool:
    """Whether a value is of the schema's own type, pattern and bounds; what a reference points at is not looked at."""
    kind = schema.get("type")
    if "const" in schema:
        return bool(value == schema["const"])
    if "$ref" in schema or not isinstance(kind, str) or (isinstance(value, bool) and kind != "boolean"):
        return False
    if not isinstance(value, TYPES[kind]) or ("enum" in schema and value not in schema["enum"]):
        return False
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        return False
    if isinstance(value, str) and "format" in schema and schema["format"] in BY_FORMAT:
        return bool(re.match(r"\d{4}-\d{2}-\d{2}" + ("T" if schema["format"] == "date-time" else "$"), value))
    if isinstance(value, list):
        items = schema.get("items", {})
        return "$ref" not in items and all(fits(item, items) for item in value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return not isinstance(value, str) or len(value) <= schema.get("maxLength", len(value))
