"""FX: the rate of now as a quote of a minute, its history, and the transfer between two wallets by it.

Between two wallets of one currency an amount is moved as it is, without a quote (decisions F.6).
"""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from dashboard import cache, operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import can, can_open
from dashboard.access.decorators import needs
from dashboard.audit.record import record_denial
from dashboard.commands.treasury import transfer
from dashboard.errors import Conflict, EntitlementMissing, FinanceError, Forbidden, NotAllowed, Rejected, Unknown
from dashboard.mirror.models import Wallet
from dashboard.mirror.scopes import visible_wallets
from dashboard.money import text, to_minor
from dashboard.pages.treasury.forms import RateForm, TransferForm
from dashboard.pages.treasury.legs import Leg, legs_at_par, legs_of, now_in
from dashboard.pages.treasury.rates import currencies_of, history_of, quote_of, rate_text
from dashboard.pages.treasury.views import visible
from dashboard.schemas.fx import Quote, Transfer
from dashboard.times import local
from dashboard.web.respond import page
from dashboard.web.signin.middleware import step_up, stepped_up
from dashboard.web.submission import key_of, new_key

TEMPLATE = "treasury/fx.html"
ASKED = ("source", "target", "amount", "side", "span", "from_wallet", "to_wallet", "note")
UNENTITLED_LASTS_S = 600


@require_GET
@needs(operations.READ_FX_RATE)
def rates(request: ActorRequest, business: str) -> HttpResponse:
    """The rate of a pair, its history, and for an amount a quote that may be used."""
    return _show(request, request.GET.dict())


def _show(request: ActorRequest, given: dict[str, Any], status: int = 200, **more: Any) -> HttpResponse:
    actor = request.actor
    held = list(visible_wallets(actor).order_by("currency").values_list("currency", flat=True).distinct())
    pair = held if len(held) > 1 else [*held, *(code for code in ("USD", "KES", "EUR") if code not in held)]
    usual = {"source": pair[0], "target": pair[1], "side": "SELL", "span": "90"}
    form = RateForm(usual | given, currencies=currencies_of(actor, pair), locale=actor.business.locale)
    context: dict[str, Any] = {"form": form, "given": given} | more
    if form.is_valid():
        found = form.cleaned_data
        context |= {"source": found["source"], "target": found["target"], "again": _again(usual | given)}
        if found["source"] == found["target"]:
            context |= {"at_par": True} | ({} if more.get("doubt") else _at_par(request, found, context["again"]))
        else:
            context |= _history(actor, found)
            context |= {} if more.get("doubt") else _quoted(request, found, context["again"])
    elif status == 200:
        status = 400
    return page(request, TEMPLATE, context, status=status)


def _again(given: dict[str, Any]) -> str:
    return urlencode({name: given[name] for name in ASKED if given.get(name)})


def _history(actor: Actor, found: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"history": history_of(actor, found["source"], found["target"], int(found["span"]))}
    except FinanceError as error:
        return {"history_failed": error.user_message}


def _quoted(request: ActorRequest, found: dict[str, Any], again: str) -> dict[str, Any]:
    """The quote, or why there is none; and where the person may use it, between which wallets."""
    actor, (source, target) = request.actor, (found["source"], found["target"])
    try:
        quote = quote_of(actor, source, target, found["amount"] or None, found["side"])
        paying, taking = legs_of(actor, quote, source, target)
    except FinanceError as error:
        return {"failed": error.user_message}
    shown = {"quote": _said(actor, quote, source, target)}
    return shown | _sides(request, found, again, paying, taking)


def _at_par(request: ActorRequest, found: dict[str, Any], again: str) -> dict[str, Any]:
    """An amount between two wallets of one currency; nothing to choose from without an amount."""
    actor, currency = request.actor, found["source"]
    if not found["amount"]:
        return {"may": _may(actor)}
    minor = to_minor(found["amount"], currency)
    try:
        paying, taking = legs_at_par(actor, currency, minor)
    except FinanceError as error:
        return {"failed": error.user_message}
    shown = {"moves": text(minor, currency, actor.business.locale)}
    # One wallet alone is both sides.
    return shown | _sides(request, found, again, paying, taking if len(taking) > 1 else [])


def _sides(
    request: ActorRequest, found: dict[str, Any], again: str, paying: list[Leg], taking: list[Leg]
) -> dict[str, Any]:
    """The wallets to choose from with those that are chosen, for who may move money between them."""
    actor = request.actor
    shown: dict[str, Any] = {"may": _may(actor), "key": new_key()}
    if cache.recall(_unentitled(actor)):
        return shown | {"unentitled": True}
    back = f"{reverse('treasury_fx', args=[actor.business.slug])}?{again}"
    first = "" if stepped_up(request) else step_up(request, back).url
    given = request.POST or request.GET
    pays = given.get("from_wallet") or next((leg.wallet.remote_id for leg in paying), "")
    others = (leg.wallet.remote_id for leg in taking if leg.wallet.remote_id != pays)
    return shown | {
        "paying": paying,
        "taking": taking,
        "pays": pays,
        "gets": given.get("to_wallet") or next(others, ""),
        "prove": first,
        "kept": [(name, found[name]) for name in ("source", "target", "amount", "side", "span")],
        "may_open": bool(can_open(actor, operations.OPEN_WALLET)),
    }


