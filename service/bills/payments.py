"""Adding payments to bills: what they pay on which account, what is withheld, and that they never exceed the balance.

Locks: the request for votes first, then the bill, then the payment. The lock on the bill is what keeps the sum of its
payments within its balance, however many are added at once.
"""

from datetime import date

from django.db import transaction
from django.db.models import F, QuerySet, Sum
from django.utils import timezone

from service import effects, errors, periods
from service.accounts.wallets import wallet_by_ref as wallet_of
from service.approvals.models import Approval
from service.auth import Caller, system_caller
from service.bills import amounts, discounts, selectors, serializers
from service.bills.models import Bill, BillPayment, BillStatus
from service.bills.schemas_payments import NewPayment
from service.bills.schemas_shapes import PaymentShape
from service.bills.transitions import CLAIMS
from service.businesses.models import Business
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.ids import object_id
from service.payments.drafts import fee
from service.rails import catalogue
from service.taxes import withholding
from service.vendors.models import InstructionStatus, PaymentInstruction, Vendor
from service.wallet_policies import limits

PAYABLE = (BillStatus.OPEN, BillStatus.PARTIALLY_PAID)


def payments(caller: Caller) -> QuerySet[BillPayment]:
    """Those of the caller's business."""
    return BillPayment.objects.filter(business_id=caller.business.id).select_related("bill", "wallet")


def get_payment(caller: Caller, ref: str, bill_id: str | None = None) -> BillPayment:
    """One payment by its reference (of that bill); 404 otherwise."""
    rows = payments(caller).filter(ref=ref)
    payment = (rows.filter(bill_id=bill_id) if bill_id is not None else rows).first()
    if payment is None:
        raise errors.not_found("bill payment")
    return payment


def lock_payment(caller: Caller, ref: str, bill_id: str | None = None) -> tuple[Bill, BillPayment]:
    """The payment and its bill, both locked for a change, the bill first; 404 without the payment."""
    bill = selectors.lock_bill(caller, get_payment(caller, ref, bill_id).bill_id)
    row = (
        BillPayment.objects.select_for_update(no_key=True, of=("self",))
        .select_related("wallet")
        .get(bill=bill, ref=ref)
    )
    row.bill = bill
    return bill, row


def lock_payment_by_id(payment_id: str) -> tuple[BillPayment, Caller]:
    """A payment that is known to exist, locked with its bill, and the service itself as the caller: for workers."""
    payment, caller = get_payment_by_id(payment_id)
    _, row = lock_payment(caller, payment.ref)
    row.business = payment.business
    return row, caller


def get_payment_by_id(payment_id: str) -> tuple[BillPayment, Caller]:
    """A payment that is known to exist, and the service itself as the caller: for workers."""
    payment = BillPayment.objects.select_related("business").get(pk=payment_id)
    return payment, system_caller(payment.business)


def payment_detail(row: BillPayment) -> PaymentShape:
    """A payment with the ids of its requests for votes, of all rounds."""
    approval_ids = Approval.objects.filter(subject_id=row.id).order_by("created_at", "id").values_list("id", flat=True)
    return serializers.payment(row, approval_ids)


def add(caller: Caller, bill_id: str, new: NewPayment) -> BillPayment:
    """A payment in DRAFT. 404 without the bill, 409 where it takes none, 422 above its balance or for another currency.

    409 payee_quarantined while the account waits for a second person.
    """
    with transaction.atomic():
        bill = selectors.lock_bill(caller, bill_id)
        if (done := effects.earlier(caller, BillPayment.objects.filter(bill=bill), field="effect")) is not None:
            return done
        _check_payable(bill)
        paying = wallet_of(caller.business, new.org_wallet_ref)
        if paying.currency != bill.currency:
            raise errors.validation_failed("org_wallet_ref", f"The wallet holds {paying.currency}.", "currency")
        left = free(bill)
        discount = discounts.saved_minor(bill, left, new.scheduled_for) if new.take_discount else 0
        due = left - discount
        amount = due if new.amount is None else amounts.minor("amount", new.amount, bill.currency)
        if discount and amount != due:
            raise errors.validation_failed("amount", "With the discount all that is open is paid.", "mismatch")
        check_within(bill, amount)
        row = BillPayment(
            business=caller.business,
            bill=bill,
            vendor=bill.vendor,
            wallet=paying,
            currency=bill.currency,
            amount_minor=amount,
            discount_minor=discount,
            scheduled_for=new.scheduled_for,
            effect=effects.named(caller),
            created_by=caller.label,
            maker_ids=[caller.employee_id] if caller.employee_id else [],
        )
        row.ref = _next_ref(row, caller)
        set_payee(caller, row, _account(bill.vendor, new.payment_instruction_id))
        set_withholding(caller, row)
        row.save(force_insert=True)
        payload = payment_detail(row)
        record_event(caller.business, "bill_payment.created", payload, actor=caller)
        record_audit(
            caller, "bill_payment.create", "bill_payment", row.id, after={"ref": row.ref, "amount_minor": amount}
        )
    return row


def check_limits(caller: Caller, row: BillPayment) -> None:
    """What the caller's own policy on the wallet says to a payment (403, 422); counted until it moves no money."""
    limits.check(caller, row.wallet, "WALLET_PAY_VENDOR", row.amount_minor, ref=_use(row))


def forget_limits(row: BillPayment) -> None:
    """The payment moves no money after all: it was withdrawn, rejected, or has failed."""
    limits.undo(row.wallet, _use(row))


def _use(row: BillPayment) -> str:
    return f"bill-payment:{row.id}"


def free(bill: Bill) -> int:
    """What of a locked bill's balance no payment claims yet, in minor units."""
    claims = BillPayment.objects.filter(bill=bill, status__in=CLAIMS)
    claimed = claims.aggregate(sum=Sum(F("amount_minor") + F("discount_minor")))["sum"]
    return bill.balance_minor - (claimed or 0)


