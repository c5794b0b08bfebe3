"""Wallets: all that one may see with what they hold, one with its statement, opening, suspending and activating."""

from typing import Any

from django.contrib import messages
from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations, operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can, can_open
from dashboard.access.decorators import needs
from dashboard.cash.balances import all_holdings, by_currency, holdings_or_copies
from dashboard.commands import treasury
from dashboard.errors import Conflict, FinanceError, Rejected
from dashboard.mirror.models import Wallet
from dashboard.mirror.scopes import visible_wallets
from dashboard.pages.treasury.forms import WalletForm
from dashboard.pages.treasury.statement import statement_of
from dashboard.web.forms import PeriodForm
from dashboard.web.respond import page
from dashboard.web.submission import form_key, key_of, new_key

LIST, ITEM, NEW = "treasury/wallets.html", "treasury/wallet.html", "treasury/new.html"
MOST_WALLETS = 100


def ordered_wallets(request: ActorRequest) -> QuerySet[Wallet]:
    """Those that one may see: by currency, closed ones last, then by name."""
    closed = Case(When(status="CLOSED", then=Value(1)), default=Value(0), output_field=IntegerField())
    return visible_wallets(request.actor).order_by("currency", closed, "name", "remote_id")


@require_GET
@needs(operations_pages.TREASURY)
def wallets(request: ActorRequest, business: str) -> HttpResponse:
    """The wallets per currency with posted, pending and available, live where they answer."""
    holdings, trouble = all_holdings(request.actor, ordered_wallets(request), MOST_WALLETS)
    context = {
        "groups": by_currency(holdings),
        "trouble": trouble,
        "stale": any(each.told and not each.live for each in holdings),
        "may_open": bool(can_open(request.actor, operations.OPEN_WALLET)),
    }
    return page(request, LIST, context)


def visible(request: ActorRequest, remote_id: str) -> Wallet:
    """One wallet, if it is theirs to see; else 404."""
    found: Wallet = get_object_or_404(visible_wallets(request.actor), remote_id=remote_id)
    return found


@require_GET
@needs(operations_pages.TREASURY)
def wallet(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One wallet: what it holds, its statement, and what may be done with it."""
    found, actor = visible(request, remote_id), request.actor
    (holding,), _ = holdings_or_copies(actor, [found])
    context: dict[str, Any] = {
        "holding": holding,
        "suspend": can(actor, operations.SUSPEND_ACCOUNT, found) if found.status == "ACTIVE" else None,
        "activate": can(actor, operations.ACTIVATE_ACCOUNT, found)
        if found.status in {"PENDING", "SUSPENDED"}
        else None,
        "key": new_key(),
    }
    context |= _statement(request, found)
    return page(request, ITEM, context, status=200 if context["form"].is_valid() else 400)


def _statement(request: ActorRequest, found: Wallet) -> dict[str, Any]:
    # It fails by itself: what the wallet holds is shown all the same.
    form = PeriodForm(request.GET)
    asked = request.GET.get("page", "1")
    number = max(1, int(asked)) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 1
    shown: dict[str, Any] = {"form": form}
    if not can(request.actor, operations.LIST_ACCOUNT_TRANSACTIONS, found):
        return shown | {"untold": True}
    if not form.is_valid():
        return shown
    first, last = form.cleaned_data["first"], form.cleaned_data["last"]
    shown["days"] = "".join(f"&{name}={day}" for name, day in (("first", first), ("last", last)) if day)
    try:
        shown["statement"] = statement_of(request.actor, found, number, first, last)
    except FinanceError as error:
        shown["failed"] = error.user_message
    return shown


@require_http_methods(["GET", "POST"])
@needs(operations.OPEN_WALLET)
def open_wallet(request: ActorRequest, business: str) -> HttpResponse:
    """A new wallet, and its currency where the business has none of it yet."""
    form = WalletForm(request.POST or None, initial={"currency": request.GET.get("currency", "")})
    if request.method == "GET":
        return _ask(request, form)
    if not form.is_valid():
        return _ask(request, form, 422)
    try:
        opened = treasury.open_wallet(request.actor, form.body(), key=key_of(request), form=form)
    except (Rejected, Conflict):
        return _ask(request, form, 422)
    messages.success(request, f"{opened.text('name') or 'The wallet'} is open.")
    return redirect("treasury_wallet", business, opened.id)


def _ask(request: ActorRequest, form: WalletForm, status: int = 200) -> HttpResponse:
    return page(request, NEW, {"form": form, "key": form_key(request)}, status=status)


@require_POST
@needs(operations.SUSPEND_ACCOUNT)
def suspend_wallet(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """From now on no money leaves it; money may still come in."""
    found = visible(request, remote_id)
    treasury.suspend_wallet(request.actor, found, key=key_of(request))
    messages.success(request, f"{found.name} is suspended: no money leaves it, money may still come in.")
    return redirect("treasury_wallet", business, remote_id)


@require_POST
@needs(operations.ACTIVATE_ACCOUNT)
def activate_wallet(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Money may leave it again."""
    found = visible(request, remote_id)
    treasury.activate_wallet(request.actor, found, key=key_of(request))
    messages.success(request, f"{found.name} is active: money may leave it again.")
    return redirect("treasury_wallet", business, remote_id)
