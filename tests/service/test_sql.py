"""Statements that are sent together: in their order, in Django's transaction, and each with what it gave."""

import psycopg
import pytest
from django.db import DataError, connection, transaction

from service import sql
from service.businesses.models import Business
from service.sql import SqlStatement
from tests.service.house import House

SLEEPS = "select 1 from pg_sleep(0)"


def test_each_gets_its_own_rows(db: None) -> None:
    answers = sql.together(
        SqlStatement("select %s::int, %s", [1, "50 % of it"]),
        SqlStatement("select n from generate_series(1, 3) n where n > %s and '%%' <> ''", [1]),
        SqlStatement("select 1 where false"),
    )
    assert answers == [[(1, "50 % of it")], [(2,), (3,)], []]
    assert sql.together() == []


def test_values_of_any_size_are_one_statement(db: None) -> None:
    # Of a name that no other test of this connection prepares.
    statement = "select %s::bigint as of_any_size"
    assert [sql.row(statement, [number]) for number in (1, 70_000, 10**15)] == [(1,), (70_000,), (10**15,)]
    with connection.cursor() as cursor:
        cursor.execute(
            "select count(*) from pg_prepared_statements where statement = 'select $1::bigint as of_any_size'"
        )
        assert cursor.fetchone() == (1,)


def test_the_first_that_fails_is_raised_and_what_follows_did_not_run(house: House) -> None:
    rename = SqlStatement("update businesses_business set name = 'After' where id = %s", [house.business.id])
    with pytest.raises(DataError) as failure, transaction.atomic():
        sql.together(SqlStatement("select 1"), SqlStatement("select 1 / %s::int", [0]), rename)
    assert isinstance(failure.value.__cause__, psycopg.errors.DivisionByZero)
    assert Business.objects.get(pk=house.business.pk).name == house.business.name
    # And the connection goes on, with what it had prepared and what it has not.
    assert sql.rows("select 1 / %s::int", [1]) == [(1,)]


def test_what_cannot_be_written_is_refused_before_anything_is_sent(house: House) -> None:
    rename = SqlStatement("update businesses_business set name = 'After' where id = %s", [house.business.id])
    with pytest.raises(DataError), transaction.atomic():
        sql.together(rename, SqlStatement("select %s", ["\0"]))
    assert sql.row("select name from businesses_business where id = %s", [house.business.id]) == (house.business.name,)


def test_a_block_begins_with_the_first_of_them_and_ends_with_the_last(committed: None) -> None:
    with transaction.atomic():
        assert connection.connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        sql.together(SqlStatement(SLEEPS))
        assert connection.connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
        sql.end_with(SqlStatement(SLEEPS))
        assert connection.connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


def test_a_block_within_another_leaves_the_end_to_that_one(committed: None) -> None:
    with transaction.atomic():
        with transaction.atomic():
            sql.end_with(SqlStatement(SLEEPS))
        assert connection.connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS


def test_a_block_that_is_to_be_undone_is_not_committed(committed: None) -> None:
    with transaction.atomic():
        sql.execute(SLEEPS, [])
        transaction.set_rollback(True)
        sql.end_with(SqlStatement(SLEEPS))
        assert connection.connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