def check_within(bill: Bill, amount_minor: int) -> None:
    """422 limit_exceeded where a further payment of the amount would exceed the balance of a locked bill."""
    if amount_minor <= 0 and free(bill) <= 0:
        raise errors.limit_exceeded("Other payments claim all of the bill's balance.")
    if amount_minor <= 0:
        raise errors.validation_failed("amount", "It must be more than nothing.", "amount")
    if amount_minor > free(bill):
        raise errors.limit_exceeded("With the other payments of the bill it would exceed the balance.")


def recheck_balance(row: BillPayment) -> None:
    """Whether a payment that claimed nothing (withdrawn, rejected, failed) may be made after all."""
    if row.status not in CLAIMS:
        _check_payable(row.bill)
        check_within(row.bill, row.amount_minor + row.discount_minor)


def _check_payable(bill: Bill) -> None:
    if bill.status not in PAYABLE:
        raise errors.invalid_state(f"A bill that is {bill.status} takes no payment.")
    if bill.vendor.status != Vendor.Status.ACTIVE:
        raise errors.invalid_state("The vendor is deleted.")


def _account(vendor: Vendor, instruction_id: str | None) -> PaymentInstruction:
    rows = PaymentInstruction.objects.filter(vendor=vendor).exclude(status=InstructionStatus.REJECTED)
    if instruction_id is not None:
        instruction = rows.filter(id=instruction_id).first()
    else:
        instruction = rows.filter(status=InstructionStatus.ACTIVE, is_default=True).first()
        instruction = instruction or rows.filter(status=InstructionStatus.QUARANTINED).first()
    if instruction is None:
        raise errors.validation_failed("payment_instruction_id", "The vendor has no such account in use.", "unknown")
    return instruction


def set_payee(caller: Caller, row: BillPayment, instruction: PaymentInstruction) -> None:
    """Copies the account that is paid to; 409 payee_quarantined while it waits, 422 where it does not suit."""
    if instruction.status == InstructionStatus.QUARANTINED:
        raise errors.conflict("payee_quarantined", "The vendor's account waits for a second person's confirmation.")
    if instruction.status != InstructionStatus.ACTIVE:
        raise errors.conflict("payee_changed", "The vendor's account was replaced: ask for approval of the new one.")
    channel = catalogue.CHANNELS[instruction.channel]
    if channel.currencies and row.currency not in channel.currencies:
        message = f"{channel.name} does not carry {row.currency}."
        raise errors.validation_failed("payment_instruction_id", message, "currency")
    row.instruction, row.channel, row.account = instruction, instruction.channel, instruction.account
    row.bank_code, row.account_reference = instruction.bank_code, instruction.account_reference
    row.receiver_name = instruction.account_name
    row.fee_minor = fee(channel, row.currency)


def set_withholding(caller: Caller, row: BillPayment) -> None:
    """Computes what is withheld by the rates of the day on which it is paid; 422 where nothing would be left for the vendor."""
    bill = row.bill
    taxes = withholding.known(caller.business, bill.withholding_tax_ids)
    share = withholding.share(row.amount_minor, bill.subtotal_minor, bill.total_minor)
    day = _pay_day(caller.business, row)
    payable = withholding.Payable(row.amount_minor, share, row.currency, _paid_in_month(caller.business, row, day))
    withheld = withholding.of(taxes, bill.vendor, caller.business.country, payable, day)
    withheld_minor = sum(withheld_tax.tax_minor for withheld_tax in withheld)
    if row.amount_minor <= withheld_minor:
        raise errors.validation_failed("amount", "After the withheld taxes nothing is left to pay.", "amount")
    row.withholding = [withheld_tax.as_dict() for withheld_tax in withheld]
    row.withheld_minor, row.net_minor = withheld_minor, row.amount_minor - withheld_minor


def _pay_day(business: Business, row: BillPayment) -> date:
    """The day on which it is paid: that which it is scheduled for, else today."""
    now = timezone.now()
    return periods.day_of(max(now, row.scheduled_for or now), business)


def _paid_in_month(business: Business, row: BillPayment, day: date) -> dict[str, int]:
    """What the vendor is paid in the month of that day under each of the bill's taxes before this payment."""
    rows = selectors.counted_in_month(business, day, before=row).filter(
        vendor_id=row.vendor_id,
        currency=row.currency,
        bill__withholding_tax_ids__overlap=row.bill.withholding_tax_ids,
    )
    paid_by_tax = dict.fromkeys(row.bill.withholding_tax_ids, 0)
    for amount, taxes in rows.exclude(pk=row.pk).values_list("amount_minor", "bill__withholding_tax_ids"):
        for tax_id in paid_by_tax.keys() & set(taxes):
            paid_by_tax[tax_id] += amount
    return paid_by_tax


def _next_ref(row: BillPayment, caller: Caller) -> str:
    """Such as BP-20260105-3F2A9C1B: the day it was made on, and the random part of its id."""
    row.id = object_id()
    return f"BP-{periods.day_of(timezone.now(), caller.business):%Y%m%d}-{row.id[-8:].upper()}"


def record_payment_change(
    caller: Caller, row: BillPayment, event: str, action: str, previous: str, reason: str = ""
) -> None:
    """Saves a changed payment with its event and audit line; inside the caller's transaction."""
    row.version += 1
    row.save()
    record_event(caller.business, event, payment_detail(row), previous={"status": previous}, actor=caller)
    after = {"status": row.status, "ref": row.ref, **({"reason": reason} if reason else {})}
    record_audit(caller, action, "bill_payment", row.id, {"status": previous}, after)
