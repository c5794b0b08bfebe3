"""The membership that a request acts by, with its person and its business, read by a statement that is written once."""

from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import Field, Model

from dashboard.access.models import Business, Membership, User

TABLES: tuple[tuple[str, type[Model]], ...] = (("", Membership), ("user__", User), ("business__", Business))
# What stands in the statement where the person and the address of a request are put.
ANY_PERSON, ANY_ADDRESS = 0, "-"


def membership_of_user(user_id: int | str, slug: str) -> Membership | None:
    """The active membership of a person in the business at this address, its `user` and `business` read with it; None
    where there is none. `user_id` is as the session has it."""
    sql, places = _statement()
    given: dict[Any, int | str] = {ANY_PERSON: int(user_id), ANY_ADDRESS: slug}
    with connection.cursor() as cursor:
        cursor.execute(sql, [given[place] for place in places])
        row = cursor.fetchone()
    if row is None:
        return None
    columns = iter(row)
    membership: Membership
    membership, membership.user, membership.business = (
        _object(model, [next(columns) for _ in model._meta.concrete_fields]) for _, model in TABLES
    )
    return membership


@lru_cache(maxsize=1)
def _statement() -> tuple[str, tuple[Any, ...]]:
    # As the ORM writes it, which costs as much as running it.
    named = [f"{prefix}{field.attname}" for prefix, model in TABLES for field in model._meta.concrete_fields]
    rows = Membership.objects.filter(user_id=ANY_PERSON, business__slug=ANY_ADDRESS, is_active=True)
    sql, places = rows.values_list(*named).query.sql_with_params()
    return sql, tuple(places)


def _object(model: type[Model], values: list[Any]) -> Any:
    for at, convert in _converted(model):
        values[at] = convert(values[at], None, connection)
    return model.from_db(connection.alias, _names(model), values)


@lru_cache(maxsize=8)
def _names(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


@lru_cache(maxsize=8)
def _converted(model: type[Model]) -> list[tuple[int, Any]]:
    fields: list[Field[Any, Any]] = list(model._meta.concrete_fields)
    return [(at, convert) for at, field in enumerate(fields) for convert in field.get_db_converters(connection)]