def _said(actor: Actor, quote: Quote, source: str, target: str) -> dict[str, Any]:
    locale = actor.business.locale
    rates_told = {name: rate_text(getattr(quote, name)) for name in ("mid", "buy", "sell", "rate_applied")}
    amounts = (("pays", quote.source_amount, source), ("gets", quote.target_amount, target), ("fee", quote.fee, target))
    told = {name: text(to_minor(value, code), code, locale) for name, value, code in amounts if value is not None}
    left = (quote.expires_at - timezone.now()).total_seconds()
    return rates_told | told | {
        "id": quote.quote_id,
        "markup": f"{quote.markup_bps / 100:g} %",
        "until": f"{local(quote.expires_at, actor.business):%H:%M:%S %Z}",
        "left": max(0, int(left)),
    }  # fmt: skip


def _may(actor: Actor) -> bool:
    """Whether the person may exchange from any wallet at all: by role, or by a grant on one."""
    return bool(can_open(actor, operations.TRANSFER_FX)) or any(
        can(actor, operations.TRANSFER_FX, one) for one in visible_wallets(actor)
    )


def _unentitled(actor: Actor) -> str:
    return f"fx:unentitled:{actor.business.pk}"


@require_POST
@needs(operations.READ_FX_RATE)
def transfer_fx(request: ActorRequest, business: str) -> HttpResponse:
    """Exchanges by the quote that was seen, or moves an amount; who has not just shown that it is them does so first."""
    given, form = request.POST.dict(), TransferForm(request.POST, locale=request.actor.business.locale)
    _deny_unless_may(request.actor)
    if not form.is_valid():
        wrong = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return _show(request, given, 422, refused=f"{wrong} Nothing was moved.")
    paying, taking = (visible(request, form.cleaned_data[name]) for name in ("from_wallet", "to_wallet"))
    if wrong := form.wrong_for(paying.currency):
        return _show(request, given, 422, refused=f"{wrong} Nothing was moved.")
    if not stepped_up(request):
        # A quote holds for a minute: a fresh one waits where this leads back to.
        return step_up(request, f"{reverse('treasury_fx', args=[business])}?{_again(given)}")
    return _send(request, given, form.body(), paying, taking)


def _send(
    request: ActorRequest, given: dict[str, Any], body: dict[str, Any], paying: Wallet, taking: Wallet
) -> HttpResponse:
    try:
        moved = transfer(request.actor, paying, taking, body, key=key_of(request))
    except EntitlementMissing:
        cache.keep(_unentitled(request.actor), True, UNENTITLED_LASTS_S)
        return _show(request, given, 403)
    except (Conflict, Rejected, Forbidden) as refused:
        return _show(request, given, refused.status, refused=_refusal(refused, quoted="quote_id" in body))
    except Unknown as doubt:
        # The same form under the same key: asked again, it is found out, and never done twice.
        asked = [(name, given.get(name, "")) for name in ("key", "quote_id", *ASKED)]
        return _show(request, given, doubt.status, doubt=asked)
    _say(request, moved, [paying, taking])
    return redirect("treasury", request.actor.business.slug)


def _refusal(refused: FinanceError, *, quoted: bool) -> str:
    if refused.code == "quote_expired":
        return "The quote had expired, so nothing was moved. Below is a fresh one: look at its rate before you go on."
    if refused.code == "duplicate":
        return "This quote was used already: look at the wallets before you exchange again. Below is a fresh one."
    told = " ".join(problem.message for problem in refused.fields)
    more = " Below is a fresh quote for when that is put right." if quoted else ""
    return f"{told or refused.detail} Nothing was moved.{more}"


def _say(request: ActorRequest, moved: Transfer | None, wallets: list[Wallet]) -> None:
    locale = request.actor.business.locale
    if moved is None:
        messages.info(request, "The service accepted it, in words that we cannot read: look at the wallets.")
        return
    paid = text(to_minor(moved.source_amount, moved.source_currency), moved.source_currency, locale)
    got = text(to_minor(moved.target_amount, moved.target_currency), moved.target_currency, locale)
    now, at_par = "; ".join(now_in(request.actor, wallets)), moved.source_currency == moved.target_currency
    if moved.status == "COMPLETED":
        messages.success(request, f"{paid} was {'transferred' if at_par else f'exchanged for {got}'}. {now}")
    else:
        verb = "Transferring" if at_par else "Exchanging"
        messages.info(request, f"{verb} {paid} waits for approval; the money is on hold until then. {now}")


def _deny_unless_may(actor: Actor) -> None:
    if not _may(actor):
        verdict = can_open(actor, operations.TRANSFER_FX)
        record_denial(actor, operations.TRANSFER_FX, reason=verdict.reason, rule=verdict.rule)
        raise NotAllowed(verdict.reason, code=verdict.rule)
