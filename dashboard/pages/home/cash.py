"""What the wallets hold, as the treasury says it: the same sums, shorter."""

from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.cash.balances import Holding, Sum, all_holdings, by_currency
from dashboard.mirror.scopes import visible_wallets

MOST_WALLETS = 12


@dataclass(frozen=True)
class Cash:
    """The sum of each currency whose wallets are all known, the wallets that are listed, and how many are not.

    `trouble` says why nothing could be asked; then all is as it was last read.
    """

    sums: list[Sum]
    holdings: list[Holding]
    more: int
    trouble: str


def cash_of(actor: Actor) -> Cash:
    """Every open wallet counts; so many are asked live and listed."""
    wallets = visible_wallets(actor).exclude(status="CLOSED").order_by("currency", "name", "remote_id")
    holdings, trouble = all_holdings(actor, wallets, MOST_WALLETS)
    sums = [found for _, found, _ in by_currency(holdings) if found]
    return Cash(sums, holdings[:MOST_WALLETS], max(0, len(holdings) - MOST_WALLETS), trouble)
