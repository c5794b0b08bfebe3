"""Paying several bills, each by a payment of its own: what each would pay, from where and to whom, and the sending of one.

What is planned is read from the copy in a few queries, however many bills there are. Nothing is sent before `pay_bill`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from dashboard.access.actor import Actor
from dashboard.commands.bills import BILL_PAYMENT_KIND, add_payment, request_approval
from dashboard.commands.discounts import EarlyPayment, early_payment_of
from dashboard.commands.run import CommandResult
from dashboard.commands.vendors import accounts_of
from dashboard.errors import AlreadyDone, NotFound, Unknown
from dashboard.mirror.bill_payments import CLAIMS, claimed_minor
from dashboard.mirror.models import OPEN_BILL_STATES, ApprovalRequest, Bill, Vendor, Wallet
from dashboard.mirror.scopes import visible_requests, visible_vendors, visible_wallets
from dashboard.money import Money, text
from dashboard.schemas.bills import BillPaymentBody

ON_HOLD = "on hold: payee change"
NO_DETAILS = "without payment details"
IN_APPROVAL, BEING_PAID = "in approval", "already being paid"
PAID_BY_PAYOUT = "may be paid by a payout already"
NOT_COMPARED = "could not be compared"
STANDS = {"PAID": "already paid", "DRAFT": "still a draft", "CANCELLED": "cancelled"}
# Why a bill is left out, in the order in which a plan counts it.
ORDER = (ON_HOLD, PAID_BY_PAYOUT, NOT_COMPARED, IN_APPROVAL, BEING_PAID, *STANDS.values(), NO_DETAILS)


@dataclass(frozen=True, slots=True)
class PlannedPayment:
    """What a bill would be paid with: `minor` units of its currency, from the wallet `wallet_ref` to the vendor's account
    of the id `account`, which ends with `account_last`, over the `channel` ("" of a draft, whose fee was settled when it was added). `draft` is the reference of a draft that is continued instead of adding another. `early` is the
    discount that could be taken, `is_discounted` whether it is: `minor` is what is paid then. `fee_minor` is what it costs beside that, None
    where it is not known. `is_payee_changing` where
    another account of the vendor is awaiting confirmation: the one in use is paid to meanwhile (decisions F.7)."""

    minor: int
    wallet_ref: str
    account: str
    account_last: str = ""
    draft: str = ""
    channel: str = ""
    early: EarlyPayment | None = None
    is_discounted: bool = False
    is_payee_changing: bool = False
    fee_minor: int | None = None

    def as_seen(self) -> dict[str, str]:
        """What its row of a plan stores, from which `pay_bill` sends exactly what was planned."""
        return {
            "minor": str(self.minor), "wallet": self.wallet_ref, "account": self.account, "draft": self.draft,
            "discount": "taken" if self.is_discounted else "",
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class UnpaidReason:
    """Why a bill is not paid: in a few words, and in a sentence."""

    why: str
    sentence: str


def payment_run_wallets(actor: Actor, currencies: Iterable[str]) -> dict[str, list[Wallet]]:
    """The active wallets that the actor sees, by currency: the one that holds most comes first."""
    rows = visible_wallets(actor).filter(currency__in=set(currencies), status="ACTIVE").order_by("org_wallet_ref")
    by_currency: dict[str, list[Wallet]] = defaultdict(list)
    for wallet in sorted(rows, key=lambda wallet: -(wallet.available_minor or 0)):
        by_currency[wallet.currency].append(wallet)
    return by_currency


def plan_payments(
    actor: Actor,
    bills: Sequence[Bill],
    chosen: Mapping[str, str] | None = None,
    discounted: Container[str] = (),
    fee_of: Callable[[str, str], int | None] | None = None,
) -> list[PlannedPayment | UnpaidReason]:
    """What each of these bills would be paid with, in their order, or why it is left out.

    `chosen` names the wallet to pay from by currency (its org_wallet_ref); without it the one that holds most. A wallet
    is filled up by the bills in their order: whichever it does not hold enough for any more is short. Of the bills whose
    ids are among `discounted` the early-payment discount is taken where it is still in time. `fee_of` says what a payment on a
    channel costs in a currency, in minor units, None where that is not known: the fees that are known are paid from the wallet, too.
    """
    usable = payment_run_wallets(actor, (bill.currency for bill in bills))
    wallets = {currency: _chosen(of, (chosen or {}).get(currency, "")) for currency, of in usable.items()}
    claims, vendors = _claims_of(actor, bills), _vendors_of(actor, bills)
    held = {(wallet.org_wallet_ref, currency): wallet for currency, of in usable.items() for wallet in of}
    spent: Counter[tuple[str, str]] = Counter()
    planned = []
    for bill in bills:
        payment = _payment_of(bill, wallets.get(bill.currency), claims[bill.remote_id], vendors.get(bill.vendor_id))
        if isinstance(payment, PlannedPayment):
            payment = _early(bill, payment, is_chosen=bill.remote_id in discounted)
            if payment.channel and fee_of is not None:
                payment = replace(payment, fee_minor=fee_of(payment.channel, bill.currency))
            place = (payment.wallet_ref, bill.currency)
            payment = _within(actor, bill, payment, held.get(place), spent[place])
            spent[place] += payment.minor + (payment.fee_minor or 0) if isinstance(payment, PlannedPayment) else 0
        planned.append(payment)
    return planned


def _chosen(wallets: list[Wallet], ref: str) -> Wallet:
    return next((wallet for wallet in wallets if wallet.org_wallet_ref == ref), wallets[0])


def _claims_of(actor: Actor, bills: Sequence[Bill]) -> dict[str, list[ApprovalRequest]]:
    """The payments that claim a part of each bill, by the bill's id."""
    claims: dict[str, list[ApprovalRequest]] = {bill.remote_id: [] for bill in bills}
    rows = visible_requests(actor).filter(kind=BILL_PAYMENT_KIND, status__in=CLAIMS, payload__bill_id__in=list(claims))
    for row in rows.order_by("remote_id"):
        claims[str(row.payload["bill_id"])].append(row)
    return claims


