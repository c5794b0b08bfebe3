"""How a decision is told once it is taken: in a sentence, and as the toast with its undo."""

from typing import Any

from django.utils import timezone

from dashboard.access.operation import Operation
from dashboard.decisions.models import Decision, State
from dashboard.times import milliseconds

ENDED_BADLY = (State.REFUSED, State.LOST, State.CANCELLED)


def outcome_sentence(operation: Operation, decision: Decision) -> str:
    """The decision and its outcome as text, such as "You approved X. Done."; the outcome only once it has one."""
    sentence = operation.sentence(decision.title)
    return f"You {sentence}. {decision.message}".strip()


def toast_of(operation: Operation, decision: Decision) -> dict[str, Any]:
    """The toast of a decision: with its countdown while it can be undone, else with its outcome."""
    left = int((decision.due_at - timezone.now()).total_seconds()) if decision.can_be_undone else 0
    return {
        "id": decision.pk,
        "sentence": operation.sentence(decision.title),
        "seconds": max(0, left),
        "due": milliseconds(decision.due_at),
        "open": decision.is_open,
        "bad": decision.state in ENDED_BADLY,
        "outcome": decision.message,
        "not_done_sentence": decision.not_done_sentence,
    }
