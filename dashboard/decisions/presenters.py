"""How a decision is told once it is taken: in a sentence, and as the toast with its undo."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict
from uuid import UUID

from django.utils import timezone

from dashboard.access.operation import Operation
from dashboard.decisions.models import Decision, DecisionState
from dashboard.times import milliseconds, seconds_left

ENDED_BADLY = (DecisionState.REFUSED, DecisionState.LOST, DecisionState.CANCELLED)


def outcome_sentence(operation: Operation, decision: Decision) -> str:
    """The decision and its outcome as text, such as "You approved X. Done."; the outcome only once it has one."""
    sentence = operation.sentence(decision.title)
    return f"You {sentence}. {decision.message}".strip()


def undone_sentence(decisions: Sequence[Decision]) -> str:
    """What several decisions that were taken back together have come to: whether the service had seen any of them."""
    count, put_off = len(decisions), sum(decision.has_left for decision in decisions)
    if not put_off:
        return f"{count:,} undone. {'It was not' if count == 1 else 'None of them was'} sent."
    whole = "it" if count == 1 else "them" if put_off == count else f"{put_off:,} of them"
    return (
        f"{count:,} undone. The finance service had put {whole} off: {'it was not' if count == 1 else 'none was'} done."
    )


class ToastContext(TypedDict):
    """What shared/decision_toast.html reads: an id and a sentence; of a decision that can be undone for how many seconds
    and until when (ms since 1970); and of one that has ended its outcome."""

    id: UUID | str
    sentence: str
    seconds: NotRequired[int]
    due: NotRequired[int]
    open: NotRequired[bool]
    bad: NotRequired[bool]
    outcome: NotRequired[str]
    not_done_sentence: NotRequired[str]


def toast_of(operation: Operation, decision: Decision) -> ToastContext:
    """The toast of a decision: with its countdown while it can be undone, else with its outcome."""
    return {
        "id": decision.pk,
        "sentence": operation.sentence(decision.title),
        "seconds": seconds_left(decision.due_at, timezone.now()) if decision.can_be_undone else 0,
        "due": milliseconds(decision.due_at),
        "open": decision.is_open,
        "bad": decision.state in ENDED_BADLY,
        "outcome": decision.message,
        "not_done_sentence": decision.not_done_sentence,
    }
