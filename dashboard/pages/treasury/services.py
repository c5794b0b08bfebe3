"""Both sides of an exchange or a transfer as they are chosen: which wallets pay and receive, and what each has after it."""

from dataclasses import dataclass

from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.cash.balances import Holding, holdings_of
from dashboard.client.reads import Ok, fan_out
from dashboard.errors import FinanceError
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Source, Wallet
from dashboard.mirror.scopes import visible_wallets
from dashboard.money import text, to_minor
from dashboard.schemas.fx import Quote


@dataclass(frozen=True)
class Leg:
    """A wallet that may be chosen: what is available now and after, as text; `short` where it is not enough."""

    wallet: Wallet
    name: str
    now: str
    after: str
    short: bool
    live: bool


def legs_of(actor: Actor, quote: Quote, source: str, target: str) -> tuple[list[Leg], list[Leg]]:
    """The wallets that may pay, and those that may receive; raises where nothing could be asked."""
    if quote.source_amount is None or quote.target_amount is None:
        return [], []
    return _between(
        actor, (source, to_minor(quote.source_amount, source)), (target, to_minor(quote.target_amount, target))
    )


def legs_at_par(actor: Actor, currency: str, minor: int) -> tuple[list[Leg], list[Leg]]:
    """The same for an amount between two wallets of one currency: each wallet is on both sides."""
    return _between(actor, (currency, minor), (currency, minor))


def _between(actor: Actor, pays: tuple[str, int], gets: tuple[str, int]) -> tuple[list[Leg], list[Leg]]:
    usable = list(visible_wallets(actor).filter(status="ACTIVE").order_by("name", "remote_id"))
    paying = [one for one in usable if one.currency == pays[0] and can(actor, operations.TRANSFER_FX, one)]
    taking = [one for one in usable if one.currency == gets[0]]
    # Both sides asked at once, and no wallet twice.
    asked = {one.pk: one for one in (*paying, *taking)}
    held = {one.wallet.pk: one for one in holdings_of(actor, list(asked.values()))}
    return _legs([held[one.pk] for one in paying], -pays[1]), _legs([held[one.pk] for one in taking], gets[1])


def _legs(holdings: list[Holding], change: int) -> list[Leg]:
    legs = []
    for held in holdings:
        after = None if held.available is None else held.available + change
        now = held.said(held.available) if held.told else "not shown to you"
        short = after is not None and after < 0
        legs.append(Leg(held.wallet, held.name, now, held.said(after) if held.told else "", short, held.live))
    return legs


def now_in(actor: Actor, wallets: list[Wallet]) -> list[str]:
    """What each has now, read live and written through to the copy: "Main has KES 1,200.00"; nothing where untold."""
    readable = [one for one in wallets if can(actor, operations.READ_ACCOUNT_BALANCE, one)]
    calls = {one.remote_id: {"path": {"id": one.remote_id}, "subject": one} for one in readable}
    began = timezone.now()
    try:
        found = fan_out(actor, operations.READ_ACCOUNT, calls)
    except FinanceError:
        return []
    payloads = [one.answer.data for one in found.values() if isinstance(one, Ok)]
    upsert("wallet", actor.business, payloads, Source.POLL, read_at=began)
    told = Wallet.objects.filter(business=actor.business, remote_id__in=found)
    fresh = {one.remote_id: one for one in told if isinstance(found[one.remote_id], Ok)}
    return [_has(fresh[one.remote_id], actor.business.locale) for one in readable if one.remote_id in fresh]


def _has(wallet: Wallet, locale: str) -> str:
    return (
        f"{wallet.name or wallet.org_wallet_ref} now has {text(wallet.available_minor or 0, wallet.currency, locale)}"
    )
