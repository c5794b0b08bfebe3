"""The moments at which policies and workflows decided on an item: when it was spent, entered or requested, and at each decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.mirror.models import Approval, ApprovalRequest, Bill, Expense, Mirrored

# A policy is read again for each moment: of more than so many the first and the last are listed.
MOST_MOMENTS = 12


@dataclass(frozen=True, slots=True)
class EvidenceMoment:
    """A moment, and what happened at it: "spent", "decided by Rita Wanjiru"."""

    at: datetime
    event: str


def moments_of_item(rows: Iterable[Mirrored], decided: Iterable[tuple[datetime, str]]) -> list[EvidenceMoment]:
    """When these rows were spent, entered or requested and, as (when, by whom), decided on, the earliest first, each moment once."""
    moments = [*_own(rows), *(EvidenceMoment(at, f"decided by {by}") for at, by in decided)]
    events: dict[datetime, str] = {}
    for moment in sorted(moments, key=lambda moment: moment.at):
        events.setdefault(moment.at, moment.event)
    return [EvidenceMoment(at, event) for at, event in events.items()]


def listed_moments(moments: Sequence[EvidenceMoment]) -> list[EvidenceMoment]:
    """The first and the last of more than MOST_MOMENTS."""
    half = MOST_MOMENTS // 2
    return [*moments] if len(moments) <= MOST_MOMENTS else [*moments[:half], *moments[-half:]]


def moment_of_row(row: Mirrored) -> datetime | None:
    """When an expense was spent, a bill entered, or a request requested; None for anything else."""
    if isinstance(row, Expense):
        return row.transaction_date
    if isinstance(row, Bill):
        return row.entered_at
    return row.requested_at if isinstance(row, Approval | ApprovalRequest) else None


def _own(rows: Iterable[Mirrored]) -> Iterator[EvidenceMoment]:
    # A payment and the vote on it have one number, and were requested at once.
    requested: set[str] = set()
    for row in rows:
        at = moment_of_row(row)
        if at is not None and isinstance(row, Expense | Bill):
            yield EvidenceMoment(at, "spent" if isinstance(row, Expense) else "entered")
        if at is not None and isinstance(row, Approval | ApprovalRequest) and row.ref not in requested:
            requested |= {row.ref} - {""}
            yield EvidenceMoment(at, "requested")
