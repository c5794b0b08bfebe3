"""What must hold of the ledger at every moment (decisions C.5), as queries that find the first row that breaks it."""

import hashlib
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import connection, transaction


@dataclass(frozen=True, slots=True)
class Breach:
    """The number of an invariant, the invariant in words, and the first row that breaks it."""

    number: int
    invariant: str
    row: str


SEALED_SOON = "everything committed is sealed within a minute"

# Each finds at most one row and says in a text which. Number 9 (mirror = ledger) is the dashboard's to check.
CHECKS: list[tuple[int, str, str]] = [
    (
        1,
        "the entries of each transaction sum to zero in each currency",
        """SELECT 'transaction ' || t.id || ': ' || coalesce(e.currency, 'no entries') || ' ' || coalesce(sum(e.amount), 0)
           FROM ledger_transaction t LEFT JOIN ledger_entry e ON e.transaction_id = t.id
           GROUP BY t.id, e.currency HAVING coalesce(sum(e.amount), -1) <> 0 ORDER BY t.id LIMIT 1""",
    ),
    (
        1,
        "an entry belongs to a transaction and an account of one business, in the account's currency",
        """SELECT 'entry ' || e.account_id || '/' || e.seq
           FROM ledger_entry e LEFT JOIN ledger_transaction t ON t.id = e.transaction_id
           LEFT JOIN ledger_account a ON a.id = e.account_id
           WHERE t.business_id IS DISTINCT FROM a.business_id OR a.currency IS DISTINCT FROM e.currency OR t.id IS NULL
           ORDER BY e.account_id, e.seq LIMIT 1""",
    ),
    (
        2,
        "a balance row is the sum of its entries and repeats its account",
        """SELECT 'balance of account ' || a.id || ': ' || coalesce(b.posted::text, 'missing') || ', entries '
               || coalesce(e.total, 0)
           FROM ledger_account a LEFT JOIN ledger_balance b ON b.account_id = a.id
           LEFT JOIN (SELECT account_id, sum(amount) AS total, max(seq) AS seq FROM ledger_entry GROUP BY account_id) e
               ON e.account_id = a.id
           WHERE a.mode = 'IMMEDIATE' AND (b.posted, b.seq, b.currency, b.business_id, b.frozen, b.minimum < 0)
               IS DISTINCT FROM (coalesce(e.total, 0), coalesce(e.seq, 0), a.currency, a.business_id, a.frozen,
                                 a.allow_negative)
           ORDER BY a.id LIMIT 1""",
    ),
    (
        2,
        "a snapshot is the sum of the entries up to it",
        """SELECT 'snapshot ' || s.id || ' of account ' || s.account_id || ': ' || s.posted
           FROM ledger_snapshot s
           JOIN (SELECT account_id, seq, sum(amount) OVER (PARTITION BY account_id ORDER BY seq) AS total
                 FROM ledger_entry) e ON e.account_id = s.account_id AND e.seq = s.seq
           WHERE s.posted <> e.total ORDER BY s.id LIMIT 1""",
    ),
    (
        3,
        "the entries of an account are numbered without gaps and carry its running balance",
        """SELECT 'entry ' || account_id || '/' || seq FROM (
               SELECT e.account_id, e.seq, e.balance_after,
                      row_number() OVER legs AS place, sum(e.amount) OVER legs AS running
               FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id AND a.mode = 'IMMEDIATE'
               WINDOW legs AS (PARTITION BY e.account_id ORDER BY e.seq)) x
           WHERE seq <> place OR balance_after IS DISTINCT FROM running ORDER BY account_id, seq LIMIT 1""",
    ),
    (
        3,
        "the runs of an account are its entries, put together by consecutive days",
        """SELECT 'run ' || coalesce(r.account_id, e.account_id) || '/' || coalesce(r.seq, e.seq)
           FROM ledger_run r FULL JOIN (
               SELECT entry.account_id, entry.seq, t.effective_on, entry.balance_after - entry.amount AS opening,
                      lag(t.effective_on) OVER (PARTITION BY entry.account_id ORDER BY entry.seq) AS day_before
               FROM ledger_entry entry JOIN ledger_transaction t ON t.id = entry.transaction_id
               JOIN ledger_account a ON a.id = entry.account_id AND a.mode = 'IMMEDIATE') e
               ON e.account_id = r.account_id AND e.seq = r.seq
           WHERE (r.effective_on, r.opening) IS DISTINCT FROM (e.effective_on, e.opening)
                 AND (r.seq IS NOT NULL OR e.day_before IS DISTINCT FROM e.effective_on)
              OR r.seq IS NOT NULL AND e.day_before IS NOT DISTINCT FROM e.effective_on
           ORDER BY 1 LIMIT 1""",
    ),
    (
        4,
        "no debit leaves an account below zero where that is forbidden",
        """SELECT 'entry ' || e.account_id || '/' || e.seq || ': ' || e.balance_after
           FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id AND NOT a.allow_negative
           JOIN ledger_transaction t ON t.id = e.transaction_id AND NOT t.forced
           WHERE e.balance_after < 0 AND e.amount < 0 AND t.hold_id IS NULL ORDER BY e.account_id, e.seq LIMIT 1""",
    ),
    (
        5,
        "what is pending is the sum of the open holds",
        """SELECT 'balance of account ' || b.account_id || ': ' || b.pending_out || '/' || b.pending_in || ', holds '
               || coalesce(h.going, 0) || '/' || coalesce(h.coming, 0)
           FROM ledger_balance b LEFT JOIN (
               SELECT account_id, sum(amount - captured) FILTER (WHERE NOT incoming) AS going,
                      sum(amount) FILTER (WHERE incoming) AS coming
               FROM ledger_hold WHERE status = 'PENDING' GROUP BY account_id) h ON h.account_id = b.account_id
           WHERE b.pending_out <> coalesce(h.going, 0) OR b.pending_in <> coalesce(h.coming, 0)
           ORDER BY b.account_id LIMIT 1""",
    ),
    (
        6,
        "a reference posts once",
        """SELECT 'transaction ' || max(id) || ': ' || external_ref FROM ledger_transaction
           GROUP BY business_id, external_ref HAVING count(*) > 1 ORDER BY max(id) LIMIT 1""",
    ),
    (
        7,
        "a reversal undoes exactly what it reverses",
        """SELECT 'transaction ' || r.id || ' reversing ' || r.reverses_id FROM ledger_transaction r
           WHERE r.reverses_id IS NOT NULL AND EXISTS (
               SELECT FROM ledger_entry e WHERE e.transaction_id IN (r.id, r.reverses_id)
               GROUP BY e.account_id HAVING sum(e.amount) <> 0)
           ORDER BY r.id LIMIT 1""",
    ),
    (
        8,
        SEALED_SOON,
        """SELECT 'transaction ' || t.id || ' of ' || t.created_at FROM ledger_transaction t
           WHERE t.created_at < now() - interval '1 minute'
             AND NOT EXISTS (SELECT FROM ledger_seal s WHERE s.transaction_id = t.id) ORDER BY t.id LIMIT 1""",
    ),
    (
        10,
        "wallets and system accounts together are zero, per business and currency",
        """SELECT 'business ' || a.business_id || ' ' || a.currency || ': ' || sum(coalesce(b.posted, e.total, 0))
           FROM ledger_account a LEFT JOIN ledger_balance b ON b.account_id = a.id
           LEFT JOIN (SELECT account_id, sum(amount) AS total FROM ledger_entry GROUP BY account_id) e
               ON e.account_id = a.id
           GROUP BY a.business_id, a.currency HAVING sum(coalesce(b.posted, e.total, 0)) <> 0
           ORDER BY a.business_id, a.currency LIMIT 1""",
    ),
]


