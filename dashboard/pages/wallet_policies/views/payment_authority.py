"""Who can move money, and how much: the page, and the same as a file."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.inputs import whole_number
from dashboard.pages.wallet_policies.presenters.payment_authority import (
    authority_context,
    authority_file,
)
from dashboard.pages.wallet_policies.selectors.payment_authority import AuthorityQuery
from dashboard.web.files import save_as
from dashboard.web.respond import page

TEMPLATE = "wallet_policies/payment_authority.html"
TYPES = {"csv": "text/csv; charset=utf-8", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}


@require_GET
@needs(operations_pages.PAYMENT_AUTHORITY)
def payment_authority(request: ActorRequest, business: str) -> HttpResponse:
    """The page of people by wallets: what each can do with the money, and the limit that holds."""
    query = AuthorityQuery.read(request.GET)
    first = whole_number(request.GET.get("column", ""), 99_999) or 0
    context = authority_context(request.actor, query, first)
    return page(request, TEMPLATE, context, status=400 if query.problems else 200)


@require_GET
@needs(operations_pages.PAYMENT_AUTHORITY)
def export_payment_authority(request: ActorRequest, business: str) -> HttpResponse:
    """Everything that the query leaves, on all of its wallets, as CSV or XLSX."""
    query = AuthorityQuery.read(request.GET)
    form = "xlsx" if request.GET.get("format") == "xlsx" else "csv"
    answer = HttpResponse(authority_file(request.actor, query, form), content_type=TYPES[form])
    save_as(answer, f"payment-authority.{form}")
    return answer
