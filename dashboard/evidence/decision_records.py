"""Decisions as a pack has them: who made each, with which role at that moment, and about which payment."""

from __future__ import annotations

from decimal import Decimal
from typing import TypedDict

from django.db.models import QuerySet

from dashboard.audit.models import AuditEntry, Outcome
from dashboard.decisions.models import Decision
from dashboard.evidence.references import decision_references
from dashboard.evidence.rules_in_force import moment_text
from dashboard.money import Money


class DecisionRecord(TypedDict):
    """A decision made through this dashboard, with the role of whoever made it at that moment, by the audit, and the references of
    the payment that it was about, as the copy has them. `policies_at` is the moment of policies.json whose policies were in force; ""
    where none is listed for it, and of what was undone before it was sent."""

    decision_id: str
    decided_at: str
    by: str
    role_then: str
    employee_id: str
    operation: str
    about: str
    title: str
    amount: str
    currency: str
    reason: str
    overridden_policies: list[str]
    state: str
    outcome: str
    references: list[str]
    policies_at: str


def decision_records(rows: QuerySet[Decision]) -> list[DecisionRecord]:
    """The decisions, the earliest first."""
    decisions = list(rows.select_related("membership__user").order_by("created_at", "pk"))
    ids = [row.pk for row in decisions]
    decided_lines = AuditEntry.objects.filter(decision_id__in=ids, outcome=Outcome.TAKEN)
    roles = dict(decided_lines.order_by("-pk").values_list("decision_id", "role"))
    known = decision_references(decisions[0].business, decisions) if decisions else {}
    return [
        _decision_record(row, roles.get(row.pk, ""), known.get((row.object_type, row.object_id), []))
        for row in decisions
    ]


def _decision_record(row: Decision, role: str, references: list[str]) -> DecisionRecord:
    amount = "" if row.amount_minor is None else str(_amount(row.amount_minor, row.currency))
    return {
        "decision_id": str(row.pk), "decided_at": moment_text(row.created_at), "by": str(row.membership.user),
        "role_then": role, "employee_id": row.membership.employee_id, "operation": row.operation,
        "about": f"{row.object_type}/{row.object_id}", "title": row.title, "amount": amount, "currency": row.currency,
        "reason": row.reason, "overridden_policies": [str(sentence) for sentence in row.overridden],
        "state": row.state, "outcome": row.message, "references": references, "policies_at": "",
    }  # fmt: skip


def _amount(minor: int, currency: str) -> Decimal:
    return Money(minor, currency).amount
