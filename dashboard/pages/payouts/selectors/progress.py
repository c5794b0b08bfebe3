"""How far a payout is that is being paid, and which of the payments that a page shows stand otherwise by now."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from pydantic import ValidationError

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError, NotFound
from dashboard.mirror.live_rows import store_parts
from dashboard.mirror.models import ApprovalRequest
from dashboard.schemas.payments import PayoutProgress, ProgressRow

POLL_S = 1.5
# Payments on one page.
ROWS = 100
RANGES = re.compile(r"[0-9]{1,4}(-[0-9]{1,4})?(,[0-9]{1,4}(-[0-9]{1,4})?){0,99}")
# The states of payments as a poll says what is shown: one of another state always differs from what it is.
LETTERS = {"QUEUED": "Q", "SENT": "S", "SUCCEEDED": "P", "FAILED": "F", "RETURNED": "R"}
NO_LETTER = "-"
# What an answer says of the payout itself, by the names that the payout has, too.
OF_PAYOUT = (
    "status", "hold_reason", "item_count", "succeeded_count", "failed_count", "total_fees", "total_fees_minor", "version",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WatchedRows:
    """Which payments a page shows, by their positions ("0-40,57"), and in which states, a letter for each in that order."""

    positions: str = ""
    states: str = ""

    def after(self, changed: Sequence[ProgressRow]) -> WatchedRows:
        """The same rows in the states that they have by now."""
        now = {row.position: LETTERS.get(row.status, NO_LETTER) for row in changed}
        positions = positions_in(self.positions)
        states = self.states.ljust(len(positions), NO_LETTER)
        letters = [now.get(position, letter) for position, letter in zip(positions, states, strict=False)]
        return WatchedRows(self.positions, "".join(letters))


def ranges_text(positions: Sequence[int]) -> str:
    """Ascending positions as text: [0, 1, 2, 7] is "0-2,7"."""
    groups = groupby(enumerate(positions), lambda entry: entry[1] - entry[0])
    runs = [[position for _, position in group] for _, group in groups]
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def positions_in(ranges: str) -> list[int]:
    """The positions of such a text; [] for one that is none, or that names more than a page has."""
    if not RANGES.fullmatch(ranges):
        return []
    positions: list[int] = []
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        positions += range(int(first), int(last or first) + 1)
        if len(positions) > ROWS:
            return []
    return positions


def read_progress(actor: Actor, payout: ApprovalRequest, watched: WatchedRows) -> list[ProgressRow] | None:
    """Writes through how far a payout is, and answers with those of the watched rows that stand otherwise than the
    page shows them; [] where the service does not answer now, None where it does not tell of rows."""
    query: dict[str, str | int] = {"positions": watched.positions, "states": watched.states}
    operation, path = operations_extra.READ_PAYOUT_PROGRESS, {"batch_no": payout.ref}
    try:
        answer = read_live(actor, operation, path=path, query=query, subject=payout, deadline=POLL_S, tries=1)
        progress = PayoutProgress.model_validate(answer.data)
    except NotFound:
        return None
    except (FinanceError, ValidationError):
        return []
    changes = {name: answer.data[name] for name in OF_PAYOUT if name in answer.data}
    if updated := answer.data.get("updatedAt"):
        # One moment under both names, as every other answer has it: by it the copy takes the later of two.
        changes |= {"updatedAt": updated, "updated_at": updated}
    store_parts(actor, "payout", payout, changes)
    return progress.rows
