"""What one request makes, named by its Idempotency-Key: the second, permanent guard behind the stored answers.

A stored answer is forgotten after its days, a money reference never is (decisions B.2). So what a request with a key
makes has an id that comes from the key, and a repeat finds it however late it comes. Without a key each id is fresh.
"""

from typing import TypeVar

from django.db.models import Model, QuerySet

from service import errors
from service.caller import Caller
from service.ids import object_id

M = TypeVar("M", bound=Model)


def new_id(caller: Caller) -> str:
    """The id (24 hexadecimal digits) of what the caller's request makes."""
    return f"{caller.effect.place}{caller.effect.content}" if caller.effect else object_id()


def named(caller: Caller) -> str:
    """The value of a row's column `effect`, where its id is its own, by which a retry is known; empty without a key."""
    return new_id(caller) if caller.effect else ""


def earlier(caller: Caller, rows: QuerySet[M], *, field: str = "id", before: str = "") -> M | None:
    """What a request under the same key made before, None for the first; `field` holds `before` and then the id.

    422 idempotency_key_reused where that request asked for something else.
    """
    if caller.effect is None:
        return None
    start = before + caller.effect.place
    # A range, not LIKE: any index of the field serves it. No hexadecimal digit sorts behind "g".
    existing = rows.filter(**{f"{field}__gte": start, f"{field}__lt": f"{start}g"}).order_by(field).first()
    if existing is not None and getattr(existing, field) != before + new_id(caller):
        raise errors.idempotency_key_reused()
    return existing


def reference(caller: Caller, what: str) -> str:
    """The ledger reference of something that has no row of its own, such as "allocation:…"."""
    return f"{what}:{new_id(caller)}"
