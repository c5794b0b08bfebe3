"""Reading something small live, and its last good answer where the service does not give one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.operation import ALL, Operation
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError, NotAllowed, NotFound
from dashboard.mirror.models import StoredResponse

READ_S = 1.5


@dataclass(frozen=True)
class CachedResponse:
    """What was answered, and when. `trouble` says why it is the last good one; `data` is None where there is none."""

    data: Any
    as_of: datetime | None = None
    trouble: str = ""


class StoredText(NamedTuple):
    """An answer as the database has it, in JSON, and when it was given."""

    text: str
    as_of: datetime


def stored_text(actor: Actor, operation: Operation, *, fresh_s: int, item: str = "") -> StoredText | None:
    """The stored answer of a list, or of an item, that is at most so many seconds old; None where there is none. For who reads it
    into what equal texts always are, of operations as `read_or_cached` takes them."""
    _check_is_for_all(operation)
    since = timezone.now() - timedelta(seconds=fresh_s)
    with connection.cursor() as cursor:
        cursor.execute(_text_statement(), (actor.business.pk, operation.name, item, since))
        row = cursor.fetchone()
    return None if row is None else StoredText(*row)


@lru_cache(maxsize=1)
def _text_statement() -> str:
    # As the ORM writes it, which costs several times what running it does. One after the other: it sorts the conditions of one
    # call by their names.
    rows = StoredResponse.objects.filter(business_id=0).filter(operation="-").filter(item="-")
    rows = rows.filter(as_of__gte=timezone.now())
    return str(rows.values_list(Cast("payload", TextField()), "as_of").query.sql_with_params()[0])


def _check_is_for_all(operation: Operation) -> None:
    if operation.rows is not ALL or not operation.is_read:
        raise TypeError(f"{operation} is not the same for everybody who may read it")


def read_or_cached(
    actor: Actor,
    operation: Operation,
    *,
    item: str = "",
    path: Mapping[str, str] | None = None,
    query: Mapping[str, str | int] | None = None,
    subject: object | None = None,
    fresh_s: int = 0,
) -> CachedResponse:
    """The answer as it is now, or the last one that was stored: where `fresh_s`, one that is at most so many seconds old
    is not asked for again. Raises NotAllowed and NotFound: those are answers.

    For operations that reach all rows alone: what one may read is then the same for all who may.
    """
    _check_is_for_all(operation)
    key: dict[str, Any] = {"business": actor.business, "operation": operation.name, "item": item}
    if fresh_s:
        since = timezone.now() - timedelta(seconds=fresh_s)
        if (stored := StoredResponse.objects.filter(**key, as_of__gte=since).first()) is not None:
            return CachedResponse(stored.payload, stored.as_of)
    try:
        answer = read_live(actor, operation, path=path, query=query, subject=subject, deadline=READ_S)
    except (NotAllowed, NotFound):
        raise
    except FinanceError as error:
        row = StoredResponse.objects.filter(**key).first()
        return CachedResponse(row.payload if row else None, row.as_of if row else None, error.user_message)
    fresh = {"payload": answer.data, "as_of": answer.as_of}
    if not StoredResponse.objects.filter(**key).update(**fresh):
        # Two first readers at once: the one is as good as the other.
        StoredResponse.objects.bulk_create([StoredResponse(**key, **fresh)], ignore_conflicts=True)
    return CachedResponse(answer.data, answer.as_of)
