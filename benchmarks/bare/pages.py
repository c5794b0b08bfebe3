"""One page: the fifty newest that wait, by index, with the ORM, in a plain template with `|date` and `|floatformat`."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from benchmarks.bare.models import Expense


def waiting(request: HttpRequest) -> HttpResponse:
    """What waits in a business, newest first."""
    rows = Expense.objects.filter(business_id=request.GET["business"], status="PENDING", tombstoned_at=None).order_by(
        "-transaction_date", "-id"
    )[:50]
    return render(request, "bare/waiting.html", {"rows": rows})


urlpatterns = [path("", waiting)]
