"""Rows read by statements that are written once: what nearly every request asks for, of which the ORM would write the statement
anew each time, which costs as much as running it."""

from functools import lru_cache
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model

WrittenRow = TypeVar("WrittenRow", bound=Model)


@lru_cache(maxsize=16)
def column_names(model: type[Model]) -> list[str]:
    """The columns of a model as a query names them, in the order in which `row_from_columns` takes their values."""
    return [field.attname for field in model._meta.concrete_fields]


def row_from_columns(model: type[WrittenRow], values: list[Any]) -> WrittenRow:
    """The row with these values of all its columns, as the database gives them."""
    for at, convert in _converted(model):
        values[at] = convert(values[at], None, connection)
    return model.from_db(connection.alias, column_names(model), values)


@lru_cache(maxsize=16)
def _converted(model: type[Model]) -> list[tuple[int, Any]]:
    fields = list(enumerate(model._meta.concrete_fields))
    return [(at, convert) for at, field in fields for convert in field.get_db_converters(connection)]
