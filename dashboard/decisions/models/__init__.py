"""The outbox of decisions, the alerts that rise from it, and the samples that are drawn of it."""

from dashboard.decisions.models.alerts import Alert
from dashboard.decisions.models.decision import (
    NOT_KNOWN,
    OPEN_DECISION_STATES,
    TRANSITIONS,
    Claim,
    Decision,
    DecisionState,
    mark_left,
)
from dashboard.decisions.models.samples import CountedApproval, DrawnBatch, Sample, WeeklyDraw, WeeklySample

__all__ = [
    "NOT_KNOWN",
    "OPEN_DECISION_STATES",
    "TRANSITIONS",
    "Alert",
    "Claim",
    "CountedApproval",
    "Decision",
    "DecisionState",
    "DrawnBatch",
    "Sample",
    "WeeklyDraw",
    "WeeklySample",
    "mark_left",
]
