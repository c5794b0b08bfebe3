"""Asking the policies of a business about a use of money: reads them and what their periods have seen, then evaluates.

What the periods have seen is counted in usage.py.

Inside the transaction that moves the money: policies with a limit that counts over time are locked, so that two uses at
once never both pass one.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from service import periods, sql
from service.business_policies.evaluation import (
    BREACHED,
    CARD_CHANNELS,
    SELF,
    Evaluation,
    Facts,
    Rule,
    Step,
    concluded,
    evaluate,
    is_about,
)
from service.business_policies.models import BusinessPolicy, PolicyState
from service.business_policies.usage import spent
from service.businesses.models import Business, Employee
from service.categories.models import Subcategory
from service.vendors.models import Vendor

# The columns of a policy that a rule has, by the names of its fields.
RULE_COLUMNS = (
    "id", "type", "target", "action", "limit_minor", "currency", "period", "per_person", "window", "exempt_team_ids",
    "exempt_employee_ids", "workflow_id",
)  # fmt: skip


def facts_for(
    business: Business,
    *,
    employee: Employee | None,
    team_id: str | None,
    channel: str,
    amount_minor: int,
    currency: str,
    subcategory_id: str | None = None,
    category_id: str | None = None,
    vendor_id: str | None = None,
    receiver: str = "",
    to_self: bool = False,
    at: datetime | None = None,
) -> Facts:
    """The facts of a use, without what was spent before."""
    return Facts(
        amount_minor=amount_minor,
        currency=currency,
        at=at or timezone.now(),
        zone=periods.zone_of(business),
        employee_id=employee.id if employee else "",
        team_id=team_id or (employee.team_id if employee else "") or "",
        channel=channel,
        subcategory_id=subcategory_id or "",
        category_id=category_id or "",
        vendor_id=vendor_id or "",
        receiver=receiver,
        to_self=to_self,
    )


def decide(business: Business, facts: Facts, rules: Sequence[Rule] | None = None) -> Evaluation:
    """What the active policies say to a use; one query where the business has none, two more per limit over time. `rules`
    are those policies, where they were read already."""
    return decide_together(business, [facts], rules)


def decide_together(
    business: Business, uses: Sequence[Facts], rules: Sequence[Rule] | None = None, *, without: str = ""
) -> Evaluation:
    """Evaluates the active policies for uses that happen together, such as the items of a payout.

    Limits over time see the sum of the uses, those per person the sum of each person's.

    `without`: the id of the bill payment that is asked about, which its own limits have not used before.
    """
    if rules is None:
        rules = _rules_in_force(business)
    uses = _with_vendors(business, rules, uses)
    applicable = [policy for policy in rules if any(is_about(use, policy) for use in uses)]
    counted = [policy.id for policy in applicable if policy.period]
    if counted:
        # Who comes second waits here until the first has spent, and then counts it.
        list(BusinessPolicy.objects.select_for_update(no_key=True, of=("self",)).filter(id__in=counted).order_by("id"))
    trace: list[Step] = []
    for policy in applicable:
        covered = [use for use in uses if is_about(use, policy)]
        if policy.period:
            covered = [
                replace(use, spent_minor={policy.id: spent(business, policy, use, without=without)})
                for use in _combined(policy, covered)
            ]
        steps = [step for use in covered for step in evaluate(use, [policy]).trace]
        trace.append(next((step for step in steps if step.outcome == BREACHED), steps[0]))
    return concluded(trace)


def _combined(policy_rule: Rule, uses: Sequence[Facts]) -> Iterator[Facts]:
    """What a limit over time sees of uses that happen together: their sum, of one per person the sum of each person's."""
    people = dict.fromkeys(use.employee_id for use in uses) if policy_rule.per_person else [""]
    for employee_id in people:
        of_person = [use for use in uses if not policy_rule.per_person or use.employee_id == employee_id]
        yield replace(of_person[0], amount_minor=sum(use.amount_minor for use in of_person))


def judge_alone(business: Business, uses: Sequence[Facts], row: BusinessPolicy) -> list[Step | None]:
    """What one policy says to each use by itself; None where it is not in force, or not about the use. At most one query."""
    if row.status != PolicyState.ACTIVE:
        return [None] * len(uses)
    policy = rule(row)
    return [next(iter(evaluate(use, [policy]).trace), None) for use in _with_vendors(business, [policy], uses)]


def _with_vendors(business: Business, rules: Sequence[Rule], uses: Sequence[Facts]) -> Sequence[Facts]:
    """Uses that say whom they pay by name alone, such as those of a card, with the vendor of that name."""
    targets = [policy.target for policy in rules if policy.type == "VENDOR" and policy.target != SELF]
    if not targets or all(use.vendor_id or not use.receiver for use in uses):
        return uses
    rows = Vendor.objects.filter(business=business, id__in=targets).values_list("name", "id")
    by_name = {name.casefold(): vendor_id for name, vendor_id in rows}
    return [use if use.vendor_id else replace(use, vendor_id=by_name.get(use.receiver.casefold(), "")) for use in uses]


def in_force(business: Business) -> QuerySet[BusinessPolicy]:
    """The active policies, in the order in which they are evaluated."""
    return BusinessPolicy.objects.filter(business=business, status=PolicyState.ACTIVE).order_by("id")


def rules_statement(business: Business) -> sql.SqlStatement:
    """What asks for the active policies; `rules_in` reads its rows. Every posting asks for them, most businesses have none, and a
    query that the ORM writes anew takes a fifth of the posting's time: it is written once."""
    return sql.SqlStatement(_written(), [business.id, PolicyState.ACTIVE])


def rules_in(rows: Iterable[sql.Row]) -> list[Rule]:
    """As `rule` makes them of the active policies."""
    return [_written_rule(*values) for values in rows]


def _rules_in_force(business: Business) -> list[Rule]:
    return rules_in(sql.rows(*rules_statement(business)))


def _written_rule(*values: Any) -> Rule:
    given = dict(zip(RULE_COLUMNS, values, strict=True))
    sets = {name: frozenset(given[name]) for name in ("exempt_team_ids", "exempt_employee_ids")}
    return Rule(**given | sets | {"window": json.loads(given["window"]), "workflow_id": given["workflow_id"] or ""})


@cache
def _written() -> str:
    query = BusinessPolicy.objects.filter(business="?", status="?").order_by("id").values_list(*RULE_COLUMNS).query
    statement, params = query.sql_with_params()
    assert params == ("?", "?"), params
    return statement


def rule(row: BusinessPolicy) -> Rule:
    """A policy as evaluation sees it."""
    return Rule(
        id=row.id,
        type=row.type,
        target=row.target,
        action=row.action,
        limit_minor=row.limit_minor,
        currency=row.currency,
        period=row.period,
        per_person=row.per_person,
        window=row.window,
        exempt_team_ids=frozenset(row.exempt_team_ids),
        exempt_employee_ids=frozenset(row.exempt_employee_ids),
        workflow_id=row.workflow_id or "",
    )


def channel_of(payment_type: str, channel: str) -> str:
    """The channel of an expense: what it was paid by, narrowed for cards by how the card was used."""
    return channel if payment_type == "CARD" and channel in CARD_CHANNELS else payment_type


def categories_of(subcategory_ids: Iterable[str]) -> dict[str, str]:
    """The category of each subcategory, in one query."""
    distinct = set(subcategory_ids)
    rows = Subcategory.objects.filter(id__in=distinct) if distinct else Subcategory.objects.none()
    return dict(rows.values_list("id", "category_id"))
