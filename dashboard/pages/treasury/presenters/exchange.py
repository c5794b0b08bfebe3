"""FX as it is shown: a quote of a minute, the history of a pair, and the wallets on both sides of a transfer.

Between two wallets of one currency an amount is moved as it is, without a quote (decisions F.6).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypedDict
from urllib.parse import urlencode

from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.cash.balances import WalletHolding
from dashboard.errors import KEY_CONFLICTS, FinanceError
from dashboard.mirror.models import Wallet
from dashboard.money import text, to_minor
from dashboard.pages.treasury.forms import RateForm
from dashboard.pages.treasury.selectors import (
    both_sides,
    can_transfer,
    currency_choices,
    read_fixings,
    read_quote,
    usual_pair,
)
from dashboard.pages.treasury.services import lacks_entitlement, refresh_wallets
from dashboard.schemas.fx import Quote, Transfer
from dashboard.times import local
from dashboard.web.charts import Chart, rate_chart
from dashboard.web.submission import new_key

PAIR_FIELDS = ("source", "target", "amount", "side", "span")
# What leads back to the same page, and what is sent again where the answer of a transfer was lost.
QUERY_FIELDS = (*PAIR_FIELDS, "from_wallet", "to_wallet", "note")
RETRY_FIELDS = ("key", "quote_id", *QUERY_FIELDS)


@dataclass(frozen=True, slots=True)
class QuoteFigures:
    """A quote as it is printed: its rates, its amounts ("" without an amount), and until when it holds.

    `seconds_left` counts from now, 0 where it is over.
    """

    id: str
    mid: str
    buy: str
    sell: str
    rate_applied: str
    markup: str
    source_amount: str
    target_amount: str
    fee: str
    until: str
    seconds_left: int


@dataclass(frozen=True, slots=True)
class Leg:
    """A wallet that may be chosen: what is available now and after, as text; `short` where it is not enough."""

    wallet: Wallet
    name: str
    now: str
    after: str
    short: bool
    live: bool


@dataclass(frozen=True, slots=True)
class History:
    """What a pair was worth: day and rate, the newest first, and the line through them; how many days did not answer."""

    rows: list[tuple[str, str]]
    chart: Chart | None
    least: str
    most: str
    missing: int


def rate_text(rate: Decimal) -> str:
    """A rate with the digits that people look at: 129.5012, 0.007721868."""
    return f"{rate:.7g}"


def exchange_query(fields: Mapping[str, str]) -> str:
    """The query of the address that shows the same pair, amount and wallets again."""
    return urlencode({name: fields[name] for name in QUERY_FIELDS if fields.get(name)})


def retry_fields(fields: Mapping[str, str]) -> list[tuple[str, str]]:
    """The hidden fields that send a transfer again under its key: it is found out how it ended, and never done twice."""
    return [(name, fields.get(name, "")) for name in RETRY_FIELDS]


def rate_form(actor: Actor, entered: Mapping[str, str]) -> RateForm:
    """The form of a pair, bound to what was entered and the usual values of the rest."""
    own = usual_pair(actor)
    usual = {"source": own[0], "target": own[1], "side": "SELL", "span": "90"}
    return RateForm({**usual, **entered}, currencies=currency_choices(actor, own), locale=actor.business.locale)


class ExchangeContext(TypedDict, total=False):
    """What treasury/fx.html reads; which of it there is says `exchange_context`."""

    form: RateForm
    entered: Mapping[str, str]
    source: str
    target: str
    query: str
    at_par: bool
    history: History
    history_failed: str
    quote: QuoteFigures
    transfer_amount: str
    failed: str
    may_transfer: bool
    key: str
    unentitled: bool
    paying: list[Leg]
    receiving: list[Leg]
    paying_id: str
    receiving_id: str
    pair_fields: list[tuple[str, Any]]
    may_open: bool
    step_up_url: str


def exchange_context(actor: Actor, form: RateForm, entered: Mapping[str, str], *, in_doubt: bool) -> ExchangeContext:
    """The context of the FX page: `form` and `entered` always; nothing more where the form is wrong.

    `source`, `target` and `query` of the pair; `history` or `history_failed`, or `at_par` for one currency; and unless
    it is not known how a transfer ended (`in_doubt`), what `_quoted` or `_at_par` tells.
    """
    context: ExchangeContext = {"form": form, "entered": entered}
    if not form.is_valid():
        return context
    pair = form.cleaned_data
    context |= {"source": pair["source"], "target": pair["target"], "query": exchange_query(form.data)}
    if pair["source"] == pair["target"]:
        context["at_par"] = True
        return context if in_doubt else context | _at_par(actor, pair, entered)
    context |= _history(actor, pair)
    return context if in_doubt else context | _quoted(actor, pair, entered)


def _history(actor: Actor, pair: Mapping[str, Any]) -> ExchangeContext:
    try:
        fixings = read_fixings(actor, pair["source"], pair["target"], int(pair["span"]))
    except FinanceError as error:
        return {"history_failed": error.user_message}
    rates = list(fixings.rates.values())
    rows = [(f"{day.day} {day:%b %Y}", rate_text(rate)) for day, rate in reversed(fixings.rates.items())]
    least, most = (rate_text(min(rates)), rate_text(max(rates))) if rates else ("", "")
    names = [day for day, _ in reversed(rows)]
    chart = rate_chart(names, rates, pair["target"], actor.business.locale, rate_text)
    return {"history": History(rows, chart, least, most, fixings.missing)}


def _quoted(actor: Actor, pair: Mapping[str, Any], entered: Mapping[str, str]) -> ExchangeContext:
    """`quote` (QuoteFigures) with the wallets to choose from, or `failed`."""
    source, target = pair["source"], pair["target"]
    try:
        quote = read_quote(actor, source, target, pair["amount"] or None, pair["side"])
        paying, receiving = _quoted_legs(actor, quote, source, target)
    except FinanceError as error:
        return {"failed": error.user_message}
    context = _sides(actor, pair, entered, paying, receiving)
    context["quote"] = _figures(actor, quote, source, target)
    return context


def _at_par(actor: Actor, pair: Mapping[str, Any], entered: Mapping[str, str]) -> ExchangeContext:
    """`transfer_amount` with the wallets to choose from, or `failed`; nothing to choose from without an amount."""
    if not pair["amount"]:
        return {"may_transfer": can_transfer(actor)}
    minor = to_minor(pair["amount"], pair["source"])
    try:
        paying, receiving = _legs(actor, (pair["source"], minor), (pair["source"], minor))
    except FinanceError as error:
        return {"failed": error.user_message}
    # One wallet alone is both sides.
    context = _sides(actor, pair, entered, paying, receiving if len(receiving) > 1 else [])
    context["transfer_amount"] = text(minor, pair["source"], actor.business.locale)
    return context


def _sides(
    actor: Actor, pair: Mapping[str, Any], entered: Mapping[str, str], paying: list[Leg], receiving: list[Leg]
) -> ExchangeContext:
    """The wallets to choose from, for who may move money between them, with the ids of those that are chosen."""
    may_transfer, key = can_transfer(actor), new_key()
    if lacks_entitlement(actor):
        return {"may_transfer": may_transfer, "key": key, "unentitled": True}
    paying_id = entered.get("from_wallet") or next((leg.wallet.remote_id for leg in paying), "")
    others = (leg.wallet.remote_id for leg in receiving if leg.wallet.remote_id != paying_id)
    return {
        "may_transfer": may_transfer,
        "key": key,
        "paying": paying,
        "receiving": receiving,
        "paying_id": paying_id,
        "receiving_id": entered.get("to_wallet") or next(others, ""),
        "pair_fields": [(name, pair[name]) for name in PAIR_FIELDS],
        "may_open": bool(can_open(actor, operations.OPEN_WALLET)),
    }


def _quoted_legs(actor: Actor, quote: Quote, source: str, target: str) -> tuple[list[Leg], list[Leg]]:
    if quote.source_amount is None or quote.target_amount is None:
        return [], []
    pays, gets = to_minor(quote.source_amount, source), to_minor(quote.target_amount, target)
    return _legs(actor, (source, pays), (target, gets))


def _legs(actor: Actor, pays: tuple[str, int], gets: tuple[str, int]) -> tuple[list[Leg], list[Leg]]:
    """The wallets that may pay and those that may receive these minor units of a currency."""
    paying, receiving = both_sides(actor, pays[0], gets[0])
    return [_leg(holding, -pays[1]) for holding in paying], [_leg(holding, gets[1]) for holding in receiving]


def _leg(holding: WalletHolding, change: int) -> Leg:
    after = None if holding.available is None else holding.available + change
    now = holding.amount_text(holding.available) if holding.visible else "no access"
    short = after is not None and after < 0
    return Leg(
        holding.wallet, holding.name, now, holding.amount_text(after) if holding.visible else "", short, holding.live
    )


def _figures(actor: Actor, quote: Quote, source: str, target: str) -> QuoteFigures:
    def amount(value: Decimal | None, code: str) -> str:
        return "" if value is None else text(to_minor(value, code), code, actor.business.locale)

    return QuoteFigures(
        id=quote.quote_id,
        mid=rate_text(quote.mid),
        buy=rate_text(quote.buy),
        sell=rate_text(quote.sell),
        rate_applied=rate_text(quote.rate_applied),
        markup=f"{quote.markup_bps / 100:g} %",
        source_amount=amount(quote.source_amount, source),
        target_amount=amount(quote.target_amount, target),
        fee=amount(quote.fee, target),
        until=f"{local(quote.expires_at, actor.business):%H:%M:%S %Z}",
        seconds_left=max(0, int((quote.expires_at - timezone.now()).total_seconds())),
    )


NOTHING_MOVED = "Nothing was moved."
MAY_BE_MOVED = "An earlier sending of this form may have moved money: check the wallets."


def refusal_text(refusal: FinanceError, *, quoted: bool, sent_before: bool) -> str:
    """Why it was not moved; `quoted`: by a quote, of which the page has a fresh one; `sent_before`: an earlier sending of
    the form has moved something, or may have."""
    if isinstance(refusal, KEY_CONFLICTS):
        return f"{refusal.user_message} Check the wallets before you send it again."
    if refusal.code == "quote_expired":
        return "The quote had expired, so nothing was moved. A new quote is below: check its rate before you continue."
    if refusal.code == "duplicate":
        return "This quote was already used: check the wallets before you convert again. A new quote is below."
    problems = " ".join(problem.message for problem in refusal.fields)
    more = " A new quote is below for when this is fixed." if quoted else ""
    return f"{problems or refusal.detail} {MAY_BE_MOVED if sent_before else NOTHING_MOVED}{more}"


def transfer_text(actor: Actor, transfer: Transfer, wallets: list[Wallet]) -> str:
    """What became of a transfer, and what its wallets hold now: "KES 1.00 was transferred. Main now has KES 2.00"."""
    locale = actor.business.locale
    paid = text(to_minor(transfer.source_amount, transfer.source_currency), transfer.source_currency, locale)
    received = text(to_minor(transfer.target_amount, transfer.target_currency), transfer.target_currency, locale)
    balances = "; ".join(_balance_text(wallet, locale) for wallet in refresh_wallets(actor, wallets))
    at_par = transfer.source_currency == transfer.target_currency
    if transfer.status == "COMPLETED":
        return f"{paid} was {'transferred' if at_par else f'converted to {received}'}. {balances}"
    verb = "Transferring" if at_par else "Converting"
    return f"{verb} {paid} is awaiting approval; the money is on hold until then. {balances}"


def _balance_text(wallet: Wallet, locale: str) -> str:
    available = text(wallet.available_minor or 0, wallet.currency, locale)
    return f"{wallet.name or wallet.org_wallet_ref} now has {available}"
