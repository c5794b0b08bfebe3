"""Subscriptions as the interface shows them: dictionaries in the shapes of the schemas."""

from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from service import money
from service.subscriptions.models import Subscription
from service.subscriptions.patterns import Proposal


class RecurringShape(TypedDict):
    """What a subscription and a proposal of one have in common: who is paid, by whom, how much and how often."""

    name: str
    vendor: str
    card_id: str | None
    employee_id: str | None
    team_id: str | None
    subcategory_id: str | None
    amount: Decimal
    amount_minor: int
    currency: str
    billing_frequency: str


class SubscriptionShape(RecurringShape):
    """A subscription as the interface shows it."""

    _id: str
    limit: Decimal | None
    limit_minor: int | None
    next_charge_at: datetime | None
    last_charge_at: datetime | None
    generated: bool
    status: str
    version: int
    createdAt: datetime
    updatedAt: datetime
    updated_at: datetime


class EvidenceShape(TypedDict):
    """The charges that a proposal was seen by; the deviations are shares of the interval and of the amount."""

    charges: int
    first_at: datetime
    last_at: datetime
    interval_days: float
    interval_deviation: float
    amount_deviation: float
    expense_ids: list[str]


class ProposalShape(RecurringShape):
    """A proposal with its evidence."""

    confidence: float
    evidence: EvidenceShape


def subscription(row: Subscription) -> SubscriptionShape:
    """A subscription as the interface shows it."""
    limit = None if row.limit_minor is None else money.to_number(row.limit_minor, row.currency)
    return {
        "_id": row.id,
        "name": row.name,
        "vendor": row.vendor,
        "card_id": row.card_id,
        "employee_id": row.employee_id,
        "team_id": row.team_id,
        "subcategory_id": row.subcategory_id,
        "amount": money.to_number(row.amount_minor, row.currency),
        "amount_minor": row.amount_minor,
        "currency": row.currency,
        "billing_frequency": row.billing_frequency,
        "limit": limit,
        "limit_minor": row.limit_minor,
        "next_charge_at": row.next_charge_at,
        "last_charge_at": row.last_charge_at,
        "generated": row.generated,
        "status": row.status,
        "version": row.version,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "updated_at": row.updated_at,
    }


def proposal(row: Proposal) -> ProposalShape:
    """A proposal with its evidence."""
    last = row.last
    return {
        "name": last.merchant[:100],
        "vendor": last.merchant,
        "card_id": last.card_id or None,
        "employee_id": last.employee_id,
        "team_id": last.team_id,
        "subcategory_id": last.subcategory_id,
        "amount": money.to_number(row.amount_minor, last.currency),
        "amount_minor": row.amount_minor,
        "currency": last.currency,
        "billing_frequency": row.frequency,
        "confidence": row.confidence,
        "evidence": {
            "charges": len(row.charges),
            "first_at": row.charges[0].at,
            "last_at": last.at,
            "interval_days": row.interval_days,
            "interval_deviation": round(row.interval_deviation, 4),
            "amount_deviation": round(row.amount_deviation, 4),
            "expense_ids": [charge.expense_id for charge in row.charges],
        },
    }
