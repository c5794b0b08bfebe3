"""What is read of a payment run that is only planned: its bills, and the wallets that they can be paid from."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from dashboard.access.actor import Actor
from dashboard.bulk.actions import action_of
from dashboard.bulk.models import Batch
from dashboard.bulk.plans import plan, store_plan
from dashboard.bulk.results import own_batch
from dashboard.commands.discounts import saved_text
from dashboard.commands.payment_runs import PlannedPayment, payment_run_wallets, plan_payments
from dashboard.errors import NotFound
from dashboard.mirror.models import Bill
from dashboard.money import text
from dashboard.pages.bills.tables.payment_run import PayBills


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """A planned run with its bills in their order; `wallets` are those that can pay, by currency, as (reference, name),
    `discounts` the bills that can still be paid early, as (remote id, what is paid and saved); `action` has what is chosen."""

    batch: Batch
    action: PayBills
    bills: list[Bill]
    wallets: dict[str, list[tuple[str, str]]]
    discounts: list[tuple[str, str]]


def planned_run(actor: Actor, batch_id: UUID) -> PlannedRun:
    """One of the actor's own runs that was not begun yet; NotFound otherwise."""
    batch = own_batch(actor, batch_id)
    action = action_of(batch)
    if not batch.planned or batch.retry_of_id or not isinstance(action, PayBills):
        raise NotFound
    ids = list(batch.rows.order_by("number").values_list("remote_id", flat=True))
    visible = {bill.remote_id: bill for bill in action.visible(actor, ids)}
    bills = [visible[remote_id] for remote_id in ids if remote_id in visible]
    usable = payment_run_wallets(actor, (bill.currency for bill in bills))
    locale = actor.business.locale
    wallets = {
        currency: [
            (
                wallet.org_wallet_ref,
                f"{wallet.name or wallet.org_wallet_ref}: {_held(wallet.available_minor, currency, locale)}",
            )
            for wallet in of
        ]
        for currency, of in usable.items()
    }
    return PlannedRun(batch, action, bills, wallets, _discounts(actor, action, bills))


def _discounts(actor: Actor, pay_bills: PayBills, bills: list[Bill]) -> list[tuple[str, str]]:
    payments = plan_payments(actor, bills, pay_bills.wallets, {bill.remote_id for bill in bills})
    return [
        (bill.remote_id, f"{bill.bill_no} of {bill.vendor_name}: {_early_text(bill, payment)}")
        for bill, payment in zip(bills, payments, strict=True)
        if isinstance(payment, PlannedPayment) and payment.is_discounted
    ]


def _early_text(bill: Bill, planned_payment: PlannedPayment) -> str:
    assert planned_payment.early is not None
    full = text(planned_payment.minor + planned_payment.early.saved_minor, bill.currency, bill.business.locale)
    paid = text(planned_payment.minor, bill.currency, bill.business.locale)
    return f"{paid} instead of {full}. {saved_text(planned_payment.early, bill)}."


def _held(minor: int | None, currency: str, locale: str) -> str:
    return "balance not known" if minor is None else f"{text(minor, currency, locale)} available"


def replan(actor: Actor, planned_run: PlannedRun, wallets: dict[str, str], discounted: Sequence[str]) -> Batch:
    """The same bills, planned from these wallets and with the discounts of these: stored as another plan, since what was
    shown stays as it was."""
    action = planned_run.action.chosen(wallets, discounted)
    batch = planned_run.batch
    return store_plan(
        plan(actor, action, planned_run.bills),
        query=batch.query,
        whole=batch.whole,
        chosen=len(planned_run.bills) + batch.unseen,
    )