def _vendors_of(actor: Actor, bills: Sequence[Bill]) -> dict[str, Vendor]:
    rows = visible_vendors(actor).filter(remote_id__in={bill.vendor_id for bill in bills}, status="ACTIVE")
    return {vendor.remote_id: vendor for vendor in rows}


def _payment_of(
    bill: Bill, wallet: Wallet | None, claims: list[ApprovalRequest], vendor: Vendor | None
) -> PlannedPayment | UnpaidReason:
    if bill.status not in OPEN_BILL_STATES:
        why = STANDS.get(bill.status, "not open")
        return UnpaidReason(why, f"It is {why}.")
    if any(claim.payload.get("hold_reason") == "payee_quarantined" for claim in claims):
        return UnpaidReason(ON_HOLD, "Its payment is on hold until the vendor's new account is confirmed.")
    if any(claim.status == "PENDING_APPROVAL" for claim in claims):
        return UnpaidReason(IN_APPROVAL, "A payment of it is awaiting approval.")
    free = bill.balance_minor - sum(
        claimed_minor(claim.amount_minor, claim.payload.get("discount_minor")) for claim in claims
    )
    draft = next((claim for claim in claims if claim.status == "DRAFT"), None) if free <= 0 else None
    if free <= 0 and draft is None:
        return UnpaidReason(BEING_PAID, "Its payments claim all of its balance.")
    accounts = accounts_of(vendor) if vendor is not None else []
    is_changing = any(account.is_waiting for account in accounts)
    in_use = sorted(
        (account for account in accounts if account.status == "ACTIVE"), key=lambda account: not account.default
    )
    if not in_use and is_changing:
        return UnpaidReason(
            ON_HOLD, f"The only account of {bill.vendor_name} is awaiting confirmation by a second person."
        )
    if not in_use:
        return UnpaidReason(NO_DETAILS, f"{bill.vendor_name} has no confirmed account.")
    if draft is not None:
        ref = str(draft.payload.get("org_wallet_ref") or "")
        fee = draft.payload.get("fee_minor")
        return PlannedPayment(
            draft.amount_minor or 0, ref, in_use[0].id, draft=draft.ref, is_payee_changing=is_changing,
            fee_minor=None if fee is None else int(fee),
        )  # fmt: skip
    if wallet is None:
        return UnpaidReason(f"without a wallet in {bill.currency}", f"There is no active wallet in {bill.currency}.")
    return PlannedPayment(
        free, wallet.org_wallet_ref, in_use[0].id, in_use[0].last, channel=in_use[0].channel,
        is_payee_changing=is_changing,
    )  # fmt: skip


def _early(bill: Bill, planned_payment: PlannedPayment, *, is_chosen: bool) -> PlannedPayment:
    """The payment with the discount that it can take, and takes where it is wanted. A draft stays as it was added."""
    early = None if planned_payment.draft else early_payment_of(bill, planned_payment.minor)
    if early is None or not is_chosen:
        return replace(planned_payment, early=early)
    return replace(planned_payment, early=early, minor=early.pays_minor, is_discounted=True)


def _within(
    actor: Actor, bill: Bill, planned_payment: PlannedPayment, wallet: Wallet | None, spent: int
) -> PlannedPayment | UnpaidReason:
    """The payment; left out where its wallet, of which `spent` is planned before it, does not hold enough any more."""
    if wallet is None or wallet.available_minor is None:
        return planned_payment
    missing = spent + planned_payment.minor + (planned_payment.fee_minor or 0) - wallet.available_minor
    if missing <= 0:
        return planned_payment
    short = text(missing, bill.currency, actor.business.locale)
    name = wallet.name or wallet.org_wallet_ref
    return UnpaidReason(f"short of {short}", f"{name} holds {short} too little for it after those before it.")


def pay_bill(actor: Actor, bill: Bill, planned: Mapping[str, str], *, key: str, deadline: float) -> CommandResult:
    """Adds the planned payment to a bill and requests its approval, or continues the planned draft; answers the payment.

    `planned` is `PlannedPayment.as_seen`. Both are sent under a key of their own that follows from `key`: sent again
    after a lost answer, the same payment is answered. Raises what `commands.run` raises.
    """
    ref = planned["draft"]
    if not ref:
        body: BillPaymentBody = {
            "org_wallet_ref": planned["wallet"], "payment_instruction_id": planned["account"],
            "amount": Money(int(planned["minor"]), bill.currency).amount,
        }  # fmt: skip
        if planned.get("discount"):
            # With the amount that was planned: the service refuses where more or less is open by now, or it is too late.
            body["take_discount"] = True
        try:
            added = add_payment(actor, bill, body, key=f"{key}-add", deadline=deadline)
        except AlreadyDone as before:
            # It was added by a call whose answer is gone: which one it is, its bill says once it is read again.
            raise Unknown(code="unknown", request_id=before.request_id) from before
        ref = added.text("payment_ref")
    payment = visible_requests(actor).filter(kind=BILL_PAYMENT_KIND, ref=ref, payload__bill_id=bill.remote_id).first()
    if payment is None:
        raise NotFound
    return request_approval(actor, payment, key=f"{key}-request", deadline=deadline)
