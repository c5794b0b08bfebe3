"""One list: the fifty newest expenses with what belongs to them, by `values()`, as a JsonResponse."""

from django.http import HttpRequest, JsonResponse
from django.urls import path

from benchmarks.bare.service_models import Receipt, Spending

COLUMNS = [field.attname for field in Spending._meta.concrete_fields if field.attname != "business_id"]
JOINED = [
    "employee__name", "team__name", "team__code", "subcategory__name", "subcategory__code",
    "subcategory__category_id", "subcategory__category__name", "subcategory__category__group",
]  # fmt: skip


def newest(request: HttpRequest) -> JsonResponse:
    """The newest of a business, each with its receipts."""
    rows = Spending.objects.filter(business_id=request.GET["business"]).order_by("-transaction_date", "-id")
    found = list(rows.values(*COLUMNS, *JOINED)[:50])
    receipts: dict[str, list[dict[str, object]]] = {}
    for each in Receipt.objects.filter(expense_id__in=[row["id"] for row in found]).order_by("id").values():
        receipts.setdefault(each["expense_id"], []).append(each)
    for row in found:
        row["receipts"] = receipts.get(row["id"], [])
    return JsonResponse({"docs": found})


urlpatterns = [path("", newest)]
