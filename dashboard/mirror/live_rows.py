"""What a page has just read of the service, written through to the copy: a row that it shows, or the rows of a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.mirror.apply import upsert
from dashboard.mirror.mappers import Payload
from dashboard.mirror.models import Mirrored, Origin

LIVE_S = 1.5


def refresh_row(actor: Actor, kind: str, row: Mirrored, operation: Operation) -> bool:
    """Brings a row up to what `operation` reads of it by its `id` now, in 1.5 seconds at most; False where the service does
    not answer, or not to this actor, and the copy has to do."""
    try:
        answer = read_live(actor, operation, path={"id": row.remote_id}, subject=row, deadline=LIVE_S, tries=1)
    except FinanceError:
        return False
    store_rows(actor, kind, [answer.data])
    row.refresh_from_db()
    return True


def store_rows(actor: Actor, kind: str, payloads: Iterable[Payload], *, read_at: datetime | None = None) -> None:
    """Writes rows of a kind as a read has just answered them; `read_at` is when it began, where rows that were taken for
    deleted may be among them."""
    upsert(kind, actor.business, payloads, Origin.POLL, read_at=read_at)


def store_parts(actor: Actor, kind: str, row: Mirrored, changes: Mapping[str, object]) -> None:
    """Writes what a read has just answered of some fields of a row; the others stay as the copy has them."""
    store_rows(actor, kind, [{**row.payload, **changes}])
    row.refresh_from_db()
