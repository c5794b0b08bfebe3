"""The rules under which many decisions were made: listed once for all that were made between two changes of a rule."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.decisions.models import DecisionState
from dashboard.evidence.decision_records import DecisionRecord
from dashboard.evidence.moments import EvidenceMoment, listed_moments
from dashboard.evidence.rules_in_force import AuditTrail, RulesInForce, moment_text, rule_changes_since, rules_at

CUT = "Policies and workflows are listed at {listed} of {count} moments."
NOT_GROUPED = "It is not known when each policy changed: policies are listed at moments of decisions, and may have changed between."


@dataclass(frozen=True, slots=True)
class RulesOfDecisions:
    """The rules at each moment that is listed, and what is not listed, in sentences."""

    rules: list[RulesInForce]
    notes: list[str]


def rules_of_decisions(
    trail: AuditTrail, decisions: Sequence[DecisionRecord], last: EvidenceMoment
) -> RulesOfDecisions:
    """The rules under which these were decided, and those of the `last` moment; each decision gets the moment of its own
    (`policies_at`). Raises Unavailable and TooMany: read again later."""
    counting = [row for row in decisions if row["state"] != DecisionState.CANCELLED]
    decided = sorted({datetime.fromisoformat(row["decided_at"]) for row in counting})
    changes = rule_changes_since(trail, decided[0]) if decided else []
    first_of = _first_of_spans(decided, changes)
    firsts = list(dict.fromkeys(first_of.values()))
    moments = listed_moments([EvidenceMoment(at, "a decision") for at in firsts])
    listed = {moment.at for moment in moments}
    for row in counting:
        at = first_of[datetime.fromisoformat(row["decided_at"])]
        row["policies_at"] = moment_text(at) if at in listed else ""
    notes = [NOT_GROUPED] if changes is None else []
    if len(moments) < len(firsts):
        notes.append(CUT.format(listed=len(moments), count=len(firsts)))
    rules: list[RulesInForce] = [
        {"at": moment_text(moment.at), "event": moment.event, "rules": rules_at(trail, moment.at)}
        for moment in (*moments, last)
    ]
    return RulesOfDecisions(rules, notes)


def _first_of_spans(decided: Sequence[datetime], changes: Sequence[datetime] | None) -> dict[datetime, datetime]:
    """The first decision since the same change, of each; each its own where changes are not known."""
    if changes is None:
        return {at: at for at in decided}
    firsts: dict[int, datetime] = {}
    return {at: firsts.setdefault(bisect_right(changes, at), at) for at in decided}
