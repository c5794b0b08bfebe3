"""How the types of service/inputs.py are described: what comes in may be a number or digits in a text, what goes out is a
number; and the bounds that follow a check in a type are published as if they came before it."""

from typing import Any

from ninja.schema import NinjaGenerateJsonSchema
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

from service.inputs import NUMBER

# What pydantic calls a bound that it checks after another check, and JSON Schema's word for it ("" where it has none).
BOUNDS = {
    "gt": "exclusiveMinimum", "ge": "minimum", "lt": "exclusiveMaximum", "le": "maximum",
    "max_digits": "", "decimal_places": "",
}  # fmt: skip
NUMBERS = {"number", "integer"}


class ExactNumbers(NinjaGenerateJsonSchema):
    """JSON schemas as the service reads and writes JSON."""

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """A number where we write it; a number or digits where we read it."""
        if self.mode == "serialization":
            return {"type": "number"}
        bounds = {word: float(schema[name]) for name, word in BOUNDS.items() if word and schema.get(name) is not None}  # type: ignore[literal-required]
        return {"anyOf": [{"type": "number", **bounds}, {"type": "string", "pattern": f"^{NUMBER.pattern}$"}]}

    def field_title_should_be_set(self, schema: object) -> bool:
        """None: a title would say the name once more, in other letters."""
        return False

    def chain_schema(self, schema: core_schema.ChainSchema) -> JsonSchemaValue:
        """What all steps ask for together: pydantic publishes that of the first alone."""
        merged: JsonSchemaValue = {}
        for step in schema["steps"]:
            merged |= self.generate_inner(step)
        return merged


def with_bounds(schema: Any) -> Any:
    """The schema with its bounds in JSON Schema's words, at the numbers that they are about."""
    if isinstance(schema, list):
        return [with_bounds(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    bounds = {name: value for name, value in schema.items() if name in BOUNDS and _is_schema(schema)}
    remaining = {name: with_bounds(value) for name, value in schema.items() if name not in bounds}
    for name, value in bounds.items():
        word = BOUNDS[name]
        for form in [remaining, *remaining.get("anyOf", [])]:
            if word and form.get("type") in NUMBERS:
                form[word] = float(value) if form["type"] == "number" else int(value)
    return remaining


def _is_schema(schema: dict[str, Any]) -> bool:
    """Not the properties of one, where a field might have such a name."""
    return isinstance(schema.get("type"), str) or "anyOf" in schema
