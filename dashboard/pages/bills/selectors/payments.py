"""What a payment of a bill can be made from and to: the wallets with what they hold, the vendor's confirmed accounts."""

from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.cash.balances import WalletHolding, holdings_or_copies
from dashboard.cash.fees import ChannelFees, channel_fees
from dashboard.commands.vendors import KnownPayeeAccount, accounts_of
from dashboard.inputs import Choices
from dashboard.mirror.models import Bill, Wallet
from dashboard.mirror.schedule import is_filled
from dashboard.mirror.scopes import visible_vendors, visible_wallets
from dashboard.pages.bills.selectors.bills import free_minor


@dataclass(frozen=True, slots=True)
class PayChoices:
    """What the form of a payment offers, each as (id, name), and what no payment claims yet; `problem` says why the bill
    cannot be paid now. `free_minor` is None where no amount is held to it."""

    wallets: Choices
    accounts: Choices
    free_minor: int | None
    problem: str


def pay_choices(actor: Actor, bill: Bill, *, is_limited: bool = True) -> PayChoices:
    """The wallets of the bill's currency and the accounts of its vendor that are in use, the default one first; unless it
    `is_limited`, whatever payments claim of the bill."""
    wallets, accounts = wallets_for(actor, bill.currency), payable_accounts(actor, bill)
    free = free_minor(actor, bill) if is_limited else None
    problem = why_unpayable(bill, free, len(wallets), accounts)
    holdings, _ = holdings_or_copies(actor, wallets)
    fees = channel_fees(actor) if accounts else ChannelFees()
    names = account_choices(accounts, fees, bill.currency, actor.business.locale)
    return PayChoices(wallet_choices(holdings), names, free, problem)


def wallets_for(actor: Actor, currency: str) -> list[Wallet]:
    """The active wallets of a currency that a bill can be paid from."""
    rows = visible_wallets(actor).filter(currency=currency, status="ACTIVE")
    return list(rows.order_by("org_wallet_ref"))


def payable_accounts(actor: Actor, bill: Bill) -> list[KnownPayeeAccount]:
    """The accounts of the bill's vendor that are in use; one that awaits confirmation is none."""
    vendor = visible_vendors(actor).filter(remote_id=bill.vendor_id).first()
    accounts = [account for account in accounts_of(vendor) if account.status == "ACTIVE"] if vendor else []
    return sorted(accounts, key=lambda account: not account.default)


def wallet_choices(holdings: list[WalletHolding]) -> list[tuple[str, str]]:
    """The wallets, each with what is available in it where that may be seen, and as of when."""
    return [(holding.wallet.org_wallet_ref, _wallet(holding)) for holding in holdings]


def _wallet(holding: WalletHolding) -> str:
    if not holding.visible or holding.available is None:
        return holding.name
    return f"{holding.name}: {holding.amount_text(holding.available)} available {holding.seen}"


def account_choices(
    accounts: list[KnownPayeeAccount], fees: ChannelFees, currency: str, locale: str
) -> list[tuple[str, str]]:
    """The accounts by channel and last characters, each with what a payment to it costs in this currency."""
    return [
        (
            account.id,
            f"{channel_name(account.channel)} ···{account.last}, {fees.text(account.channel, currency, locale)}",
        )
        for account in accounts
    ]


def channel_name(channel: str) -> str:
    """A channel in words: "M-Pesa till" for MPESA_TILL, "EFT" for BANK_EFT."""
    words = channel.removeprefix("BANK_").replace("_", " ").lower().split()
    named = {"mpesa": "M-Pesa", "eft": "EFT", "rtgs": "RTGS", "swift": "SWIFT", "pesalink": "PesaLink"}
    return " ".join(named.get(word, word) for word in words)


def why_unpayable(bill: Bill, free: int | None, wallets: int, accounts: list[KnownPayeeAccount]) -> str:
    """Why a bill cannot be paid now, in a sentence that says what to do; "" where it can."""
    if free is not None and free <= 0:
        return "Other payments already claim all of its balance."
    if not accounts:
        return (
            f"{bill.vendor_name} has no confirmed account: add one, or have the one that awaits confirmation confirmed."
        )
    if not wallets and not is_filled(bill.business, Wallet):
        return "The wallets are still being read from the finance service. Try again in a minute."
    return "" if wallets else f"There is no active wallet in {bill.currency} that you can pay from."
