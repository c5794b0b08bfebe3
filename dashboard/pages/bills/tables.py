"""The list of bills: what is to be paid, the longest due first, unless the address asks for others. Several are paid in a
payment run."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, ClassVar

from django.db.models import Case, F, Q, QuerySet, Value, When

from dashboard import operations, operations_extra
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
from dashboard.inputs import Choices
from dashboard.lists.actions import Action
from dashboard.lists.bulk import ListAction
from dashboard.lists.columns import Column, List, Row
from dashboard.lists.expressions import exported_amount, exported_field, label
from dashboard.lists.filters import ANY, ChoiceFilter, CurrencyFilter, DayFilter, Filter, Pick, PickByName
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.mirror.choices import teams_of, vendors_named, vendors_of
from dashboard.mirror.models import OPEN_BILL_STATES, Bill, Wallet
from dashboard.mirror.schedule import today
from dashboard.mirror.scopes import visible_bills
from dashboard.money import Money, text
from dashboard.times import day_text

BILL_STATES = {
    "DRAFT": ("Draft", ""),
    "OPEN": ("Open", "info"),
    "PARTIALLY_PAID": ("Partially paid", "warn"),
    "PAID": ("Paid", "ok"),
    "CANCELLED": ("Cancelled", ""),
}
# The other axis: what was decided on its payments.
APPROVALS = {
    "INITIALIZED": ("Not requested", ""),
    "PENDING": ("Awaiting approval", "info"),
    "APPROVED": ("Approved", "ok"),
    "NOT_REQUIRED": ("Not required", ""),
    "REJECTED": ("Rejected", "bad"),
    "TERMINATED": ("Withdrawn", ""),
}
SOON_DAYS = 7
# What is left to pay of a bill: nothing of one that is not open.
TO_PAY_MINOR = Case(When(status__in=OPEN_BILL_STATES, then=F("balance_minor")), default=Value(0))
CHANGING = "A new account of {name} is awaiting confirmation: the account in use is paid to meanwhile."


@dataclass(frozen=True)
class Age:
    """A column of the aging of what is owed: its name in an address, its title, and how many days a bill is overdue by,
    the first and the last counted in; None where there is no end."""

    name: str
    title: str
    first: int | None
    last: int | None

    def due(self, now: date) -> Q:
        """The bills of this age on a day of the business."""
        due = Q() if self.last is None else Q(due_on__gte=now - timedelta(days=self.last))
        return due if self.first is None else due & Q(due_on__lte=now - timedelta(days=self.first))


AGES = (
    Age("current", "Current", None, 0),
    Age("1-30", "1–30 days", 1, 30),
    Age("31-60", "31–60 days", 31, 60),
    Age("61-90", "61–90 days", 61, 90),
    Age("over-90", "Over 90 days", 91, None),
)
TO_PAY, OVERDUE, SOON = "TO_PAY", "OVERDUE", "SOON"
STANDINGS: Choices = (
    (TO_PAY, "To pay"),
    (OVERDUE, "Overdue"),
    (SOON, f"Due within {SOON_DAYS} days"),
    *((age.name, f"{age.title} overdue" if age.first else "Not overdue") for age in AGES),
    *((code, text) for code, (text, _) in BILL_STATES.items() if code != "OPEN"),
    (ANY, "All bills"),
)


@dataclass(frozen=True)
class StandingFilter(ChoiceFilter):
    """How a bill stands on the day it is looked at: by its status, and what is to be paid also by when it is due."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The bills in the state, or of the age, that was chosen, of those in `rows`."""
        if value == ANY:
            return rows
        if value in BILL_STATES:
            return rows.filter(status=value)
        rows, now = rows.filter(status__in=OPEN_BILL_STATES), today(actor.business)
        ages = {age.name: age for age in AGES}
        if value in ages:
            return rows.filter(ages[value].due(now))
        if value == OVERDUE:
            return rows.filter(due_on__lt=now)
        return rows.filter(due_on__range=(now, now + timedelta(days=SOON_DAYS))) if value == SOON else rows


@dataclass(frozen=True)
class DueDay(DayFilter):
    """A day that a bill is due on or after, or with `until` on or before: a bill is due on a day, not at a moment."""

    widget: ClassVar[str] = "day"

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """Rows from that day on, or up to it."""
        return rows.filter(**{f"{self.field}__{'lte' if self.until else 'gte'}": date.fromisoformat(value)})


