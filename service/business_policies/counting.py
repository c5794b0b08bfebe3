"""What the period of a policy has seen before a use: expenses, items of payouts and bill payments, each counted once.

What was stopped or came back counts for nothing, nor does what those spent whom the policy exempts.
"""

from datetime import datetime

from django.db.models import BigIntegerField, Q, QuerySet, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from service.bills.models import BillPayment
from service.business_policies.evaluation import SELF, Facts, Rule, period_end, period_start
from service.businesses.models import Business, Employee
from service.categories.models import Subcategory
from service.expenses.models import Expense
from service.payments.models import Item

NOT_SPENT = ("DELETED", "REFUNDED")
# Payouts that somebody has initiated, save those that were stopped; items of them that did not come back.
STOPPED = ("DRAFT", "REJECTED", "CANCELLED", "FAILED")
RETURNED = ("FAILED", "RETURNED")
# Bill payments of which approval was asked, save those that were stopped or failed.
NOT_PAID = ("DRAFT", "WITHDRAWN", "REJECTED", "FAILED")
NOTHING = Q(pk__in=[])


def spent(business: Business, asked: Rule, facts: Facts, *, without: str = "") -> int:
    """The minor units that the rule's period has seen; `without` is a bill payment that is left out."""
    start = period_start(asked.period, facts.at, facts.zone)
    end = period_end(asked.period, start)
    expenses = Expense.objects.filter(
        _of_expenses(asked),
        business=business,
        currency=facts.currency,
        transaction_date__gte=start,
        transaction_date__lt=end,
    ).exclude(status__in=NOT_SPENT)
    expenses = expenses.exclude(employee_id__in=asked.exempt_employee_ids).exclude(team_id__in=asked.exempt_team_ids)
    items = (
        Item.objects.filter(
            _by_column(asked),
            business=business,
            batch__currency=facts.currency,
            batch__created_at__gte=start,
            batch__created_at__lt=end,
        )
        .exclude(batch__status__in=STOPPED)
        .exclude(status__in=RETURNED)
    )
    sums = [rows.aggregate(sum=Sum("amount_minor"))["sum"] or 0 for rows in (expenses, items)]
    return sum(sums) + _of_bills(business, asked, facts.currency, start, end, without)


def _of_expenses(asked: Rule) -> Q:
    if asked.type == "CHANNEL":
        return Q(channel=asked.target) | Q(payment_type=asked.target)
    if asked.type == "SUBCATEGORY":
        return Q(subcategory_id=asked.target)
    if asked.type == "CATEGORY":
        return Q(subcategory__category_id=asked.target)
    # Expenses know no vendor; self-transfers are payouts.
    return NOTHING


def _by_column(asked: Rule) -> Q:
    if asked.type == "CHANNEL":
        return Q(channel=asked.target) | Q(channel__startswith=f"{asked.target}_")
    if asked.type == "VENDOR" and asked.target != SELF:
        return Q(vendor_id=asked.target)
    subcategories = _subcategories(asked)
    return Q(subcategory_id__in=subcategories) if subcategories else NOTHING


def _subcategories(asked: Rule) -> list[str]:
    """Those that a rule on a subcategory or category is about."""
    if asked.type == "SUBCATEGORY":
        return [asked.target]
    if asked.type == "CATEGORY":
        return list(Subcategory.objects.filter(category_id=asked.target).values_list("id", flat=True))
    return []


def _of_bills(business: Business, asked: Rule, currency: str, start: datetime, end: datetime, without: str) -> int:
    """Bill payments, each in the period in which it is paid; of several subcategories, the portion of each."""
    rows = _not_exempt(
        BillPayment.objects.filter(business=business, currency=currency, counts_at__gte=start, counts_at__lt=end)
        .exclude(status__in=NOT_PAID)
        .exclude(id=without),
        asked,
    )
    subcategories = _subcategories(asked)
    if asked.type in ("SUBCATEGORY", "CATEGORY"):
        parts = (
            rows.filter(portions__has_key=each).aggregate(sum=Sum(Cast(KT(f"portions__{each}"), BigIntegerField())))
            for each in subcategories
        )
        return sum(part["sum"] or 0 for part in parts)
    return rows.filter(_by_column(asked)).aggregate(sum=Sum("amount_minor"))["sum"] or 0


def _not_exempt(rows: QuerySet[BillPayment], asked: Rule) -> QuerySet[BillPayment]:
    """A payment is of its bill's team, else of the team of whoever asked for approval of it."""
    if asked.exempt_employee_ids:
        rows = rows.exclude(requested_by__in=asked.exempt_employee_ids)
    if asked.exempt_team_ids:
        members = Employee.objects.filter(team_id__in=asked.exempt_team_ids).values("id")
        rows = rows.exclude(bill__team_id__in=asked.exempt_team_ids)
        rows = rows.exclude(bill__team=None, requested_by__in=members)
    return rows
