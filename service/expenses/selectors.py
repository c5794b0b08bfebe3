"""Which expenses a caller sees: no query for expenses starts anywhere else. And what areas below read of them, as SQL
that they put into a query of their own."""

from datetime import date

from django.db.models import Q, QuerySet

from service import errors, periods
from service.accounts.wallets import wallet_by_ref
from service.auth import Caller
from service.businesses.models import Role, TeamReviewer
from service.expenses.models import Expense, ExpenseStatus
from service.teams.selectors import reviewed_teams

# Whom expenses of a channel paid (service/vendors/recent_payees.py). Without an account they are known by their merchant.
PAYEES = """
    SELECT receiver, coalesce(nullif(account_number, ''), nullif(merchant_id, ''), receiver), '', currency,
           transaction_date, amount_minor
    FROM expenses_expense
    WHERE business_id = %(business)s AND transaction_date >= %(since)s AND receiver <> ''
      AND (channel = %(channel)s OR payment_type = %(channel)s) AND status NOT IN ('DELETED', 'REFUNDED')"""
# What expenses, and the fees on them, have spent of a budget `b` from `begun.at` to before `begun.until`
# (service/budgets/figures.py): a team's, of its category alone where it has one; and everybody's under the category of one
# without a team. Apart, since each has an index of its own.
_COUNTED = """e.currency = b.currency AND e.transaction_date >= begun.at AND e.transaction_date < begun.until
       AND e.status NOT IN ('REJECTED', 'REFUNDED', 'DELETED')"""
# Of what is split its parts count; the fees on it where its first part is, whose subcategory is its own.
_UNDER_CATEGORY = "e.subcategory_id IN (SELECT f.id FROM categories_subcategory f WHERE f.category_id = b.category_id)"
_WHOLE = {"amount_minor": "e.part_count = 0 AND ", "fees_minor": ""}


def _of_team(column: str) -> str:
    return f"""
    (SELECT sum(e.{column}) FROM expenses_expense e
     WHERE e.business_id = b.business_id AND e.team_id = b.team_id AND {_COUNTED}
       AND (b.category_id IS NULL OR {_WHOLE[column]}{_UNDER_CATEGORY}))"""  # noqa: S608  put together from constants


def _of_category(column: str) -> str:
    return f"""
    (SELECT sum(e.{column}) FROM expenses_expense e
     WHERE b.team_id IS NULL AND e.business_id = b.business_id AND {_COUNTED} AND {_WHOLE[column]}{_UNDER_CATEGORY})"""  # noqa: S608  put together from constants


EXPENSES_OF_TEAM, FEES_OF_TEAM = _of_team("amount_minor"), _of_team("fees_minor")
EXPENSES_OF_CATEGORY, FEES_OF_CATEGORY = _of_category("amount_minor"), _of_category("fees_minor")
# The parts of split expenses under the category of a budget, of its team where it has one.
PARTS_OF_CATEGORY = f"""
    (SELECT sum(p.amount_minor) FROM categories_subcategory f JOIN transactions_transactionpart p ON p.subcategory_id = f.id
     JOIN expenses_expense e ON e.id = p.expense_id
     WHERE f.category_id = b.category_id AND e.business_id = b.business_id AND {_COUNTED}
       AND (b.team_id IS NULL OR e.team_id = b.team_id))"""  # noqa: S608  put together from constants


def visible(caller: Caller) -> QuerySet[Expense]:
    """Those that the caller may see: own for a card user, reviewed teams' and own for a reviewer, else all."""
    rows = _of_business(caller)
    if caller.role == Role.CARD_USER:
        return rows.filter(employee_id=caller.employee_id)
    if caller.role == Role.REVIEWER:
        return rows.filter(Q(team_id__in=reviewed_teams(caller)) | Q(employee_id=caller.employee_id))
    return rows


def listed(caller: Caller) -> QuerySet[Expense]:
    """Those that GET /expenses lists: as published, a reviewer's list holds the managed teams only.

    Whose own role is CARD_USER keeps their own expenses on it: a seat takes nothing away.
    """
    if caller.role == Role.REVIEWER and not (caller.employee and caller.employee.role == Role.CARD_USER):
        return _of_business(caller).filter(team_id__in=reviewed_teams(caller))
    return visible(caller)


def _of_business(caller: Caller) -> QuerySet[Expense]:
    return Expense.objects.filter(business_id=caller.business.id).exclude(status=ExpenseStatus.DELETED)


def read_only_teams(caller: Caller) -> set[str]:
    """The teams whose expenses the caller, a reviewer, may look at without deciding."""
    if caller.role != Role.REVIEWER:
        return set()
    return set(
        TeamReviewer.objects.filter(employee_id=caller.employee_id, read_only=True).values_list("team_id", flat=True)
    )


def filter_expenses(
    caller: Caller,
    *,
    first: date | None = None,
    last: date | None = None,
    org_wallet_ref: str | None = None,
    status: str | None = None,
    tag: str | None = None,
) -> QuerySet[Expense]:
    """The expenses that GET /expenses lists for the caller: every wallet merged unless one is named (404 without it)."""
    rows = listed(caller)
    start, end = periods.between(caller.business, first, last)
    if start:
        rows = rows.filter(transaction_date__gte=start)
    if end:
        rows = rows.filter(transaction_date__lt=end)
    if org_wallet_ref:
        rows = rows.filter(org_wallet_ref=wallet_by_ref(caller.business, org_wallet_ref).org_wallet_ref)
    if status:
        if status not in ExpenseStatus.values:
            raise errors.invalid_parameters("status", "There is no such state.", "unknown")
        rows = rows.filter(status=status)
    if tag:
        rows = rows.filter(tags__contains=[tag]).exclude(tags=[])
    return rows


def get_by_reference(caller: Caller, transaction_ref: str) -> Expense:
    """The expense of a transaction; 404 when it is none of the caller's to see."""
    expense = visible(caller).filter(transaction_ref=transaction_ref).first()
    if expense is None:
        raise errors.not_found("expense")
    return expense
