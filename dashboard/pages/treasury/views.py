"""Wallets, what they hold and how that moves: opening and suspending one, statements, reports, the forecast, and FX."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations, operations_pages
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import can, can_open
from dashboard.access.decorators import needs
from dashboard.cash.balances import all_holdings, by_currency, holdings_or_copies
from dashboard.commands import treasury
from dashboard.errors import Conflict, EntitlementMissing, Forbidden, Rejected, Unknown
from dashboard.mirror.models import Wallet
from dashboard.pages.treasury.forms import (
    CashflowForm,
    CurrencyForm,
    TransferForm,
    WalletForm,
    WalletInForm,
    WalletNameForm,
)
from dashboard.pages.treasury.presenters.currencies import currencies_context
from dashboard.pages.treasury.presenters.exchange import (
    MAY_BE_MOVED,
    NOTHING_MOVED,
    exchange_context,
    exchange_query,
    rate_form,
    refusal_text,
    retry_fields,
    transfer_text,
)
from dashboard.pages.treasury.presenters.forecast import MOST_WALLETS, forecast_context
from dashboard.pages.treasury.presenters.reports import cashflow_context, movement_context, wallet_statement_context
from dashboard.pages.treasury.selectors import ordered_wallets, report_wallet_choices, wallet_of
from dashboard.pages.treasury.services import check_can_transfer, note_missing_entitlement
from dashboard.schemas.fx import Transfer
from dashboard.web.forms import PeriodForm
from dashboard.web.respond import page
from dashboard.web.signin.middleware import step_up, stepped_up
from dashboard.web.submission import form_key_of, new_key, posted_key, sent_before


@require_GET
@needs(operations_pages.TREASURY)
def wallets(request: ActorRequest, business: str) -> HttpResponse:
    """The wallets per currency with posted, pending and available, live where they answer."""
    holdings, failure = all_holdings(request.actor, ordered_wallets(request.actor), MOST_WALLETS)
    context = {
        "groups": by_currency(holdings),
        "failure": failure,
        "stale": any(holding.visible and not holding.live for holding in holdings),
        "may_open": bool(can_open(request.actor, operations.OPEN_WALLET)),
    }
    return page(request, "treasury/wallets.html", context)


@require_GET
@needs(operations_pages.TREASURY)
def wallet(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One wallet: what it holds, its statement, and what may be done with it."""
    return _wallet_page(request, wallet_of(request.actor, remote_id))


def _wallet_page(
    request: ActorRequest, row: Wallet, status: int = 200, rename: WalletNameForm | None = None
) -> HttpResponse:
    actor = request.actor
    (holding,), _ = holdings_or_copies(actor, [row])
    stopped = row.status in {"PENDING", "SUSPENDED"}
    context: dict[str, Any] = {
        "holding": holding,
        "suspend": can(actor, operations.SUSPEND_ACCOUNT, row) if row.status == "ACTIVE" else None,
        "activate": can(actor, operations.ACTIVATE_ACCOUNT, row) if stopped else None,
        "rename": rename or _rename_form(actor, row),
        "key": new_key(),
    } | wallet_statement_context(actor, row, request.GET)
    return page(request, "treasury/wallet.html", context, status=status if context["form"].is_valid() else 400)


def _rename_form(actor: Actor, row: Wallet) -> WalletNameForm | None:
    """The form of the wallet's name; None where the actor may not change it, or it is closed."""
    if row.status == "CLOSED" or not can(actor, operations.UPDATE_ACCOUNT, row):
        return None
    return WalletNameForm(initial={"name": row.name}, prefix="rename")


@require_http_methods(["GET", "POST"])
@needs(operations.OPEN_WALLET)
def open_wallet(request: ActorRequest, business: str) -> HttpResponse:
    """A new wallet, and its currency where the business has none of it yet."""
    form = WalletForm(request.POST or None, initial={"currency": request.GET.get("currency", "")})
    if request.method == "GET" or not form.is_valid():
        return _wallet_form(request, form)
    try:
        opened = treasury.open_wallet(request.actor, form.body(), key=form_key_of(request), form=form)
    except (Rejected, Conflict):
        return _wallet_form(request, form)
    messages.success(request, f"{opened.text('name') or 'The wallet'} is open.")
    return redirect("treasury_wallet", business, opened.id)


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_ACCOUNT)
def open_wallet_in(request: ActorRequest, business: str, code: str) -> HttpResponse:
    """A new wallet in a currency that the business has."""
    data = request.POST.copy()
    data["currency"] = code
    form = WalletInForm(data if request.method == "POST" else None, initial={"currency": code})
    if request.method == "GET" or not form.is_valid():
        return _wallet_form(request, form, code)
    try:
        opened = treasury.open_wallet_in_currency(request.actor, form.body(), key=form_key_of(request), form=form)
    except (Rejected, Conflict):
        return _wallet_form(request, form, code)
    messages.success(request, f"{opened.text('name') or 'The wallet'} is open.")
    return redirect("treasury_wallet", business, opened.id)


