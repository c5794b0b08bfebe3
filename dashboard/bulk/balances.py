"""What wallets hold once everything that passes a plan has moved."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NotRequired, TypedDict

from dashboard.bulk.models import Batch
from dashboard.money import Money


class StoredBalance(TypedDict):
    """A `WalletAfter` as its batch stores it, in minor units of one currency."""

    name: str
    ref: str
    currency: str
    moved: int
    before: int | None
    after: int | None
    before_fees: NotRequired[bool]


@dataclass(frozen=True)
class WalletTexts:
    """A wallet of a plan, as text: its name with its currency, what it holds before and after ("" where the copy does not
    know), what moves, and whether fees that nobody knows yet come on top."""

    name: str
    before: str
    after: str
    moved: str
    is_before_fees: bool = False


@dataclass(frozen=True)
class WalletAfter:
    """What a wallet would hold once everything that passes is paid from it, or into it (as of the copy's last balance).

    `before` and `after` are None where the copy knows no balance of it in `moved`'s currency; `moved` is what comes in, or
    below zero what leaves. `is_before_fees` where the fees of some of it are not known, and not in it.
    """

    name: str
    # Names are not unique: a wallet is the one that its reference names.
    ref: str
    moved: Money
    before: Money | None
    after: Money | None
    is_before_fees: bool = False

    @classmethod
    def moving(
        cls, name: str, ref: str, moved_amount: Money, held: int | None, *, is_before_fees: bool = False
    ) -> "WalletAfter":
        """The wallet that holds so many minor units of `moved_amount`'s currency, None where that is not known."""
        if held is None:
            return cls(name, ref, moved_amount, None, None, is_before_fees)
        after = Money(held + moved_amount.minor, moved_amount.currency)
        return cls(name, ref, moved_amount, Money(held, moved_amount.currency), after, is_before_fees)

    def plus(self, more: Money, *, is_before_fees: bool = False) -> "WalletAfter":
        """The same wallet where this moves, too."""
        after = Money(self.after.minor + more.minor, more.currency) if self.after is not None else None
        moved = Money(self.moved.minor + more.minor, more.currency)
        return replace(self, moved=moved, after=after, is_before_fees=self.is_before_fees or is_before_fees)

    def texts(self, locale: str) -> "WalletTexts":
        """The wallet as it is printed for a reader of the locale."""
        before, after = (money.text(locale) if money is not None else "" for money in (self.before, self.after))
        return WalletTexts(
            f"{self.name} ({self.moved.currency})", before, after, self.moved.text(locale), self.is_before_fees
        )

    def stored(self) -> StoredBalance:
        """The keys and values that a batch stores of it."""
        return {
            "name": self.name, "ref": self.ref, "currency": self.moved.currency, "moved": self.moved.minor,
            "before": self.before.minor if self.before is not None else None,
            "after": self.after.minor if self.after is not None else None,
            "before_fees": self.is_before_fees,
        }  # fmt: skip


def planned_balances(batch: Batch) -> list[WalletAfter]:
    """What wallets hold after a planned batch, as its plan said."""
    return [_wallet_after(balance) for balance in batch.balances]


def _wallet_after(balance: StoredBalance) -> WalletAfter:
    moved, before, after = (
        Money(minor, balance["currency"]) if minor is not None else None
        for minor in (balance["moved"], balance["before"], balance["after"])
    )
    assert moved is not None
    return WalletAfter(balance["name"], balance["ref"], moved, before, after, balance.get("before_fees", False))


def together(wallets: Iterable[WalletAfter]) -> list[WalletAfter]:
    """Each wallet once, by name: two plans may take from one, and what each leaves in it by itself is not what stays."""
    by_wallet: dict[tuple[str, str, str], WalletAfter] = {}
    for wallet in wallets:
        place = wallet.name, wallet.ref, wallet.moved.currency
        earlier = by_wallet.get(place)
        by_wallet[place] = (
            earlier.plus(wallet.moved, is_before_fees=wallet.is_before_fees) if earlier is not None else wallet
        )
    return [by_wallet[place] for place in sorted(by_wallet)]
