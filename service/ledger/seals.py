"""Behind the writers: sealing committed transactions into the hash chain, and remembering balances.

Both work up to a horizon (ledger_settle): the number below which no running transaction can still commit anything.
"""

import time

from django.db import connection

WAIT_S = 0.1


def _number(sql: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        row = cursor.fetchone()
    assert row is not None
    return int(row[0])


def seal(batch: int = 1000) -> int:
    """Seals what is settled, in batches, each in a transaction of its own; answers how many were sealed."""
    _number("SELECT ledger_settle('transaction')")
    sealed = 0
    while True:
        with connection.cursor() as cursor:
            cursor.execute("SELECT ledger_seal_next(%s)", [batch])
            row = cursor.fetchone()
        count = int(row[0]) if row else 0
        sealed += count
        if count < batch:
            return sealed


def has_waiting() -> bool:
    """Whether a committed transaction is not sealed yet."""
    return bool(
        _number(
            "SELECT count(*) FROM (SELECT FROM ledger_transaction t WHERE t.id > (SELECT done FROM ledger_horizon"
            " WHERE name = 'transaction') LIMIT 1) AS first"
        )
    )


def waiting() -> int:
    """How many committed transactions are not sealed yet: the lag to watch."""
    return _number(
        "SELECT count(*) FROM ledger_transaction t WHERE t.id > (SELECT done FROM ledger_horizon WHERE name ="
        " 'transaction')"
    )


def seal_all(seconds: float = 10) -> int:
    """Seals until nothing waits or the time is over (somebody's open transaction holds the horizon back)."""
    sealed, until = 0, time.monotonic() + seconds
    while waiting() and time.monotonic() < until:
        count = seal()
        sealed += count
        if not count:
            time.sleep(WAIT_S)
    return sealed


def write_snapshots() -> int:
    """Remembers all balances that changed since the last time; answers how many. Daily is enough."""
    settle_deferred()
    return _number("SELECT ledger_take_snapshots()")


def settle_deferred() -> int:
    """The number up to which no entry of a DEFERRED account can be committed any more, as far as that is known by now."""
    _number("SELECT ledger_settle('deferred')")  # two steps: this one notes, the next one settles
    return _number("SELECT ledger_settle('deferred')")