class Cursor(Protocol):
    """What the checks need of a cursor: Django's and psycopg's both have it."""

    def execute(self, query: str, /) -> object:
        """Sends a statement of SQL with its parameters."""

    def fetchone(self) -> Any:
        """The next row of the answer; None where there is none."""

    def fetchmany(self, size: int, /) -> Any:
        """The next rows of the answer, at most so many; [] at the end."""


def breaches(*, sealed: bool = True) -> list[Breach]:
    """Every invariant that does not hold, each with its first row, all read in one snapshot of the database.

    `sealed=False` leaves out that all is sealed within a minute (where no sealer runs).
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SET LOCAL statement_timeout = 0")
        return breaches_seen_by(cursor, sealed=sealed)


def breaches_seen_by(cursor: Cursor, *, sealed: bool = True) -> list[Breach]:
    """As `breaches`, read through the cursor of a transaction that is open already."""
    seen = []
    for number, invariant, query in CHECKS:
        if not sealed and invariant == SEALED_SOON:
            continue
        cursor.execute(query)
        row = cursor.fetchone()
        if row is not None:
            seen.append(Breach(number, invariant, row[0]))
    broken = broken_link(cursor)
    if broken is not None:
        seen.append(Breach(8, "the hash chain verifies", broken))
    return seen


def broken_link(cursor: Cursor) -> str | None:
    """The first transaction whose content is not what was sealed (or a gap in the chain); None where all verifies."""
    cursor.execute("SELECT position, head FROM ledger_horizon WHERE name = 'transaction'")
    length, last = cursor.fetchone()
    cursor.execute(
        "SELECT s.position, s.transaction_id, s.hash, ledger_canonical(s.transaction_id)"
        " FROM ledger_seal s WHERE s.position <= (SELECT position FROM ledger_horizon WHERE name = 'transaction')"
        " ORDER BY s.position"
    )
    head, expected = b"", 1
    while rows := cursor.fetchmany(1000):
        for position, transaction_id, sealed, text in rows:
            if position != expected:
                return f"seal {expected} is missing"
            head = hashlib.sha256(head + (text or "").encode()).digest()
            if text is None or head != bytes(sealed):
                return f"transaction {transaction_id} (seal {position})"
            expected += 1
    if length != expected - 1 or bytes(last) != head:
        return f"the chain ends at {expected - 1}, its head says {length}"
    return None
