"""Statements that run in nearly every request: prepared once per connection, so that PostgreSQL plans them once.

Django binds parameters on the client, and every statement is parsed and planned anew; for a join of five tables that
costs more than running it.
"""

from collections.abc import Sequence
from typing import Any

import psycopg
from django.db import connection


def rows(statement: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Runs a statement on Django's connection, in its transaction, and fetches all rows."""
    with _run(statement, params) as cursor:
        return cursor.fetchall()


def row(statement: str, params: Sequence[Any]) -> tuple[Any, ...] | None:
    """The first row of a statement as a tuple, or None."""
    with _run(statement, params) as cursor:
        return cursor.fetchone()


def execute(statement: str, params: Sequence[Any]) -> None:
    """Runs a statement that gives no rows."""
    _run(statement, params).close()


def _run(statement: str, params: Sequence[Any]) -> "psycopg.Cursor[tuple[Any, ...]]":
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        cursor = psycopg.Cursor(connection.connection)
        return cursor.execute(statement, params, prepare=True)