@dataclass(frozen=True)
class PurchaseOrder(Filter):
    """The number of a purchase order, whole, without regard to case."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The bills that are for it."""
        return rows.filter(purchase_order__iexact=value).exclude(purchase_order="")


@dataclass(frozen=True)
class OfTeam(Pick):
    """A team: of a bill, or of a share of one of its lines."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The bills that are the team's in whole or in part."""
        return rows.filter(Q(team_id=value) | Q(split_team_ids__contains=[value]))


def days_overdue(due_on: date, status: str, now: date) -> int:
    """By how many days a bill that is to be paid is overdue; 0 where it is not."""
    return max(0, (now - due_on).days) if status in OPEN_BILL_STATES else 0


def _due(row: Row, actor: Actor) -> str:
    days = days_overdue(row["due_on"], row["status"], today(actor.business))
    return f"{day_text(row['due_on'])} · {days} d overdue" if days else day_text(row["due_on"])


def _credited(row: Row, actor: Actor) -> str:
    minor = row["payload__amount_credited_minor"]
    return text(int(minor), row["currency"], actor.business.locale) if minor else ""


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


BILLS = register(
    List(
        name="bills",
        title="Bills",
        noun=("bill", "bills"),
        icon="file-text",
        opens=operations_extra.LIST_BILLS,
        rows=visible_bills,
        address="bills",
        item_address="bills_item",
        sort="due",
        money=("currency", "total_minor"),
        summed=("currency", TO_PAY_MINOR),
        summed_title="to pay",
        search="search",
        search_hint="Number, vendor, purchase order, memo or amount",
        empty="Bills appear here as soon as one is entered.",
        filters=(
            StandingFilter("show", "Status", "status", usual=TO_PAY, of=STANDINGS),
            ChoiceFilter("approval", "Approval", "approval_status", of=tuple(words(APPROVALS).items())),
            PickByName("vendor", "Vendor", "vendor_id", among=vendors_of, named=vendors_named),
            OfTeam("team", "Team", "team_id", among=teams_of),
            DueDay("since", "Due from", "due_on"),
            DueDay("until", "Due to", "due_on", until=True),
            PurchaseOrder("order", "Purchase order", "purchase_order"),
            CurrencyFilter("currency", "Currency", "currency"),
        ),
        columns=(
            Column("number", "Number", "bill_no", exported=exported_field("bill_no"), always=True),
            Column("vendor", "Vendor", "vendor_name", exported=exported_field("vendor_name")),
            Column(
                "order", "Purchase order", "purchase_order", less=True, by_default=False,
                exported=exported_field("purchase_order"),
            ),
            Column(
                "issued", "Issued", "issued_on", "figure", sort="issued_on", sorted_as=date, less=True, by_default=False,
                render=lambda row, _: day_text(row["issued_on"]),
            ),
            Column("due", "Due", "due_on", "figure", sort="due_on", sorted_as=date, render=_due, needs=("status",)),
            Column("state", "Status", "status", "state", states=BILL_STATES, exported=label("status", words(BILL_STATES)), less=True),
            Column(
                "approval", "Approval", "approval_status", "state", states=APPROVALS, less=True,
                exported=label("approval_status", words(APPROVALS)),
            ),
            Column("balance", "Balance", "balance_text", "amount", exported=exported_amount("balance_minor", "currency"), less=True),
            Column(
                "credited", "Credited", "payload__amount_credited_minor", "amount", less=True, by_default=False,
                render=_credited, needs=("currency",),
            ),
            Column(
                "amount", "Amount", "total_text", "amount", exported=exported_amount("total_minor", "currency"),
                sort="total_minor", sorted_as=int, always=True,
            ),
        ),
        file_only=(
            Column("id", "Id", "remote_id"),
            Column("currency", "Currency", "currency"),
            Column("memo", "Memo", "memo", exported=exported_field("memo")),
        ),
        seen=("status", "total_text", "balance_text", "vendor_name"),
        actions=(
            Action(
                "pay", "Pay", "sent for payment", operations.ADD_BILL_PAYMENT, "bill", planner=PayBills, verifies=True, choice=("Choose wallets and discounts", "bills_run_wallets"),
                confirm="Each gets a payment of its own: approved first where a policy asks for it, else paid immediately. "
                "Fees come on top.",
            ),
        ),
    )
)  # fmt: skip
