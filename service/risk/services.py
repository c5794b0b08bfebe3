"""The risk score of payment requests: deterministic, additive, capped, each point with its evidence (decisions B.13).

All requests that are asked about are scored together, so a thousand cost as many queries as one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import cast
from zoneinfo import ZoneInfo

from django.utils import timezone

from service.approvals.models import Approval, Mandate, Workflow
from service.approvals.risk_scores import Question, RiskShape, SignalEvidence, SignalShape
from service.businesses.models import Business
from service.risk import signals
from service.risk.signals_policies import policy_exceptions

MODEL_VERSION = "2026-11"
LEVELS = ((30, "LOW"), (60, "MEDIUM"), (85, "HIGH"))
WEIGHTS = {
    "duplicate_invoice": 35,
    "payee_details_changed": 30,
    "shared_payee_account": 30,
    "amount_outlier": 20,
    "split_payments": 20,
    "policy_exception": 20,
    "new_vendor_first_payment": 15,
    "just_below_threshold": 15,
    "requester_new_or_elevated": 10,
    "missing_document": 10,
    "budget_overrun": 10,
    "urgency_bank_change": 10,
    "round_amount": 5,
    "odd_time": 5,
    "tax_pin_missing": 5,
}
REPEATED_BELOW_THRESHOLD = 5
OPENS, CLOSES, SATURDAY = 7, 19, 5
NEW_ROLE = timedelta(days=7)
ActionCurrency = tuple[int, str]  # action type and currency


@dataclass(slots=True)
class Risk:
    """A score of 0 to 100 with the signals that make it up."""

    signals: list[SignalShape] = field(default_factory=list)

    def add(self, code: str, evidence: SignalEvidence, more: int = 0) -> None:
        """Counts a signal with what it was seen by."""
        self.signals.append({"code": code, "weight": WEIGHTS[code] + more, "evidence": evidence})

    def shows(self, code: str) -> bool:
        """Whether this signal was counted."""
        return any(signal["code"] == code for signal in self.signals)

    @property
    def score(self) -> int:
        """The sum of the weights, at most 100."""
        total = sum(signal["weight"] for signal in self.signals)
        return min(100, total)

    @property
    def level(self) -> str:
        """LOW, MEDIUM, HIGH (one more approver) or CRITICAL (no bulk decision)."""
        return next((name for below, name in LEVELS if self.score < below), "CRITICAL")

    def as_dict(self) -> RiskShape:
        """As it is stored and shown."""
        return {
            "score": self.score,
            "level": self.level,
            "signals": sorted(self.signals, key=lambda signal: (-signal["weight"], signal["code"])),
            "model_version": MODEL_VERSION,
        }


def assess(business: Business, questions: Sequence[Question]) -> dict[str, Risk]:
    """The risk of each request by its key, in eight queries however many there are."""
    risks = {question.key: Risk() for question in questions}
    if not questions:
        return risks
    bands = _bands(business)
    for code, key, evidence in signals.of_requests(business, list(risks)):
        risks[key].add(code, evidence)
    limits = {
        (question.key, band)
        for question in questions
        for band in bands.get((question.action_type, question.currency), ())
    }
    for key, evidence in signals.split_payments(business, limits):
        risks[key].add("split_payments", evidence)
    for key, evidence in policy_exceptions(business, questions):
        if not risks[key].shows("policy_exception"):  # the evaluation of when it began comes first
            risks[key].add("policy_exception", cast(SignalEvidence, evidence))
    nearby = _recently_below(business, bands)
    for question in questions:
        _add_own_signals(risks[question.key], question, bands, nearby, ZoneInfo(business.time_zone))
    return risks


def _add_own_signals(
    total_risk: Risk,
    question: Question,
    bands: dict[ActionCurrency, list[int]],
    nearby: dict[tuple[ActionCurrency, int], set[str]],
    zone: ZoneInfo,
) -> None:
    """The signals that need no more than the request itself and what was read for all."""
    action_currency = (question.action_type, question.currency)
    below = _just_below(question.amount_minor, bands.get(action_currency, []))
    if below is not None:
        others = len(nearby.get((action_currency, below), set()) - {question.key})
        total_risk.add(
            "just_below_threshold",
            {"threshold_minor": below, "amount_minor": question.amount_minor, "others_in_7_days": others},
            REPEATED_BELOW_THRESHOLD if others else 0,
        )
    if question.role_since and question.role_since > timezone.now() - NEW_ROLE:
        total_risk.add("requester_new_or_elevated", {"since": question.role_since.isoformat()})
    local = question.requested_at.astimezone(zone)
    if local.weekday() >= SATURDAY or not OPENS <= local.hour < CLOSES:
        total_risk.add("odd_time", {"requested_at": local.isoformat(timespec="minutes")})
    changed = total_risk.shows("payee_details_changed")
    if changed and question.due_at and question.due_at.astimezone(zone).date() <= local.date():
        total_risk.add("urgency_bank_change", {"due": question.due_at.astimezone(zone).date().isoformat()})


def _just_below(amount_minor: int, limits: Sequence[int]) -> int | None:
    """The lowest threshold that the amount stays under by 5 % at most."""
    return next((limit for limit in limits if limit * 95 <= amount_minor * 100 < limit * 100), None)


def _bands(business: Business) -> dict[ActionCurrency, list[int]]:
    """Where another mandate or workflow begins, by action type and currency."""
    bands: dict[ActionCurrency, list[int]] = {}
    rows = Mandate.objects.filter(business=business, active=True, min_amount_minor__gt=0).order_by("min_amount_minor")
    for action_type, currency, least in rows.values_list("action_type", "currency", "min_amount_minor"):
        bands.setdefault((action_type, currency), []).append(least)
    for action_type, conditions in Workflow.objects.filter(business=business, active=True).values_list(
        "action_type", "conditions"
    ):
        if conditions.get("min_amount_minor"):
            bands.setdefault((action_type, conditions["currency"]), []).append(conditions["min_amount_minor"])
    return {band: sorted(set(limits)) for band, limits in bands.items()}


def _recently_below(
    business: Business, bands: dict[ActionCurrency, list[int]]
) -> dict[tuple[ActionCurrency, int], set[str]]:
    """The requests for votes of the last seven days that lie just below each threshold, by the key of their subject."""
    nearby: dict[tuple[ActionCurrency, int], set[str]] = {}
    if not bands:
        return nearby
    rows = Approval.objects.filter(business=business, created_at__gt=timezone.now() - NEW_ROLE)
    for action_type, currency, amount, key in rows.values_list("action_type", "currency", "amount_minor", "subject_id"):
        below = _just_below(amount, bands.get((action_type, currency), []))
        if below is not None:
            nearby.setdefault(((action_type, currency), below), set()).add(key)
    return nearby
