"""The membership that a request acts by, with its person and its business, read by a statement that is written once."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from django.db import connection
from django.db.models import Model

from dashboard.access.models import Business, Membership, User
from dashboard.access.written_rows import WrittenRow, column_names, row_from_columns

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
    # In the order of TABLES.
    membership = _row(Membership, columns)
    membership.user, membership.business = _row(User, columns), _row(Business, columns)
    return membership


@lru_cache(maxsize=1)
def _statement() -> tuple[str, tuple[Any, ...]]:
    # As the ORM writes it, which costs as much as running it.
    named = [f"{prefix}{name}" for prefix, model in TABLES for name in column_names(model)]
    rows = Membership.objects.filter(user_id=ANY_PERSON, business__slug=ANY_ADDRESS, is_active=True)
    sql, places = rows.values_list(*named).query.sql_with_params()
    return sql, tuple(places)


def _row(model: type[WrittenRow], columns: Iterator[Any]) -> WrittenRow:
    """The next row that lies in the columns."""
    return row_from_columns(model, list(islice(columns, len(column_names(model)))))
