"""Statements that run in nearly every request: prepared once per connection, and sent several at once where none of them needs
what another answers.

Django binds parameters on the client, and every statement is parsed and planned anew; for a join of five tables that
costs more than running it. And each statement by itself is a journey to PostgreSQL and back, for which a request waits
and both sides are woken. What goes through here goes by libpq's pipeline (psycopg.pq), on Django's own connection and in
its transaction: what begins the transaction travels along, and what ends it can.
"""

import re
import select
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult

Row: TypeAlias = tuple[Any, ...]


class SqlStatement(NamedTuple):
    """A statement with a value for each %s in it."""

    text: str
    params: Sequence[Any] = ()


BEGIN, COMMIT = SqlStatement("begin"), SqlStatement("commit")
PLACE = re.compile("%s|%%")


def rows(statement: str, params: Sequence[Any]) -> list[Row]:
    """Runs a statement on Django's connection, in its transaction, and fetches all rows."""
    return together(SqlStatement(statement, params))[0]


def row(statement: str, params: Sequence[Any]) -> Row | None:
    """The first row of a statement as a tuple, or None."""
    answer = rows(statement, params)
    return answer[0] if answer else None


def execute(statement: str, params: Sequence[Any]) -> None:
    """Runs a statement that gives no rows."""
    together(SqlStatement(statement, params))


def together(*statements: SqlStatement) -> list[list[Row]]:
    """Runs statements one after the other in one journey; the rows of each. The first that fails is raised, and those behind
    it did not run."""
    if not statements:
        return []
    # Looked up once: what Django calls `connection` looks for the thread's own at each use of it.
    connection = connections[DEFAULT_DB_ALIAS]
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        return _run(connection.connection, statements)


def end_with(*statements: SqlStatement) -> None:
    """As `together`, the last of a block of Django's: the end of its transaction travels along, where the block is no part of
    another one."""
    connection = connections[DEFAULT_DB_ALIAS]
    is_outermost = connection.in_atomic_block and not connection.savepoint_ids and not connection.needs_rollback
    together(*statements, *((COMMIT,) if is_outermost else ()))


def trust() -> bool:
    """Spares the question whether the connection is still one, a journey of its own, which Django asks at the first use of it
    in a request. Answers whether it would have been asked.

    For who begins a transaction: where its first statement fails and the connection `is_lost`, nothing has happened, and it
    can be begun again on another one.
    """
    connection: Any = connections[DEFAULT_DB_ALIAS]
    is_unasked = (
        connection.connection is not None and connection.health_check_enabled and not connection.health_check_done
    )
    if is_unasked:
        connection.health_check_done = True
    return is_unasked


def is_lost() -> bool:
    """Whether there is no connection any more."""
    connection = connections[DEFAULT_DB_ALIAS]
    return connection.connection is None or bool(connection.connection.closed)


class _Prepared:
    """What a connection has prepared, by the statements' texts, and what writes and reads their values."""

    def __init__(self, owner: "psycopg.Connection[Any]") -> None:
        self.values, self.names, self.numbers = Transformer(owner), dict[str, bytes](), count()

    def packed(self, params: Sequence[Any]) -> "Sequence[Any] | None":
        """The values as texts, whose types PostgreSQL knows from the statement: so there is one of it, whatever they are."""
        return self.values.dump_sequence(params, [PyFormat.TEXT] * len(params)) if params else None

    def rows(self, result: PGresult) -> list[Row]:
        """What a statement gave."""
        if result.status != ExecStatus.TUPLES_OK or not result.ntuples:
            return []
        self.values.set_pgresult(result)
        return self.values.load_rows(0, result.ntuples, tuple)


_prepared: "WeakKeyDictionary[psycopg.Connection[Any], _Prepared]" = WeakKeyDictionary()


def _run(owner: "psycopg.Connection[Any]", statements: Sequence[SqlStatement]) -> list[list[Row]]:
    prepared = _prepared.get(owner)
    if prepared is None:
        prepared = _prepared[owner] = _Prepared(owner)
    with owner.lock:
        line = owner.pgconn
        begins = not owner.autocommit and line.transaction_status == TransactionStatus.IDLE
        sent = [BEGIN, *statements] if begins else statements
        # Before anything is sent: what cannot be written leaves nothing half said.
        values = [prepared.packed(statement.params) for statement in sent]
        line.enter_pipeline_mode()
        try:
            fresh = [_send(line, prepared, *pair) for pair in zip(sent, values, strict=True)]
            line.pipeline_sync()
            results = _results(line)
        finally:
            _leave(owner)
    answers = []
    for statement, name in zip(sent, fresh, strict=True):
        if name is not None:
            _checked(next(results))
            prepared.names[statement.text] = name
        answers.append(prepared.rows(_checked(next(results))))
    return answers[1:] if begins else answers


def _send(
    line: PGconn, prepared: _Prepared, sql_statement: SqlStatement, values: "Sequence[Any] | None"
) -> bytes | None:
    """Puts it into the pipeline; the name that it is prepared under, where it was not before."""
    name = prepared.names.get(sql_statement.text)
    if name is not None:
        line.send_query_prepared(name, values)
        return None
    name = b"sql_%d" % next(prepared.numbers)
    places = count(1)
    text = PLACE.sub(lambda match: f"${next(places)}" if match[0] == "%s" else "%", sql_statement.text)
    line.send_prepare(name, text.encode())
    line.send_query_prepared(name, values)
    return name


def _results(line: PGconn) -> Iterator[PGresult]:
    """What PostgreSQL answered to each thing that was sent, until it had all."""
    results: list[PGresult] = []
    answers = select.poll()
    answers.register(line.socket, select.POLLIN)
    while line.flush():  # more than the network takes at once, so that there may be answers before all is sent
        answers.modify(line.socket, select.POLLIN | select.POLLOUT)
        answers.poll()
        line.consume_input()
    answers.modify(line.socket, select.POLLIN)
    while True:
        # Waited for here, where other threads go on meanwhile: libpq would wait with all of Python stopped.
        while line.is_busy() and line.status == ConnStatus.OK:
            answers.poll()
            with suppress(psycopg.OperationalError):  # said below, with what the server said last
                line.consume_input()
        result = line.get_result()
        if result is None:  # between the answers to two
            if line.status != ConnStatus.OK:
                raise _farewell(line, results)
        elif result.status == ExecStatus.PIPELINE_SYNC:
            return iter(results)
        else:
            results.append(result)


def _farewell(line: PGconn, results: Sequence[PGresult]) -> psycopg.Error:
    """Why the connection is gone: what PostgreSQL said last, or what the network did."""
    failed = [result for result in results if result.error_field(DiagnosticField.SQLSTATE)]
    return error_from_result(failed[-1]) if failed else psycopg.OperationalError(line.get_error_message())


def _leave(owner: "psycopg.Connection[Any]") -> None:
    if owner.pgconn.status == ConnStatus.OK:
        try:
            owner.pgconn.exit_pipeline_mode()
        except psycopg.OperationalError:
            # Broken off with answers on their way: nobody could tell whose the next one is.
            owner.close()


def _checked(result: PGresult) -> PGresult:
    if result.status == ExecStatus.FATAL_ERROR:
        raise error_from_result(result)
    return result
