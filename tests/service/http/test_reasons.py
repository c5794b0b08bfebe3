"""Why something is done is said in as much text, and in as many lines, whatever it is that is done."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db.models import CharField
from ninja import Schema
from pydantic import create_model

from service.api import v2

REASON = ("It was sent twice.\n\nThe second one is kept. " * 20)[:499] + "."
NAMES = ("reason", "proposal_reason")


def schemas(of: type[Schema] = Schema) -> Iterator[type[Schema]]:
    for below in of.__subclasses__():
        yield below
        yield from schemas(below)


def fields() -> dict[str, Any]:
    """Every field of a body or an answer that holds a reason, by schema and name."""
    assert v2.get_openapi_schema(path_prefix="")
    return {
        f"{schema.__module__}.{schema.__name__}.{name}": schema.model_fields[name]
        for schema in schemas()
        if schema.__module__.startswith("service.")
        for name in NAMES
        if name in schema.model_fields
    }


def test_every_reason_takes_as_many_characters_and_lines() -> None:
    assert len(fields()) >= 30
    refused = []
    for name, field in fields().items():
        body = create_model("Body", value=(field.annotation, field))
        alias = field.alias or "value"
        try:
            taken = body.model_validate({alias: REASON})
        except ValueError:
            refused.append(name)
        else:
            assert getattr(taken, "value") == REASON, name  # noqa: B009 - a field that was made a line ago
    assert refused == []


@pytest.mark.parametrize("app", [app.label for app in apps.get_app_configs() if app.name.startswith("service.")])
def test_and_each_is_stored_whole(app: str) -> None:
    columns = [
        field
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.get_fields()
        if isinstance(field, CharField) and field.name in NAMES
    ]
    assert [str(column) for column in columns if (column.max_length or 0) < len(REASON)] == []
