"""How far a payout is, and which of the rows that somebody looks at stand otherwise than they are shown.

What is asked over and over while a payout is being paid: one query however many payments it has, and an answer that stays
small. What is shown is compared with what is there, so no change is missed, whenever it came: of many changes the first are
told, and the others still differ when it is asked again.
"""

from collections.abc import Mapping
from typing import Final, TypedDict

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.db.models.functions import JSONObject

from service import errors, money
from service.auth import Caller
from service.payments.models import Batch, Item, ItemStatus

# As many rows as a page has, and of them as many as one answer tells.
MOST_ROWS: Final = 100
MOST_CHANGED: Final = 20
# How a state is written in what the caller shows.
LETTERS: Final[Mapping[str, str]] = {
    ItemStatus.QUEUED: "Q",
    ItemStatus.SENT: "S",
    ItemStatus.SUCCEEDED: "P",
    ItemStatus.FAILED: "F",
    ItemStatus.RETURNED: "R",
}


class ProgressRowShape(TypedDict):
    """A payment that stands otherwise than it is shown."""

    position: int
    status: str
    failure_code: str


class ProgressShape(TypedDict):
    """How far a payout is, money in whole units and in minor units of its currency; `more`: other rows have changed, too."""

    batch_no: str
    status: str
    hold_reason: str
    item_count: int
    succeeded_count: int
    failed_count: int
    total_fees: object
    total_fees_minor: int
    version: int
    updatedAt: object
    rows: list[ProgressRowShape]
    more: bool


def positions_of(text: str) -> list[int]:
    """The positions of rows, as "1-40,57" names them, in that order; 400 for more than MOST_ROWS."""
    positions: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        begin, end = int(first), int(last or first)
        if end - begin + 1 + len(positions) > MOST_ROWS:
            raise errors.invalid_parameters("positions", f"At most {MOST_ROWS} rows are looked at.", "too_many")
        positions += range(begin, end + 1)
    return positions


def progress_of(caller: Caller, batch_no: str, positions: str, states: str) -> ProgressShape:
    """How far the payout is, with those of the rows at `positions` that stand otherwise than in `states`, a letter for each
    row in the same order (any other letter: it is not shown). 404 for another business's."""
    watched = positions_of(positions)
    rows = Item.objects.filter(batch=OuterRef("pk"), position__in=watched).order_by("position")
    row = JSONObject(position="position", status="status", failure_code="failure_code")
    batches = Batch.objects.filter(business_id=caller.business.id, batch_no=batch_no)
    batch = batches.annotate(rows=ArraySubquery(rows.values(row=row))).first()
    if batch is None:
        raise errors.not_found("payout")
    letters = dict(zip(watched, states, strict=False))
    changed: list[ProgressRowShape] = [
        row for row in batch.rows or () if LETTERS.get(row["status"]) != letters.get(row["position"])
    ]
    return {
        "batch_no": batch.batch_no,
        "status": batch.status,
        "hold_reason": batch.hold_reason,
        "item_count": batch.item_count,
        "succeeded_count": batch.succeeded_count,
        "failed_count": batch.failed_count,
        "total_fees": money.to_number(batch.fees_minor, batch.currency),
        "total_fees_minor": batch.fees_minor,
        "version": batch.version,
        "updatedAt": batch.updated_at,
        "rows": changed[:MOST_CHANGED],
        "more": len(changed) > MOST_CHANGED,
    }
