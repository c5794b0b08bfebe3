"""What the hooks of categories reach here: exports that hold what is filed under a subcategory, and what of it stands in a closed
period."""

from collections.abc import Collection
from datetime import date

from django.db import connection
from django.db.models import Exists, F, Func, OuterRef, QuerySet, TextField, Value

from service.accounting.models import ExportedEntry, JournalExport
from service.accounting.periods import closed_until
from service.auth import Caller
from service.categories.hooks import Ids, Users, businesses_of

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
    """Those with an entry under one of them, whole or in a part: "subcategory:minor units:team:account:tags" each."""
    if not subcategory_ids:
        return JournalExport.objects.none()
    listed = Func(F("parts"), Value(","), function="array_to_string", output_field=TextField())
    entries = ExportedEntry.objects.filter(export_id=OuterRef("id"))
    whole = entries.exclude(subcategory_id="").filter(subcategory_id__in=subcategory_ids)
    in_parts = entries.exclude(parts=[]).annotate(parts_text=listed)
    named = in_parts.filter(parts_text__regex=rf"(^|,)({'|'.join(subcategory_ids)}):")
    owned = JournalExport.objects.filter(business_id__in=businesses_of(subcategory_ids))
    return owned.filter(Exists(whole) | Exists(named))


FILED = Users("journal_export", _exports_of, lambda row: f"#{row.number}")
