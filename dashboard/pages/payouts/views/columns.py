"""How the columns of files of payments are remembered: changed, and forgotten."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.pages.payouts.forms.columns import PayoutColumnsForm
from dashboard.payout_files.models import FileColumns
from dashboard.payout_files.services import remember_columns
from dashboard.web.respond import page


def _columns_of(request: ActorRequest, columns_id: int) -> FileColumns:
    return get_object_or_404(FileColumns, business=request.actor.business, pk=columns_id)


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_PAYOUT)
def edit_columns(request: ActorRequest, business: str, columns_id: int) -> HttpResponse:
    """Which column is which in files with this header; 404 where it is not remembered here."""
    row = _columns_of(request, columns_id)
    initial = {name: str(place) for name, place in row.columns.items()}
    form = PayoutColumnsForm(request.POST or None, header=row.header, initial=initial)
    if request.method == "GET" or not form.is_valid():
        context = {"columns": form, "remembered": row}
        return page(request, "payouts/columns.html", context, status=200 if request.method == "GET" else 422)
    remember_columns(request.actor.business, row.header, form.columns())
    messages.success(request, "The columns are remembered for the next file.")
    return redirect("payouts_new", business)


@require_POST
@needs(operations.CREATE_PAYOUT)
def forget_columns(request: ActorRequest, business: str, columns_id: int) -> HttpResponse:
    """Forgets them: the next file with this header is asked about."""
    _columns_of(request, columns_id).delete()
    messages.success(request, "The columns were forgotten. The next file with them is asked about.")
    return redirect("payouts_new", business)
