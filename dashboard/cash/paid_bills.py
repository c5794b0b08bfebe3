"""Which bills a payout may have paid already: the vendor on any of its accounts, the amount, in the last 30 days."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from dashboard.access.actor import Actor
from dashboard.cash.earlier_payments import ComparedPayment, EarlierPayment, earlier_payouts
from dashboard.commands.payment_runs import NOT_COMPARED, PAID_BY_PAYOUT, PlannedPayment, UnpaidReason
from dashboard.mirror.models import Bill
from dashboard.money import to_minor
from dashboard.times import day_and_time

Planned = PlannedPayment | UnpaidReason
COULD_NOT = "Payouts of the last 30 days could not be compared: pay it alone, or try again."
# So often a run is planned anew for the bills that others made room for; what would go after that was not compared.
MOST_TURNS = 10


def paid_before(
    actor: Actor, payments: Mapping[str, tuple[Bill, int]]
) -> tuple[dict[str, list[EarlierPayment]], frozenset[str]]:
    """By the keys of these payments, each of a bill over so many minor units, the payments of payouts that may be the same, the
    newest first, without those where none may; and the keys of those that were not compared with all payouts."""
    by_currency: dict[str, list[tuple[str, ComparedPayment]]] = defaultdict(list)
    for name, (bill, minor) in payments.items():
        by_currency[bill.currency] += [
            (name, ComparedPayment(amount, vendor_id=bill.vendor_id)) for amount in sorted({minor, _net(bill, minor)})
        ]
    earlier_of: dict[str, list[EarlierPayment]] = {}
    uncompared: set[str] = set()
    for currency, named in by_currency.items():
        earlier, is_read = earlier_payouts(actor, currency, [payment for _, payment in named])
        if not is_read:
            uncompared.update(name for name, _ in named)
        for row in earlier:
            earlier_of.setdefault(named[row.place][0], []).append(row)
    return earlier_of, frozenset(uncompared)


def payment_paid_before(actor: Actor, bill: Bill, minor: int, net_minor: int = 0) -> tuple[list[EarlierPayment], bool]:
    """The payments of payouts that may be the same as one of a bill over `minor` units, of which the vendor gets `net_minor` (0
    where that is not settled yet), the newest first; and whether it was compared with all payouts."""
    amounts = {str(amount): (bill, amount) for amount in {minor, net_minor or minor}}
    matches, uncompared = paid_before(actor, amounts)
    rows = {(row.ref, row.row): row for of_amount in matches.values() for row in of_amount}
    return sorted(rows.values(), key=lambda row: row.at, reverse=True), not uncompared


def planned_once(
    actor: Actor, bills: Sequence[Bill], plan: Callable[[Sequence[Bill]], list[Planned]]
) -> dict[str, Planned]:
    """What a run pays of each bill by its id, as `plan` says it, or why it is left out: also where a payout may have paid it
    already, and where that could not be compared. Such a bill is paid on its own page, where both stand side by side. A draft is
    compared too: it may be older than the payout, or made past this dashboard."""
    left: dict[str, Planned] = {}
    compared: set[str] = set()
    for turn in range(MOST_TURNS + 1):
        # What those that are left out leave in the wallet is there for others, which are compared in their turn.
        planned = _by_id([bill for bill in bills if bill.remote_id not in left], plan)
        new = {
            bill.remote_id: (bill, payment.minor)
            for bill in bills
            if isinstance(payment := planned.get(bill.remote_id), PlannedPayment) and bill.remote_id not in compared
        }
        if not new:
            break
        earlier, uncompared = paid_before(actor, new) if turn < MOST_TURNS else ({}, frozenset(new))
        left |= {name: UnpaidReason(PAID_BY_PAYOUT, _sentence(actor, rows[0])) for name, rows in earlier.items()}
        left |= dict.fromkeys(uncompared - earlier.keys(), UnpaidReason(NOT_COMPARED, COULD_NOT))
        if uncompared:
            # Whatever could be paid in their place would not be compared either.
            break
        compared |= new.keys()
    return planned | left


def _by_id(bills: Sequence[Bill], plan: Callable[[Sequence[Bill]], list[Planned]]) -> dict[str, Planned]:
    return dict(zip((bill.remote_id for bill in bills), plan(bills), strict=True))


def _sentence(actor: Actor, row: EarlierPayment) -> str:
    when, draft = day_and_time(row.at, actor.business), ", a draft" if row.is_draft else ""
    where = f"Row {row.row} of the payout {row.title} ({row.ref}, {when}{draft})"
    amount = "this amount, or what is left after withholding"
    return f"{where} pays or may pay its vendor {amount}: compare both where you pay this bill alone."


def _net(bill: Bill, minor: int) -> int:
    """What the vendor gets where all of the bill is paid: less what is withheld by the rates of today."""
    withheld: Iterable[Mapping[str, object]] = bill.payload.get("withholding") or ()
    if minor != bill.total_minor:
        return minor
    net = minor - sum(to_minor(str(tax.get("amount") or 0), bill.currency) for tax in withheld)
    return net if net > 0 else minor
