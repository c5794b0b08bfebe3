"""What the hooks of categories reach here: exports that hold what is filed under a subcategory, and what of it stands in a closed
period."""

from collections.abc import Collection
from datetime import date

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from service.accounting.models import ExportedEntry, JournalExport
from service.accounting.periods import closed_until
from service.auth import Caller
from service.categories.hooks import Ids, Users

# What is filed: a transaction under its own subcategory (an expense's under the expense's), in parts under those of its parts,
# and a bill's payment under those of the bill's lines, too.
CLOSED = """
select subcategory_id, count(distinct transaction_id) from (
    select moved.id as transaction_id, coalesce(expense.subcategory_id, moved.subcategory_id) as subcategory_id
    from transactions_transaction moved left join expenses_expense expense on expense.id = moved.expense_id
    where moved.business_id = %(business)s and moved.effective_on <= %(closed)s
        and coalesce(expense.subcategory_id, moved.subcategory_id) = any(%(ids)s)
    union all
    select part.transaction_id, part.subcategory_id
    from transactions_transactionpart part join transactions_transaction moved on moved.id = part.transaction_id
    where moved.business_id = %(business)s and moved.effective_on <= %(closed)s and part.subcategory_id = any(%(ids)s)
    union all
    select moved.id, line.subcategory_id
    from bills_billline line join bills_billpayment payment on payment.bill_id = line.bill_id
    join transactions_transaction moved on moved.business_id = payment.business_id and moved.ref = payment.ref
    where payment.business_id = %(business)s and moved.effective_on <= %(closed)s and line.subcategory_id = any(%(ids)s)
) filed group by subcategory_id
"""


def count_closed(caller: Caller, subcategory_ids: Collection[str]) -> dict[str, int]:
    """How many transactions of closed periods are filed under each of these subcategories; those with none are left out."""
    closed = closed_until(caller)
    if closed is None:
        return {}
    values: dict[str, str | date | list[str]] = {
        "business": caller.business.id,
        "closed": closed,
        "ids": list(subcategory_ids),
    }
    with connection.cursor() as cursor:
        cursor.execute(CLOSED, values)
        return dict(cursor.fetchall())


def _exports_of(subcategory_ids: Ids, _: Ids) -> QuerySet[JournalExport]:
    entries = ExportedEntry.objects.filter(export_id=OuterRef("id"), subcategory_id__in=subcategory_ids)
    return JournalExport.objects.filter(Exists(entries))


FILED = Users("journal_export", _exports_of, lambda row: f"#{row.number}")
