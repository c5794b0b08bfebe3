"""The rules under which many decisions were made: listed once for all that were made between two changes of a rule."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from dashboard.decisions.models import DecisionState
from dashboard.evidence.decision_records import DecisionRecord
from dashboard.evidence.moments import EvidenceMoment, listed_moments
from dashboard.evidence.rules_in_force import AuditTrail, RulesInForce, moment_text, rule_changes_since, rules_at

CUT = "Policies and workflows are listed at {listed} of {count} moments."
NOT_GROUPED = "It is not known when each policy changed: policies are listed at moments of decisions and items, and may have changed between."


@dataclass(frozen=True, slots=True)
class RulesOfDecisions:
    """The rules at each moment that is listed, what is not listed, in sentences, and of each moment that was asked about the first
    of those between the same two changes of a rule."""

    rules: list[RulesInForce]
    notes: list[str]
    first_of: Mapping[datetime, datetime]

    def policies_at(self, at: datetime) -> str:
        """The moment of policies.json whose policies were in force at one that was asked about; "" where none is listed for it."""
        text = moment_text(self.first_of[at]) if at in self.first_of else ""
        return text if any(then["at"] == text for then in self.rules) else ""


def rules_of_decisions(
    trail: AuditTrail, decisions: Sequence[DecisionRecord], last: EvidenceMoment, others: Iterable[EvidenceMoment] = ()
) -> RulesOfDecisions:
    """The rules under which these were decided, those of `others`, and those of the `last` moment; each decision gets the moment of
    its own (`policies_at`). Raises Unavailable and TooMany: read again later."""
    counting = [row for row in decisions if row["state"] != DecisionState.CANCELLED]
    events = {moment.at: moment.event for moment in others}
    events |= {datetime.fromisoformat(row["decided_at"]): "a decision" for row in counting}
    moments_in_order = sorted(events)
    changes = rule_changes_since(trail, moments_in_order[0]) if moments_in_order else []
    first_of = _first_of_spans(moments_in_order, changes)
    firsts = list(dict.fromkeys(first_of.values()))
    moments = listed_moments([EvidenceMoment(at, events[at]) for at in firsts])
    notes = [NOT_GROUPED] if changes is None else []
    if len(moments) < len(firsts):
        notes.append(CUT.format(listed=len(moments), count=len(firsts)))
    rules: list[RulesInForce] = [
        {"at": moment_text(moment.at), "event": moment.event, "rules": rules_at(trail, moment.at)}
        for moment in (*moments, last)
    ]
    grouped = RulesOfDecisions(rules, notes, first_of)
    for row in counting:
        row["policies_at"] = grouped.policies_at(datetime.fromisoformat(row["decided_at"]))
    return grouped


def _first_of_spans(moments: Sequence[datetime], changes: Sequence[datetime] | None) -> dict[datetime, datetime]:
    """The first of these moments since the same change, of each; each its own where changes are not known."""
    if changes is None:
        return {at: at for at in moments}
    firsts: dict[int, datetime] = {}
    return {at: firsts.setdefault(bisect_right(changes, at), at) for at in moments}
