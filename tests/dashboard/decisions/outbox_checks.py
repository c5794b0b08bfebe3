"""What must hold of the outbox after each step: nothing twice, and no false word of a decision, a call or a proposal."""

from __future__ import annotations

import uuid
from typing import Any

from hypothesis.stateful import RuleBasedStateMachine

from dashboard.audit.models import AuditEntry
from dashboard.client.models import OutboundOperation
from dashboard.decisions.models import Decision
from dashboard.proposals.models import Proposal
from tests.dashboard.decisions.conftest import Desk

VERBS = {
    "approve_expense": "approve",
    "reject_expense": "reject",
    "request_expense_details": "requestDetails",
    "approve_payment_request": "approve",
    "reject_payment_request": "reject",
    "approve_bill_payment": "approve",
    "reject_bill_payment": "reject",
    "approve_card_orders": "approve",
    "reject_card_orders": "reject",
}
WRITES = ("POST", "PATCH", "PUT")
DENYING = ("Nothing was sent", "Nothing was changed", "Your decision changed nothing", "was not done")


class OutboxChecks(RuleBasedStateMachine):
    """What must hold of each decision, call, proposal and line of the audit, whatever has been done."""

    desk: Desk
    line: int
    proposal: Proposal

    def _done(self, verb: str, remote_id: str, who: str) -> bool:
        return (verb, remote_id, self.desk.house.employee(who)) in self.desk.service.effects

    def _done_under(self, key: str) -> bool:
        return any(sent == key or sent.startswith(f"{key}.") for sent in self.desk.service.done)

    def _nothing_twice(self) -> None:
        # A service that honours no keys does again what is asked again, where the thing's state allows it.
        effects = self.desk.service.effects
        assert not self.desk.service.honours_keys or len(effects) == len(set(effects)), effects

    def _true(self, decision: Decision) -> None:
        verb, who = VERBS[decision.operation], decision.membership.user.name
        done = self._done(verb, decision.object_id, who)
        description = f"{decision.operation} {decision.state}: {decision.message}"
        if decision.state == "DONE":
            assert done, description
        doubtful = decision.ended_in_doubt and "not known" in decision.message
        if decision.state in {"REFUSED", "CANCELLED", "LOST", "WAITING"} and not doubtful:
            assert not self._done_by(decision), description
        self._words_true(decision, decision.message)

    def _done_by(self, decision: Decision) -> bool:
        # By this decision, not by another one of the same person on the same thing.
        for key in {decision.key, decision.send_key} - {""}:
            for body in self.desk.service.done.get(key, []):
                rows = body.get("results")
                if rows is None or any(row["id"] == decision.object_id and row["ok"] for row in rows):
                    return True
        return False

    def _words_true(self, decision: Decision, text: str) -> None:
        verb, who = VERBS[decision.operation], decision.membership.user.name
        if "Nothing was sent" in text:
            assert not self._seen(decision), text
        if any(words in text for words in DENYING):
            assert not self._done_by(decision), text
        assert "not known" not in text or decision.state != "DONE", text
        assert not (verb and who and "decided first" in text and self._done_by(decision)), text

    def _seen(self, decision: Decision) -> bool:
        keys = {decision.key, decision.send_key} - {""}
        if decision.bulk_id is not None:
            # What went out in one call with others did so under a key of that call, which is gone once it was put off.
            mates = Decision.objects.filter(bulk_id=decision.bulk_id).values_list("pk", "tries")
            together = {str(uuid.uuid5(pk, f"together {n}")) for pk, tries in mates for n in range(tries + 1)}
        else:
            together = set()
        return any(
            key in keys or (key in together and decision.object_id in str(sent.json))
            for sent in self._writes()
            if (key := sent.headers.get("Idempotency-Key"))
        )

    def _writes(self) -> list[Any]:
        return [sent for method in WRITES for sent in self.desk.proxy.sent(method)]

    def _keys_seen(self) -> set[str]:
        return {sent.headers.get("Idempotency-Key", "") for sent in self._writes()} - {""}

    def _proposal_true(self) -> None:
        row = Proposal.objects.get(pk=self.proposal.pk)
        done = bool(self.desk.service.done.get(f"proposal-{row.pk}"))
        description = f"{row.operation} {row.state}: {row.outcome}"
        if row.state == "APPLIED":
            assert done, description
        if row.state in {"STALE", "REFUSED"} or any(words in row.outcome for words in DENYING):
            assert not done, description
        if row.state == "UNKNOWN":
            assert "not known" in row.outcome, description

    def _entry_true(self, entry: OutboundOperation) -> None:
        seen = entry.key in self._keys_seen()
        done = entry.key in self.desk.service.done
        if entry.state == "PENDING":
            assert not seen, f"{entry.key} is pending, and left"
        if entry.state in {"DEFERRED", "PENDING"}:
            assert not done, f"{entry.key} is {entry.state}, and was done"
        if entry.state == "REJECTED":
            assert not done, f"{entry.key} is rejected, and was done"

    def _audit_true(self, decisions: dict[uuid.UUID, Decision]) -> None:
        lines = AuditEntry.objects.filter(chain=self.desk.house.business.pk, id__gt=self.line).order_by("id")
        for line in lines:
            self.line = line.pk
            if line.decision_id is None:
                continue
            decision = decisions.get(line.decision_id) or Decision.objects.filter(pk=line.decision_id).first()
            if decision is None:
                continue
            self._words_true(decision, line.reason)
            if line.outcome == "DONE":
                assert self._done(VERBS[decision.operation], decision.object_id, decision.membership.user.name)
            if line.outcome in {"UNDONE", "CANCELLED"}:
                assert not self._done_by(decision), (line.outcome, line.reason)
