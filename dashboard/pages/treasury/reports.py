"""The treasury's reports: cashflow by month, money movement, fees; each asked live, each failing by itself."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.errors import FinanceError
from dashboard.mirror.scopes import visible_wallets
from dashboard.pages.treasury.flows import cashflow_of, fees_of, movement_of
from dashboard.pages.treasury.forms import CashflowForm
from dashboard.web.forms import PeriodForm
from dashboard.web.respond import page

CASHFLOW, MOVEMENT = "treasury/cashflow.html", "treasury/movement.html"


@require_GET
@needs(operations.READ_CASHFLOW_REPORT)
def cashflow(request: ActorRequest, business: str) -> HttpResponse:
    """What each month opened with, took in, gave out and closed with; each opens with what the last one closed with."""
    found = visible_wallets(request.actor).order_by("currency", "name")
    choices = [(one.org_wallet_ref, f"{one.name or one.org_wallet_ref} · {one.currency}") for one in found]
    form = CashflowForm(request.GET, wallets=choices)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        try:
            context["reports"], context["seen"] = cashflow_of(request.actor, form.query())
        except FinanceError as error:
            context["failed"] = error.user_message
    return page(request, CASHFLOW, context, status=200 if form.is_valid() else 400)


@require_GET
@needs(operations.READ_MONEY_MOVEMENT)
def movement(request: ActorRequest, business: str) -> HttpResponse:
    """What came in and from where, what went out and for what, the trend, and the fees."""
    form = PeriodForm(request.GET)
    context: dict[str, Any] = {"form": form}
    if not form.is_valid():
        return page(request, MOVEMENT, context, status=400)
    try:
        context["moved"], context["seen"] = movement_of(request.actor, form.days())
    except FinanceError as error:
        context["failed"] = error.user_message
    if can_open(request.actor, operations.READ_FEES):
        try:
            context["fees"], context["fee_sums"] = fees_of(request.actor, form.days())
        except FinanceError as error:
            context["fees_failed"] = error.user_message
    return page(request, MOVEMENT, context)
