"""A payment run: its plan is the list's bulk action; here the wallets that it pays from and the
discounts that it takes are chosen, and it is planned anew."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.pages.bills.forms.runs import RunForm
from dashboard.pages.bills.selectors.runs import planned_run, replan
from dashboard.web.respond import page


@require_http_methods(["GET", "POST"])
@needs(operations.ADD_BILL_PAYMENT)
def run_wallets(request: ActorRequest, business: str, batch_id: UUID) -> HttpResponse:
    """From which wallet the bills of each currency are paid, and which of them early, with their discount; 404 for anybody
    else's run, and one that was begun."""
    run = planned_run(request.actor, batch_id)
    form = RunForm(
        request.POST or None, wallets=run.wallets, chosen=run.action.wallets, discounts=run.discounts,
        discounted=sorted(run.action.discounted),
    )  # fmt: skip
    if request.method == "GET" or not form.is_valid():
        status = 200 if request.method == "GET" else 422
        return page(request, "bills/run_wallets.html", {"batch": run.batch, "form": form}, status=status)
    return redirect("bulk_item", business, replan(request.actor, run, form.wallets(), form.discounted()).pk)
