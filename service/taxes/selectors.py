"""What is read of withholding taxes: within the business of the caller, and as far as they may see."""

from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from service import periods
from service.auth import Caller
from service.taxes import serializers
from service.taxes.models import Tax, TaxRate, TaxTransaction
from service.taxes.schemas import TaxQuery, TaxTransactionQuery


def taxes(caller: Caller) -> QuerySet[Tax]:
    """Those of the caller's business, with all their versions."""
    rates = Prefetch("rates", queryset=TaxRate.objects.order_by("effective_from"))
    return Tax.objects.filter(business_id=caller.business.id).prefetch_related(rates)


def filter_taxes(caller: Caller, query: TaxQuery) -> QuerySet[Tax]:
    """Those that the filter lets through."""
    rows = taxes(caller)
    return rows.filter(status=query.status) if query.status else rows


def tax_detail(caller: Caller, row: Tax) -> serializers.TaxShape:
    """A tax as it is on the business's day."""
    return serializers.tax(row, periods.day_of(timezone.now(), caller.business))


def transactions(caller: Caller, query: TaxTransactionQuery) -> QuerySet[TaxTransaction]:
    """What was deducted, as far as the filters let it through."""
    rows = TaxTransaction.objects.filter(business_id=caller.business.id).select_related("tax", "vendor")
    start, end = periods.between(caller.business, query.from_, query.to)
    equal = {
        "tax_id": query.tax_id,
        "vendor_id": query.vendor_id,
        "bill_payment_ref": query.bill_payment_ref,
        "status": query.status,
        "deducted_at__gte": start,
        "deducted_at__lt": end,
        "id__in": query.ids.split(",") if query.ids else None,
    }
    return rows.filter(**{name: value for name, value in equal.items() if value is not None})