def _wallet_form(request: ActorRequest, form: WalletForm, code: str = "") -> HttpResponse:
    status = 200 if request.method == "GET" else 422
    context = {"form": form, "key": posted_key(request), "code": code}
    return page(request, "treasury/new.html", context, status=status)


@require_GET
@needs(operations.LIST_BUSINESS_CURRENCIES)
def currencies(request: ActorRequest, business: str) -> HttpResponse:
    """The currencies of the business, and how many wallets there are of each."""
    return _currencies_page(request, CurrencyForm())


@require_POST
@needs(operations.CREATE_CURRENCY)
def add_currency(request: ActorRequest, business: str) -> HttpResponse:
    """Adds a currency, in which wallets can be opened then."""
    form = CurrencyForm(request.POST)
    if not form.is_valid():
        return _currencies_page(request, form, 422)
    code = form.cleaned_data["currency"]
    try:
        treasury.add_currency(request.actor, code, key=form_key_of(request), form=form)
    except (Rejected, Conflict) as refused:
        return _currencies_page(request, form, refused.status)
    messages.success(request, f"The business has {code}: wallets can be opened in it.")
    return redirect("treasury_currencies", business)


def _currencies_page(request: ActorRequest, form: CurrencyForm, status: int = 200) -> HttpResponse:
    context = currencies_context(request.actor) | {"form": form, "key": posted_key(request)}
    return page(request, "treasury/currencies.html", context, status=status)


