"""What came of a replay, in sentences."""

from __future__ import annotations

from datetime import date

from dashboard.policies.models import Replay, ReplayChange
from dashboard.policies.results import MINUTES_PER_VOTE, ReplayResult, weighed_text


def replay_summary(replay: Replay) -> list[tuple[str, bool]]:
    """What came of a replay in sentences, each with whether it is a reason to stop."""
    if not replay.is_done:
        return []
    result: ReplayResult = replay.result
    changes = result["changes"]
    other = sum(count for code, count in changes.items() if code != ReplayChange.UNWEIGHED)
    days = f"{_day(replay.first_day)} to {_day(replay.last_day)}"
    sentences = [
        (f"Replayed over {days}: {other:,} of {weighed_text(result)} would have been decided differently.", False)
    ]
    for change in ReplayChange:
        if count := changes.get(change.value, 0):
            sentences.append((f"{count:,} {PHRASES[change]}", change is ReplayChange.NOBODY))
    if votes := result["votes"]:
        sentences.append((votes_text(votes), False))
    return sentences


PHRASES = {
    ReplayChange.NOBODY: "would have found nobody who could approve.",
    ReplayChange.BLOCKED: "would have been blocked.",
    ReplayChange.APPROVAL: "would have been sent for approval.",
    ReplayChange.FLAGGED: "would have been flagged.",
    ReplayChange.ROUTE: "would have gone to other approvers, or needed another number of approvals.",
    ReplayChange.RELEASED: "would have been let through, or without a flag.",
    ReplayChange.UNWEIGHED: "could not be weighed: the copy does not know enough.",
}


def votes_text(votes: int) -> str:
    """How many votes more or fewer that is, and what it comes to in hours, which is an estimate."""
    hours = abs(votes) * MINUTES_PER_VOTE / 60
    word = "more" if votes > 0 else "fewer"
    return f"{abs(votes):,} {word} approvals: about {hours:,.1f} hours of approvers, estimated at {MINUTES_PER_VOTE} minutes each."


def _day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"
