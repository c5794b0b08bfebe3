"""Bills paid together: which of those that are ticked can be, and what that leaves in each wallet."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dashboard.access.actor import Actor
from dashboard.bulk.actions import RowState, RowVerdict, Seen
from dashboard.bulk.balances import WalletAfter
from dashboard.cash.fees import ChannelFees, channel_fees
from dashboard.cash.paid_bills import planned_once
from dashboard.commands.discounts import saved_text
from dashboard.commands.payment_runs import (
    ORDER,
    PlannedPayment,
    UnpaidReason,
    pay_bill,
    payment_run_wallets,
    plan_payments,
)
from dashboard.commands.run import CommandResult
from dashboard.lists.actions import Action
from dashboard.lists.bulk import ListAction
from dashboard.lists.columns import List
from dashboard.mirror.models import Bill, Wallet
from dashboard.money import Money

CHANGING = "A new account of {name} is awaiting confirmation: the account in use is paid to meanwhile."


class PayBills(ListAction):
    """A payment run: each bill that can be paid now gets a payment of its own, whose approval is requested."""

    order = ORDER

    def __init__(
        self, of: List, action: Action, wallets: Mapping[str, str] | None = None, discounted: Iterable[str] = ()
    ) -> None:
        super().__init__(of, action)
        self.wallets, self.planned = dict(wallets or {}), dict[str, PlannedPayment]()
        self.discounted = frozenset(discounted)

    @property
    def outcome(self) -> str:
        """What happens to those that pass."""
        return "will go"

    def with_given(self, given: str) -> "PayBills":
        """The run from the wallets that were chosen, by currency, with the discounts that are taken, by bill."""
        chosen = json.loads(given) if given else {}
        return PayBills(self.of, self.action, chosen.get("wallets"), chosen.get("discounted", ()))

    def chosen(self, wallets: Mapping[str, str], discounted: Iterable[str]) -> "PayBills":
        """The run from these wallets, with the discounts of these bills."""
        return PayBills(self.of, self.action, wallets, discounted)

    def verdicts(self, actor: Actor, items: Sequence[Any], seen: Mapping[str, Seen]) -> list[RowVerdict]:
        """What the plan says of each bill; which wallet pays those that pass stands in `given` from then on."""
        verdicts = super().verdicts(actor, items, seen)
        passing = [item for item, verdict in zip(items, verdicts, strict=True) if verdict.passes]
        fees = channel_fees(actor) if passing else ChannelFees()

        def plan(bills: Sequence[Bill]) -> list[PlannedPayment | UnpaidReason]:
            return plan_payments(actor, bills, self.wallets, self.discounted, fees.minor)

        payments = planned_once(actor, passing, plan)
        self.planned = {key: payment for key, payment in payments.items() if isinstance(payment, PlannedPayment)}
        for item in passing:
            if item.remote_id in self.planned:
                self.wallets.setdefault(item.currency, self.planned[item.remote_id].wallet_ref)
        self.given = json.dumps({"wallets": self.wallets, "discounted": sorted(self.discounted)}, sort_keys=True)
        return [
            RowVerdict(RowState.LEFT_OUT, why.why, why.sentence)
            if isinstance(why := payments.get(item.remote_id), UnpaidReason)
            else self._remark(item, verdict)
            for item, verdict in zip(items, verdicts, strict=True)
        ]

    def _remark(self, item: Any, row_verdict: RowVerdict) -> RowVerdict:
        """A bill that passes says that its vendor's account is about to change, and what its early-payment discount saves, or
        would save: it is taken by choice alone."""
        planned = self.planned.get(item.remote_id)
        if planned is None or not row_verdict.passes:
            return row_verdict
        why, sentences = "", []
        if planned.is_payee_changing:
            why, sentences = "to the account in use", [CHANGING.format(name=item.vendor_name)]
        if planned.early is not None:
            saved = saved_text(planned.early, item)
            why = f"{'with' if planned.is_discounted else 'without'} their early-payment discount"
            sentences.append(f"{saved}." if planned.is_discounted else f"{saved}. It is not taken.")
        return RowVerdict(RowState.WAITING, why, " ".join(sentences)) if sentences else row_verdict

    def seen_of(self, item: Any) -> dict[str, str]:
        """The values of a bill, and once it is planned the payment that it gets."""
        planned = self.planned.get(item.remote_id)
        return super().seen_of(item) | (planned.as_seen() if planned else {})

    def amount_of(self, item: Any) -> Money | None:
        """What is paid of it, which is less than its total where other payments have paid or claim a part."""
        planned = self.planned.get(item.remote_id)
        return Money(planned.minor if planned else item.balance_minor, item.currency)

    def balances(self, actor: Actor, items: Sequence[Any]) -> list[WalletAfter]:
        """What each wallet holds once these are paid, with their fees where the service says those of all that it pays."""
        moved: Counter[tuple[str, str]] = Counter()
        unknown = set[tuple[str, str]]()
        for item in items:
            planned = self.planned[item.remote_id]
            place, fee = (planned.wallet_ref, item.currency), planned.fee_minor
            moved[place] -= planned.minor + (fee or 0)
            if fee is None:
                unknown.add(place)
        wallets = payment_run_wallets(actor, (currency for _, currency in moved))
        known = {(wallet.org_wallet_ref, currency): wallet for currency, of in wallets.items() for wallet in of}
        return [
            _wallet_after(known.get(place), *place, minor, is_before_fees=place in unknown)
            for place, minor in sorted(moved.items())
        ]

    def carry_out(
        self, actor: Actor, item: Any, given: str, *, key: str, deadline: float, seen: Seen = ""
    ) -> CommandResult:
        """Adds the planned payment and requests its approval; raises what `commands.run` raises."""
        assert not isinstance(seen, str)
        return pay_bill(actor, item, seen, key=key, deadline=deadline)


def _wallet_after(wallet: Wallet | None, ref: str, currency: str, minor: int, *, is_before_fees: bool) -> WalletAfter:
    name, held = (wallet.name, wallet.available_minor) if wallet is not None else ("", None)
    return WalletAfter.moving(name or ref, ref, Money(minor, currency), held, is_before_fees=is_before_fees)