@require_POST
@needs(operations.SUSPEND_ACCOUNT)
def suspend_wallet(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """From now on no money leaves it; money can still come in."""
    row = wallet_of(request.actor, remote_id)
    treasury.suspend_wallet(request.actor, row, key=form_key_of(request))
    messages.success(request, f"{row.name} is suspended: no money leaves it, money can still come in.")
    return redirect("treasury_wallet", business, remote_id)


@require_POST
@needs(operations.ACTIVATE_ACCOUNT)
def activate_wallet(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Money may leave it again."""
    row = wallet_of(request.actor, remote_id)
    treasury.activate_wallet(request.actor, row, key=form_key_of(request))
    messages.success(request, f"{row.name} is active: money can leave it again.")
    return redirect("treasury_wallet", business, remote_id)


@require_POST
@needs(operations.UPDATE_ACCOUNT)
def rename_wallet(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Gives a wallet another name."""
    row, form = wallet_of(request.actor, remote_id), WalletNameForm(request.POST, prefix="rename")
    if not form.is_valid():
        return _wallet_page(request, row, 422, form)
    try:
        treasury.rename_wallet(request.actor, row, form.cleaned_data["name"], key=form_key_of(request), form=form)
    except (Rejected, Conflict) as refused:
        return _wallet_page(request, row, refused.status, form)
    messages.success(request, "Changes saved.")
    return redirect("treasury_wallet", business, remote_id)


@require_POST
@needs(operations.UPDATE_ACCOUNT)
def close_wallet(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Closes a wallet for good, or says what keeps it open."""
    row = wallet_of(request.actor, remote_id)
    try:
        treasury.close_wallet(request.actor, row, key=form_key_of(request))
    except (Rejected, Conflict) as refused:
        messages.error(request, refused.on_form)
    else:
        messages.success(request, f"{row.name} is closed.")
    return redirect("treasury_wallet", business, remote_id)


@require_GET
@needs(operations.READ_CASHFLOW_REPORT)
def cashflow(request: ActorRequest, business: str) -> HttpResponse:
    """What each month opened with, took in, gave out and closed with; each opens with what the last one closed with."""
    form = CashflowForm(request.GET, wallets=report_wallet_choices(request.actor))
    if not form.is_valid():
        return page(request, "treasury/cashflow.html", {"form": form}, status=400)
    return page(request, "treasury/cashflow.html", {"form": form} | cashflow_context(request.actor, form.query()))


@require_GET
@needs(operations.READ_MONEY_MOVEMENT)
def movement(request: ActorRequest, business: str) -> HttpResponse:
    """What came in and from where, what went out and for what, the trend, and the fees."""
    form = PeriodForm(request.GET)
    if not form.is_valid():
        return page(request, "treasury/movement.html", {"form": form}, status=400)
    return page(request, "treasury/movement.html", {"form": form} | movement_context(request.actor, form.days()))


@require_GET
@needs(operations.READ_CASHFLOW_REPORT)
def forecast(request: ActorRequest, business: str) -> HttpResponse:
    """What is there now, and day by day what is expected to come in, to go out and to be left."""
    return page(request, "treasury/forecast.html", forecast_context(request.actor, request.GET.get("days", "")))


@require_GET
@needs(operations.READ_FX_RATE)
def rates(request: ActorRequest, business: str) -> HttpResponse:
    """The rate of a pair, its history, and for an amount a quote that may be used."""
    return _fx_page(request, request.GET.dict())


def _fx_page(request: ActorRequest, entered: dict[str, Any], status: int = 200, **outcome: Any) -> HttpResponse:
    form = rate_form(request.actor, entered)
    context = exchange_context(request.actor, form, entered, in_doubt="doubt_fields" in outcome)
    if "paying" in context:
        context["step_up_url"] = "" if stepped_up(request) else step_up(request, _fx_url(request, context["query"])).url
    status = 400 if status == 200 and not form.is_valid() else status
    return page(request, "treasury/fx.html", context | outcome, status=status)


def _fx_url(request: ActorRequest, query: str) -> str:
    return f"{reverse('treasury_fx', args=[request.actor.business.slug])}?{query}"


@require_POST
@needs(operations.READ_FX_RATE)
def transfer_fx(request: ActorRequest, business: str) -> HttpResponse:
    """Exchanges by the quote that was seen, or moves an amount; who has not just shown that it is them does so first."""
    entered, form = request.POST.dict(), TransferForm(request.POST, locale=request.actor.business.locale)
    check_can_transfer(request.actor)
    if not form.is_valid():
        return _fx_page(request, entered, 422, refused=_not_sent(request, form.problems()))
    paying, receiving = (wallet_of(request.actor, form.cleaned_data[name]) for name in ("from_wallet", "to_wallet"))
    if wrong := form.wrong_for(paying.currency):
        return _fx_page(request, entered, 422, refused=_not_sent(request, wrong))
    if not stepped_up(request):
        # A quote holds for a minute: a fresh one waits where this leads back to.
        return step_up(request, _fx_url(request, exchange_query(entered)))
    return _transfer(request, form, paying, receiving)


def _not_sent(request: ActorRequest, why: str) -> str:
    return f"{why} {MAY_BE_MOVED if sent_before(request) else NOTHING_MOVED}"


def _transfer(request: ActorRequest, form: TransferForm, paying: Wallet, receiving: Wallet) -> HttpResponse:
    entered, body = request.POST.dict(), form.body()
    try:
        transfer = treasury.transfer(request.actor, paying, receiving, body, key=form_key_of(request))
    except EntitlementMissing:
        note_missing_entitlement(request.actor)
        return _fx_page(request, entered, 403)
    except (Conflict, Rejected, Forbidden) as refusal:
        why = refusal_text(refusal, quoted="quote_id" in body, sent_before=sent_before(request))
        return _fx_page(request, entered, refusal.status, refused=why)
    except Unknown as doubt:
        return _fx_page(request, entered, doubt.status, doubt_fields=retry_fields(entered))
    _add_message(request, transfer, [paying, receiving])
    return redirect("treasury", request.actor.business.slug)


def _add_message(request: ActorRequest, transfer: Transfer | None, wallets: list[Wallet]) -> None:
    if transfer is None:
        messages.info(request, "The finance service accepted it, but its answer could not be read: check the wallets.")
    else:
        add = messages.success if transfer.status == "COMPLETED" else messages.info
        add(request, transfer_text(request.actor, transfer, wallets))
