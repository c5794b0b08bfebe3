"""What the period of a policy has seen before a use: expenses, items of payouts and bill payments, each counted once.

What was stopped or came back counts for nothing, nor does what those spent whom the policy exempts. Of a limit per person
that of one person counts; what was spent by nobody of the business, such as a client, counts together.
"""

from collections.abc import Callable
from datetime import datetime

from django.db.models import Q, Sum

from service.business_policies.evaluation import SELF, Facts, Rule, period_end, period_start
from service.businesses.models import Business, Employee
from service.categories.models import Subcategory
from service.expenses.models import Expense, TransactionPart

NOT_SPENT = ("DELETED", "REFUNDED")
NOTHING = Q(pk__in=[])
# What such a rule is about is said by what an expense is filed under.
FILED = ("SUBCATEGORY", "CATEGORY")

# What an area has seen of the rule in the currency of a use, and where it counts per person by that person, from one moment
# to another, in minor units; `without` is the id of what is left out, such as the payment that is asked about.
Spent = Callable[[Business, Rule, Facts, datetime, datetime, str], int]
_SPENT: list[Spent] = []


def register(spent: Spent) -> None:
    """Called by an area whose payments count towards limits, when it is loaded; expenses are counted here."""
    _SPENT.append(spent)


def spent(business: Business, rule: Rule, facts: Facts, *, without: str = "") -> int:
    """The minor units that the rule's period has seen; `without` is a bill payment that is left out."""
    start = period_start(rule.period, facts.at, facts.zone)
    end = period_end(rule.period, start)
    expenses = Expense.objects.filter(
        business=business,
        currency=facts.currency,
        transaction_date__gte=start,
        transaction_date__lt=end,
    ).exclude(status__in=NOT_SPENT)
    expenses = expenses.exclude(employee_id__in=rule.exempt_employee_ids).exclude(team_id__in=rule.exempt_team_ids)
    if rule.per_person:
        expenses = expenses.filter(employee_id=facts.employee_id or None)
    total = expenses.filter(_of_expenses(rule)).aggregate(sum=Sum("amount_minor"))["sum"] or 0
    if rule.type in FILED:
        # Of what is split each part is of its own subcategory.
        parts = TransactionPart.objects.filter(expense__in=expenses, subcategory_id__in=rule_subcategories(rule))
        total += parts.aggregate(sum=Sum("amount_minor"))["sum"] or 0
    return total + sum(spent_of(business, rule, facts, start, end, without) for spent_of in _SPENT)


def _of_expenses(rule: Rule) -> Q:
    if rule.type == "CHANNEL":
        # As evaluation sees a family: MPESA_TILL is MPESA as well.
        member = Q(payment_type__startswith=f"{rule.target}_")
        return Q(channel=rule.target) | Q(payment_type=rule.target) | member
    if rule.type == "SUBCATEGORY":
        return Q(subcategory_id=rule.target, part_count=0)
    if rule.type == "CATEGORY":
        return Q(subcategory__category_id=rule.target, part_count=0)
    # Expenses know no vendor; self-transfers are payouts.
    return NOTHING


def by_column(rule: Rule) -> Q:
    """Rows of payments, each with its channel, vendor and subcategory, that the rule is about."""
    if rule.type == "CHANNEL":
        return Q(channel=rule.target) | Q(channel__startswith=f"{rule.target}_")
    if rule.type == "VENDOR" and rule.target != SELF:
        return Q(vendor_id=rule.target)
    filed = rule_subcategories(rule)
    return Q(subcategory_id__in=filed) if filed else NOTHING


def by_person(business: Business, rule: Rule, facts: Facts, column: str) -> Q:
    """Rows of payments, with the id of the employee or the name of the client that asked for them in a column, which the rule
    counts: all of them, or per person those of the person of the use."""
    if not rule.per_person:
        return Q()
    if facts.employee_id:
        return Q(**{column: facts.employee_id})
    return ~Q(**{f"{column}__in": Employee.objects.filter(business=business).values("id")})


def rule_subcategories(rule: Rule) -> list[str]:
    """Those that a rule on a subcategory or category is about."""
    if rule.type == "SUBCATEGORY":
        return [rule.target]
    if rule.type == "CATEGORY":
        return list(Subcategory.objects.filter(category_id=rule.target).values_list("id", flat=True))
    return []
