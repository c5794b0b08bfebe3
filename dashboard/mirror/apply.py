"""Writing into the copy: many rows in one statement, the newer version wins, what is unchanged costs no write."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from psycopg import sql

from dashboard.access.models import Business
from dashboard.cache import increment
from dashboard.mirror.events import announce_written
from dashboard.mirror.mappers import (
    MAPPERS,
    Mapper,
    Payload,
    canonical_payload,
    mapped_columns,
    remote_id,
    updated_at,
    version,
)
from dashboard.mirror.models import ApprovalRequest, Origin
from dashboard.money import UnknownCurrencyError

log = logging.getLogger(__name__)

BATCH = 1000
# How long the open pages' counters live without a change: longer than any session.
COUNTER_SECONDS = 7 * 24 * 3600


@dataclass(frozen=True)
class UpsertResult:
    """What came of a batch: rows written, rows that were known already, and those that were not taken: older than ours,
    without a clock, or of an unknown currency."""

    changed: int = 0
    unchanged: int = 0
    refused: int = 0

    def __add__(self, other: UpsertResult) -> UpsertResult:
        return UpsertResult(
            self.changed + other.changed, self.unchanged + other.unchanged, self.refused + other.refused
        )


def upsert(
    kind: str, business: Business, payloads: Iterable[Payload], origin: Origin, *, read_at: datetime | None = None
) -> UpsertResult:
    """Brings resources of one kind into the copy.

    Greater versions win, and equal ones with other content; without versions the later `updatedAt` does. A read
    that began (`read_at`) after a row was tombstoned brings it back; an older one does not. Open pages see
    the change with their next poll. A row with amounts of an unknown currency is left out and logged; of a delivery it is
    an UnknownCurrencyError, by which the delivery is one that could not be applied.
    """
    rows = list(payloads)
    total = UpsertResult()
    for start in range(0, len(rows), BATCH):
        total += _upsert_batch(MAPPERS[kind], business, rows[start : start + BATCH], origin, read_at)
    if total.changed and (kind in {"expense", "approval"} or MAPPERS[kind].model is ApprovalRequest):
        notify_open_pages(business)
    return total


def upsert_expenses(
    business: Business, payloads: Iterable[Payload], origin: Origin | str = Origin.WRITE
) -> UpsertResult:
    """Expenses as GET /expenses or an answer of the service gives them."""
    return upsert("expense", business, payloads, Origin(origin))


def upsert_approvals(
    business: Business, payloads: Iterable[Payload], origin: Origin | str = Origin.WRITE
) -> UpsertResult:
    """Payment requests as GET /approvals/all(/digest) or an answer of the service gives them."""
    return upsert("approval", business, payloads, Origin(origin))


def notify_open_pages(business: Business) -> None:
    """Moves the counter that open pages poll, once the change can be seen; the poll reads nothing else."""
    transaction.on_commit(lambda: bump(business.pk))


def bump(business_id: int) -> None:
    """One more change that open pages of the business have not seen."""
    increment(f"inbox:{business_id}", COUNTER_SECONDS)


def tombstone(kind: str, business: Business, ids: Sequence[str], at: datetime, newest: int | None = None) -> int:
    """Marks rows as gone upstream; they stay for the audit. `newest` is the version of the deletion, where it
    has one. Returns how many rows were marked."""
    rows = MAPPERS[kind].model._default_manager.filter(business=business, remote_id__in=ids, tombstoned_at=None)
    changes: dict[str, Any] = {"tombstoned_at": at}
    if newest is not None:
        rows = rows.exclude(remote_version__gt=newest)
        changes["remote_version"] = newest
    tombstoned: int = rows.update(**changes)
    if tombstoned:
        notify_open_pages(business)
    return tombstoned


def _upsert_batch(
    mapper: Mapper, business: Business, payloads: Sequence[Payload], origin: Origin, read_at: datetime | None
) -> UpsertResult:
    latest = {remote_id(payload): payload for payload in payloads}
    now = timezone.now()
    with transaction.atomic(), connection.cursor() as cursor:
        stored_hashes = _stored_hashes(mapper, cursor, business, list(latest))
        rows: list[tuple[Any, ...]] = []
        unchanged = unreadable = 0
        for identifier in sorted(latest):
            payload = latest[identifier]
            body, digest = canonical_payload(payload)
            if stored_hashes.get(identifier) == digest:
                unchanged += 1
                continue
            try:
                columns = mapped_columns(mapper, payload, business.locale)
            except UnknownCurrencyError as unknown:
                if origin not in READS:
                    raise
                # One row must not keep the others out, for good: it is not there, and the day's comparison says so.
                log.warning("%s %s of business %s not read: %s", mapper.kind, identifier, business.pk, unknown)
                unreadable += 1
                continue
            rows.append((identifier, version(payload), updated_at(payload), body, digest, *columns))
        changed = _write(mapper, cursor, business, rows, origin, now, read_at) if rows else 0
        if changed:
            announce_written(business, mapper.kind, [row[0] for row in rows])
    return UpsertResult(changed, unchanged, len(rows) - changed + unreadable)


def _stored_hashes(mapper: Mapper, cursor: Any, business: Business, ids: list[str]) -> dict[str, str]:
    cursor.execute(_statements(mapper.model._meta.db_table, mapper).stored_hashes, [business.pk, ids])
    return dict(cursor.fetchall())


def _write(
    mapper: Mapper, cursor: Any, business: Business, rows: list[tuple[Any, ...]], origin: Origin, now: datetime,
    read_at: datetime | None,
) -> int:  # fmt: skip
    statements = _statements(mapper.model._meta.db_table, mapper)
    cursor.execute(statements.create_incoming)
    if connection.savepoint_ids:
        # Inside a caller's transaction the commit that empties the table has not come yet.
        cursor.execute(statements.empty_incoming)
    with cursor.copy(statements.copy) as copy:
        for row in rows:
            copy.write_row(row)
    cursor.execute(
        statements.merge,
        {"business": business.pk, "source": origin, "now": now, "read_at": read_at, "fresh_read": origin in READS},
    )
    written: int = cursor.rowcount
    return written


@dataclass(frozen=True)
class _Statements:
    stored_hashes: sql.Composed
    create_incoming: sql.Composed
    empty_incoming: sql.Composed
    copy: sql.Composed
    merge: sql.Composed


@cache
def _statements(table: str, mapper: Mapper) -> _Statements:
    columns = ("remote_id", "remote_version", "remote_updated_at", "payload", "payload_hash", *mapper.columns._fields)
    names = {
        "table": sql.Identifier(table),
        "incoming": sql.Identifier(f"incoming_{table}"),
        "columns": sql.SQL(", ").join(map(sql.Identifier, columns)),
        "assigned": sql.SQL(", ").join(_assigned(mapper, column) for column in columns[1:]),
    }
    return _Statements(
        # A row that is missing or gone is not "known": seeing it again must write.
        stored_hashes=sql.SQL(
            "SELECT remote_id, payload_hash FROM {table} WHERE business_id = %s AND remote_id = ANY(%s)"
            " AND tombstoned_at IS NULL AND missing_since IS NULL"
        ).format(**names),
        create_incoming=sql.SQL(
            "CREATE TEMP TABLE IF NOT EXISTS {incoming} ON COMMIT DELETE ROWS AS SELECT {columns} FROM {table} WITH NO DATA"
        ).format(**names),
        empty_incoming=sql.SQL("DELETE FROM {incoming}").format(**names),
        copy=sql.SQL("COPY {incoming} ({columns}) FROM STDIN").format(**names),
        # In the order of ids, so that two deliveries of the same rows wait for each other instead of deadlocking.
        merge=sql.SQL(
            "INSERT INTO {table} AS kept (business_id, source, first_seen, last_seen, {columns})"
            " SELECT %(business)s, %(source)s, %(now)s, %(now)s, {columns} FROM {incoming} ORDER BY remote_id"
            " ON CONFLICT (business_id, remote_id) DO UPDATE SET {assigned}, source = excluded.source,"
            " last_seen = excluded.last_seen, missing_since = NULL, tombstoned_at = NULL WHERE "
        ).format(**names)
        + sql.SQL(NEWER).format(),
    )


def _assigned(mapper: Mapper, column: str) -> sql.Composed:
    name = sql.Identifier(column)
    if mapper.marker_columns and column in mapper.marker_columns[1]:
        marker = sql.Identifier(mapper.marker_columns[0])
        return sql.SQL("{name} = CASE WHEN excluded.{marker} = '' THEN kept.{name} ELSE excluded.{name} END").format(
            name=name, marker=marker
        )
    return sql.SQL("{name} = excluded.{name}").format(name=name)


# A read and the answer to our own write show the resource as it is now; a delivery may be an old one.
READS = {Origin.POLL, Origin.WRITE}
NEWER = """
  CASE
    WHEN kept.tombstoned_at IS NOT NULL AND %(fresh_read)s THEN kept.tombstoned_at < %(read_at)s::timestamptz
    WHEN kept.remote_version IS NOT NULL AND excluded.remote_version IS NOT NULL
      THEN excluded.remote_version > kept.remote_version
        OR (excluded.remote_version = kept.remote_version AND kept.tombstoned_at IS NULL)
    WHEN kept.tombstoned_at IS NOT NULL THEN false
    WHEN kept.remote_updated_at IS NOT NULL AND excluded.remote_updated_at IS NOT NULL
      THEN excluded.remote_updated_at >= kept.remote_updated_at
    ELSE %(fresh_read)s
  END"""
