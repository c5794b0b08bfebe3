"""Writing very many rows of a model at once, by COPY: for histories that are made, not lived."""

from collections.abc import Iterable
from typing import TypeVar

from django.db import connection
from django.db.models import Model

M = TypeVar("M", bound=Model)


def copy(model: type[M], rows: Iterable[M]) -> int:
    """Writes unsaved rows as they are, every column given; how many. Constraints are checked, signals are not sent."""
    fields = model._meta.concrete_fields
    plain = [field.get_internal_type() != "JSONField" for field in fields]
    names = [str(field.attname) for field in fields]
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    count = 0
    with (
        connection.cursor() as cursor,
        cursor.copy(f"copy {connection.ops.quote_name(model._meta.db_table)} ({columns}) from stdin") as stream,
    ):
        for row in rows:
            values = [getattr(row, name) for name in names]
            stream.write_row(
                [
                    value if as_it_is else field.get_db_prep_save(value, connection)
                    for field, value, as_it_is in zip(fields, values, plain, strict=True)
                ]
            )
            count += 1
    return count
