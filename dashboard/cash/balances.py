"""What the wallets hold: read live and at once; the copy, labelled, for a wallet that does not answer in time."""

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import ValidationError

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.client.reads import Err, Ok, ReadCall, read_together
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
class WalletHolding:
    """A wallet and its money in minor units; None where it is not known.

    `visible`: whether the actor may see what it holds. `live`: whether it was read now; `seen` says as of when.
    """

    wallet: Wallet
    visible: bool
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
        """Its state in a word, and the tone of that word: ok, warn, bad or ""."""
        return STATES.get(self.wallet.status, (self.wallet.status.capitalize(), ""))

    def amount_text(self, minor: int | None) -> str:
        """Minor units of the wallet's currency as text; "not known" for None."""
        return "not known" if minor is None else text(minor, self.wallet.currency, self.locale)

    @property
    def amounts(self) -> dict[str, str]:
        """`posted`, `pending_in`, `pending_out` and `available` as text."""
        return {
            name: self.amount_text(getattr(self, name)) for name in ("posted", "pending_in", "pending_out", "available")
        }


@dataclass(frozen=True)
class CurrencySum:
    """A currency's wallets together, the amounts as text; `partly` where some of it is from the copy."""

    currency: str
    posted: str
    available: str
    partly: bool


def holdings_of(actor: Actor, wallets: Iterable[Wallet]) -> list[WalletHolding]:
    """What each wallet holds, in the order given; the copy for a wallet that does not answer.

    Raises the FinanceError tree only where nothing at all could be read.
    """
    listed = list(wallets)
    visible = [wallet for wallet in listed if can(actor, operations.READ_ACCOUNT_BALANCE, wallet)]
    operation = operations.READ_ACCOUNT_BALANCE
    calls = {wallet.remote_id: ReadCall(operation, path={"id": wallet.remote_id}, subject=wallet) for wallet in visible}
    results = read_together(actor, calls)
    return [_holding(actor, wallet, results.get(wallet.remote_id)) for wallet in listed]


def _holding(actor: Actor, wallet: Wallet, read_result: Ok | Err | None) -> WalletHolding:
    locale = actor.business.locale
    if read_result is None:
        return WalletHolding(wallet, visible=False, live=False, seen="", locale=locale)
    if isinstance(read_result, Ok):
        try:
            now = BalanceNow.model_validate(read_result.answer.data).balances
        except ValidationError:
            return copy_of(actor, wallet)
        minor = {
            name: None if amount is None else to_minor(amount, wallet.currency)
            for name, amount in now.model_dump(include={"posted", "pending_in", "pending_out", "available"}).items()
        }
        seen = as_of(read_result.as_of, actor.business)
        return WalletHolding(wallet, visible=True, live=True, seen=seen, locale=locale, **minor)
    return copy_of(actor, wallet)


def holdings_or_copies(actor: Actor, wallets: Iterable[Wallet]) -> tuple[list[WalletHolding], str]:
    """What each wallet holds, and "" or why nothing could be read live; then everything is from the copy."""
    listed = list(wallets)
    try:
        return holdings_of(actor, listed), ""
    except FinanceError as error:
        return [_copied(actor, wallet) for wallet in listed], error.user_message


def all_holdings(actor: Actor, wallets: Iterable[Wallet], live: int) -> tuple[list[WalletHolding], str]:
    """What each wallet holds: the first `live` of them read now, the others from the copy, so that no sum leaves any out.

    The text beside them says why nothing could be read live, "" where something could.
    """
    listed = list(wallets)
    holdings, failure = holdings_or_copies(actor, listed[:live])
    return holdings + [_copied(actor, wallet) for wallet in listed[live:]], failure


def _copied(actor: Actor, wallet: Wallet) -> WalletHolding:
    if can(actor, operations.READ_ACCOUNT_BALANCE, wallet):
        return copy_of(actor, wallet)
    return WalletHolding(wallet, visible=False, live=False, seen="")


def copy_of(actor: Actor, wallet: Wallet) -> WalletHolding:
    """The wallet as it was when it was last read."""
    return WalletHolding(
        wallet,
        visible=True,
        live=False,
        seen=as_of(wallet.last_seen, actor.business),
        posted=wallet.posted_minor,
        available=wallet.available_minor,
        locale=actor.business.locale,
    )


def by_currency(holdings: list[WalletHolding]) -> list[tuple[str, CurrencySum | None, list[WalletHolding]]]:
    """Each currency with the sum of its wallets and the wallets; None where what a wallet holds is not known."""
    groups: dict[str, list[WalletHolding]] = {}
    for holding in holdings:
        groups.setdefault(holding.wallet.currency, []).append(holding)
    return [(currency, _sum(currency, groups[currency]), groups[currency]) for currency in sorted(groups)]


def _sum(currency: str, group: list[WalletHolding]) -> CurrencySum | None:
    posted, available = [holding.posted for holding in group], [holding.available for holding in group]
    if None in posted or None in available:
        return None
    locale = group[0].locale
    return CurrencySum(
        currency,
        text(sum(minor or 0 for minor in posted), currency, locale),
        text(sum(minor or 0 for minor in available), currency, locale),
        partly=not all(holding.live for holding in group),
    )
