"""What looks clean: expenses that nothing speaks against, which are reviewed together in one step.

Said from what the copy has alone. Payments are not among them: what their documents say is not in the copy, and what is
paid cannot be undone.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.lookups import Exact, IsNull

from dashboard import operations
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.mirror.models import MATCHING_EXPENSE, Expense
from dashboard.mirror.models.weights import LEAST_RISK

# So many approvals at a merchant say what is usual there.
SEEN = 3
RULE = (
    f"An expense looks clean when its receipt says the same, no policy or red flag touches it, and its amount is within what "
    f"was approved at this merchant before, in {SEEN} approvals or more."
)
_policy_flags = KeyTextTransform("policy_flags", "payload")
NO_POLICY_FLAG = Q(IsNull(_policy_flags, True)) | Q(Exact(_policy_flags, "[]"))


def clean_expenses(expenses: QuerySet[Expense]) -> QuerySet[Expense]:
    """Those of the expenses that look clean now, as RULE says it."""
    approved = Expense.objects.filter(
        business_id=OuterRef("business_id"), merchant=OuterRef("merchant"), currency=OuterRef("currency"),
        status="APPROVED", tombstoned_at__isnull=True,
    ).order_by()  # fmt: skip
    return expenses.filter(
        MATCHING_EXPENSE,
        NO_POLICY_FLAG,
        ~Q(merchant=""),
        Exists(approved[SEEN - 1 : SEEN]),
        Exists(approved.filter(amount_minor__lte=OuterRef("amount_minor"))),
        Exists(approved.filter(amount_minor__gte=OuterRef("amount_minor"))),
        # Also a flag that somebody has dismissed has touched it.
        risk__lt=LEAST_RISK,
    )


def clean_ids(business: Business, operation: Operation, subjects: Sequence[Any]) -> frozenset[str]:
    """The remote ids of those subjects of an approval that look clean at this moment, however they are decided on: nobody
    chooses whether an approval can be drawn for the sample."""
    if operation is not operations.APPROVE_EXPENSE or not subjects:
        return frozenset()
    ids: Iterable[str] = [subject.remote_id for subject in subjects]
    rows = clean_expenses(Expense.objects.filter(business=business, remote_id__in=ids))
    return frozenset(rows.values_list("remote_id", flat=True))
