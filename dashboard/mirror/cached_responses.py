"""Reading something small live, and its last good answer where the service does not give one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

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
    if operation.rows is not ALL or not operation.is_read:
        raise TypeError(f"{operation} is not the same for everybody who may read it")
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
