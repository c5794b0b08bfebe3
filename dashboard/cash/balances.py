"""What the wallets hold: asked live and at once; the copy, labelled, for one that does not answer in time."""

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import ValidationError

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.client.reads import Err, Ok, fan_out
from dashboard.errors import FinanceError
from dashboard.mirror.models import Wallet
from dashboard.money import text, to_minor
from dashboard.schemas.accounts import BalanceNow
from dashboard.times import as_of

STATES = {
    "PENDING": ("Waiting", "warn"),
    "ACTIVE": ("Active", "ok"),
    "SUSPENDED": ("Suspended", "bad"),
    "CLOSED": ("Closed", ""),
}


@dataclass(frozen=True)
class Holding:
    """A wallet and its money in minor units; None where it is not known. `told`: whether one may see what it holds."""

    wallet: Wallet
    told: bool
    live: bool
    seen: str
    posted: int | None = None
    pending_in: int | None = None
    pending_out: int | None = None
    available: int | None = None
    locale: str = "en_KE"

    @property
    def name(self) -> str:
        """The wallet's name, or its reference."""
        return self.wallet.name or self.wallet.org_wallet_ref

    @property
    def state(self) -> tuple[str, str]:
        """Its state in a word, and the tone of that."""
        return STATES.get(self.wallet.status, (self.wallet.status.capitalize(), ""))

    def said(self, minor: int | None) -> str:
        """An amount of this wallet as text."""
        return "not known" if minor is None else text(minor, self.wallet.currency, self.locale)

    @property
    def amounts(self) -> dict[str, str]:
        """Posted, pending and available as text."""
        return {name: self.said(getattr(self, name)) for name in ("posted", "pending_in", "pending_out", "available")}


@dataclass(frozen=True)
class Sum:
    """A currency's wallets together; `partly` where some of it is from the copy."""

    currency: str
    posted: str
    available: str
    partly: bool


def holdings_of(actor: Actor, wallets: Iterable[Wallet]) -> list[Holding]:
    """Each wallet with what it holds, in the order given. Raises only where nothing at all could be asked."""
    listed = list(wallets)
    told = [each for each in listed if can(actor, operations.READ_ACCOUNT_BALANCE, each)]
    calls = {each.remote_id: {"path": {"id": each.remote_id}, "subject": each} for each in told}
    found = fan_out(actor, operations.READ_ACCOUNT_BALANCE, calls)
    return [_holding(actor, each, found.get(each.remote_id)) for each in listed]


def _holding(actor: Actor, wallet: Wallet, result: Ok | Err | None) -> Holding:
    locale = actor.business.locale
    if result is None:
        return Holding(wallet, told=False, live=False, seen="", locale=locale)
    if isinstance(result, Ok):
        try:
            now = BalanceNow.model_validate(result.answer.data).balances
        except ValidationError:
            return copy_of(actor, wallet)
        minor = {
            name: None if amount is None else to_minor(amount, wallet.currency)
            for name, amount in now.model_dump(include={"posted", "pending_in", "pending_out", "available"}).items()
        }
        seen = as_of(result.as_of, actor.business)
        return Holding(wallet, told=True, live=True, seen=seen, locale=locale, **minor)
    return copy_of(actor, wallet)


def holdings_or_copies(actor: Actor, wallets: Iterable[Wallet]) -> tuple[list[Holding], str]:
    """Likewise, from the copy where nothing could be asked; and then what was the matter."""
    listed = list(wallets)
    try:
        return holdings_of(actor, listed), ""
    except FinanceError as error:
        return [_copied(actor, each) for each in listed], error.user_message


def all_holdings(actor: Actor, wallets: Iterable[Wallet], live: int) -> tuple[list[Holding], str]:
    """Every wallet: so many are asked live, the others are as they were last read, so that no sum leaves any out."""
    listed = list(wallets)
    holdings, trouble = holdings_or_copies(actor, listed[:live])
    return holdings + [_copied(actor, each) for each in listed[live:]], trouble


def _copied(actor: Actor, wallet: Wallet) -> Holding:
    if can(actor, operations.READ_ACCOUNT_BALANCE, wallet):
        return copy_of(actor, wallet)
    return Holding(wallet, told=False, live=False, seen="")


def copy_of(actor: Actor, wallet: Wallet) -> Holding:
    """The wallet as it was when it was last read."""
    return Holding(
        wallet,
        told=True,
        live=False,
        seen=as_of(wallet.last_seen, actor.business),
        posted=wallet.posted_minor,
        available=wallet.available_minor,
        locale=actor.business.locale,
    )


def by_currency(holdings: list[Holding]) -> list[tuple[str, Sum | None, list[Holding]]]:
    """The wallets per currency with their sum; None where a wallet's money is not known, for then it is no sum."""
    groups: dict[str, list[Holding]] = {}
    for each in holdings:
        groups.setdefault(each.wallet.currency, []).append(each)
    return [(currency, _sum(currency, groups[currency]), groups[currency]) for currency in sorted(groups)]


def _sum(currency: str, group: list[Holding]) -> Sum | None:
    posted, available = [each.posted for each in group], [each.available for each in group]
    if None in posted or None in available:
        return None
    locale = group[0].locale
    return Sum(
        currency,
        text(sum(minor or 0 for minor in posted), currency, locale),
        text(sum(minor or 0 for minor in available), currency, locale),
        partly=not all(each.live for each in group),
    )
