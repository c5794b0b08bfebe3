"""A spend policy as evaluation sees it, from the copy, from an answer of the service or from a draft alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dashboard.schemas.policies import EVERY_DAY, SpendPolicy

CATEGORY_TYPES = frozenset({"SUBCATEGORY", "CATEGORY"})
CARD_CHANNELS = frozenset({"CARD_PRESENT", "ECOMMERCE", "ATM", "CONTACTLESS", "RECURRING"})
SELF = "SELF"


@dataclass(frozen=True, slots=True)
class PolicyRule:
    """A policy that is asked: without a limit (minor units of `currency`) every use of its target is a breach, without a
    period the limit is one for each use, over one it counts everybody's or, `per_person`, each person's. `weekdays` (1 Monday … 7 Sunday) and hours "08:00" say when spending is fine."""

    id: str
    type: str
    target: str
    action: str
    limit_minor: int | None = None
    currency: str = ""
    period: str = ""
    per_person: bool = False
    weekdays: frozenset[int] = frozenset(EVERY_DAY)
    opens: str = "00:00"
    closes: str = "24:00"
    exempt_team_ids: frozenset[str] = frozenset()
    exempt_employee_ids: frozenset[str] = frozenset()
    workflow_id: str = ""


def policy_rule_of(spend_policy: SpendPolicy) -> PolicyRule:
    """The policy as evaluation sees it, whatever its status."""
    window = spend_policy.window
    return PolicyRule(
        id=spend_policy.id,
        type=spend_policy.type,
        target=spend_policy.target,
        action=spend_policy.action,
        limit_minor=spend_policy.limit_minor,
        currency=spend_policy.currency,
        period=spend_policy.period,
        per_person=spend_policy.per_person,
        weekdays=frozenset(window.weekdays if window else EVERY_DAY),
        opens=window.opens if window else "00:00",
        closes=window.closes if window else "24:00",
        exempt_team_ids=frozenset(spend_policy.exempt.team_ids),
        exempt_employee_ids=frozenset(spend_policy.exempt.employee_ids),
        workflow_id=spend_policy.workflow_id,
    )


def in_force(policies: Iterable[SpendPolicy]) -> list[PolicyRule]:
    """The rules of the active policies, in the order in which they are asked: the oldest first."""
    return [
        policy_rule_of(policy) for policy in sorted(policies, key=lambda policy: policy.id) if policy.status == "ACTIVE"
    ]


def families(channel: str) -> frozenset[str]:
    """A channel and the family that it is of: MPESA_TILL is MPESA as well, ECOMMERCE is CARD."""
    family = "CARD" if channel in CARD_CHANNELS else channel.split("_")[0]
    return frozenset({channel, family} - {""})
