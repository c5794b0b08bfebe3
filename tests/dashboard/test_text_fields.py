"""What a form of ours takes of a text, the service takes: as long, as visible, in as many lines, by the service's document.

`text_fields.csv` has a row for every field: the operations that it is sent with and where it stands in what is sent
("?title" is of the address), or why it stays here. Where both have a text and the form is not as the service, `why` says
what comes between.
"""

import ast
import csv
import importlib
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.core.validators import RegexValidator

import dashboard
from dashboard.web.fields import TextBlock, TextLine

DOCUMENT = json.loads(Path("docs/openapi/v2.json").read_text())
FILE = Path("tests/dashboard/text_fields.csv")
ROWS = {row["field"]: row for row in csv.DictReader(FILE.read_text().splitlines())}
OPERATIONS = {operation["operationId"]: operation for path in DOCUMENT["paths"].values() for operation in path.values()}


def below(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from below(each)


def import_forms() -> None:
    """Every module of ours that may hold a form or a field."""
    for module in pkgutil.walk_packages(dashboard.__path__, "dashboard."):
        if "forms" in module.name or "field" in module.name or module.name.endswith("_views"):
            importlib.import_module(module.name)


def declared() -> dict[str, TextLine]:
    """The fields of text of every form of ours, by the form's place and the field's name."""
    import_forms()
    return {
        f"{form.__module__}.{form.__name__}.{name}".removeprefix("dashboard."): field
        for form in below(forms.BaseForm)
        if form.__module__.startswith("dashboard.")
        for name, field in getattr(form, "base_fields", {}).items()
        if isinstance(field, TextLine)
    }


def name_in(subscript: ast.expr) -> str:
    """The name of a field that is made with the form, "…" standing for what is known only then."""
    if isinstance(subscript, ast.Constant):
        return str(subscript.value)
    parts = subscript.values if isinstance(subscript, ast.JoinedStr) else [subscript]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts)


def fields_of_constructors() -> dict[str, TextLine]:
    """The fields of text that a form makes in `__init__`: `self.fields[…] = TextLine(…)`."""
    import_forms()
    kinds = {kind.__name__: kind for kind in (TextLine, *below(TextLine))}
    found: dict[str, TextLine] = {}
    for form in {form for form in below(forms.BaseForm) if form.__module__.startswith("dashboard.")}:
        module = importlib.import_module(form.__module__)
        tree = ast.parse(Path(str(module.__file__)).read_text())
        [own] = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == form.__name__] or [
            None
        ]
        for node in ast.walk(own) if own else ():
            if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
                continue
            target, call = node.targets[0], node.value
            if isinstance(target, ast.Subscript) and isinstance(call.func, ast.Name) and call.func.id in kinds:
                # Our own source: a number, or a constant of its module.
                given = {
                    more.arg: eval(ast.unparse(more.value), vars(module))
                    for more in call.keywords
                    if more.arg in {"max_length", "validators"}
                }
                name = f"{form.__module__}.{form.__name__}.{name_in(target.slice)}".removeprefix("dashboard.")
                found[name] = kinds[call.func.id](**given)
    return found


def resolved(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """What a schema may be, without its references and its null."""
    if "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    choices = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
    if choices:
        return [each for choice in choices for each in resolved(choice)]
    return [] if schema.get("type") == "null" else [schema]


def texts_at(operation: str, place: str) -> list[dict[str, Any]]:
    """The service's rules of a text of an operation: at a place of its body, or of its address."""
    row = OPERATIONS[operation]
    if place.startswith("?"):
        return [each for one in row["parameters"] if one.get("name") == place[1:] for each in resolved(one["schema"])]
    found = [each for content in row["requestBody"]["content"].values() for each in resolved(content["schema"])]
    for part in place.split("."):
        inner = [
            each["properties"][part.removesuffix("[]")]
            for each in found
            if part.removesuffix("[]") in each.get("properties", {})
        ]
        found = [each for schema in inner for each in resolved(schema)]
        if part.endswith("[]"):
            found = [each for array in found for each in resolved(array["items"])]
    return [each for each in found if each.get("type") == "string"]


def differences(field: TextLine, rule: dict[str, Any]) -> list[str]:
    """In what a field of a form and the service's text are not the same."""
    if pattern := rule.get("pattern"):
        own = {validator.regex.pattern for validator in field.validators if isinstance(validator, RegexValidator)}
        same = {each.replace(r"\Z", "$") for each in own}
        return [] if pattern in same else [f"the service's pattern is {pattern}, the field's {sorted(same)}"]
    return [
        f"{name}: {ours} here, {theirs} there"
        for name, ours, theirs in (
            ("characters", field.max_length, rule.get("maxLength")),
            ("must be visible", field.visible, bool(rule.get("minLength"))),
            # A field of one line where the service takes many is how the page looks.
            ("many lines", field.many_lines, field.many_lines and bool(rule.get("x-many-lines"))),
        )
        if ours != theirs
    ]


def test_the_table_has_every_field_of_text_once_and_no_other() -> None:
    names = [row["field"] for row in csv.DictReader(FILE.read_text().splitlines())]
    assert names == sorted(names)
    assert len(names) == len(set(names))
    assert set(names) == set(declared()) | set(fields_of_constructors())


def test_each_is_of_an_operation_or_says_why_it_stays_here() -> None:
    for name, row in ROWS.items():
        assert bool(row["operations"]) == bool(row["body"]), name
        assert row["operations"] or row["why"], name
        for operation in row["operations"].split():
            assert texts_at(operation, row["body"]), f"{name}: {operation} has no text {row['body']}"


def test_what_a_form_takes_the_service_takes() -> None:
    fields = fields_of_constructors() | declared()
    wrong, needless = {}, []
    for name, row in ROWS.items():
        each = [
            f"{operation}: {one}"
            for operation in row["operations"].split()
            for rule in texts_at(operation, row["body"])
            for one in differences(fields[name], rule)
        ]
        if each and not row["why"]:
            wrong[name] = each
        needless += [name] if row["operations"] and row["why"] and not each else []
    assert wrong == {}
    assert needless == [], "their reasons are not needed any more"


@pytest.mark.parametrize(
    ("field", "rule", "same"),
    [
        (TextLine(max_length=100), {"maxLength": 100}, True),
        (TextLine(max_length=101), {"maxLength": 100}, False),
        (TextLine(max_length=100), {"maxLength": 100, "minLength": 1}, False),
        (TextBlock(max_length=100), {"maxLength": 100}, False),
        (TextBlock(max_length=100), {"maxLength": 100, "x-many-lines": True}, True),
    ],
)
def test_the_comparison_sees_length_and_kind(field: TextLine, rule: dict[str, Any], same: bool) -> None:
    assert (differences(field, rule) == []) is same
