"""What the demo businesses have to show: work for each role, things that somebody should look at twice, all areas."""

from collections import Counter
from datetime import timedelta

from service.approvals.models import Approval, ApprovalStatus
from service.bills.models import Bill, BillPayment
from service.bills.models import PaymentStatus as BillPaymentStatus
from service.business_policies.models import BusinessPolicy
from service.businesses.models import Business, Employee, Role
from service.cards.models import Authorization, Card, RequestStatus, SingleUseRequest
from service.customers.models import Customer
from service.expenses import selectors
from service.expenses.models import Expense, ExpenseStatus
from service.fx.models import FxTransfer, TransferStatus
from service.investments.models import FundAccount, Movement, MovementStatus, OptIn, OptInStatus
from service.journal.models import Transaction
from service.payments.models import Batch
from service.periods import day_of, zone_of
from service.sandbox import clock
from service.sandbox.demo_plan import acting
from service.subscriptions.models import Charge, Subscription, SubscriptionStatus
from service.subscriptions.proposals import propose
from service.vendors.models import InstructionStatus, PaymentInstruction
from service.wallet_policies.models import WalletPolicy
from tests.service.sandbox.conftest import NOW, ON_ONE_WORKER

pytestmark = ON_ONE_WORKER


def person(business: Business, name: str) -> Employee:
    return Employee.objects.get(business=business, name__startswith=name)


def test_each_role_has_something_to_do(kifaru: Business) -> None:
    pending = Expense.objects.filter(business=kifaru, status=ExpenseStatus.PENDING)
    for name in ("Rita", "Rashida", "Timothy"):
        assert selectors.visible(acting(kifaru, person(kifaru, name))).filter(status=ExpenseStatus.PENDING).exists()
    assert pending.count() >= 24
    requested = Approval.objects.filter(business=kifaru, status=ApprovalStatus.PENDING)
    assert set(requested.values_list("kind", flat=True)) >= {"BULK_PAYOUT", "BILL_PAYMENT", "FX_TRANSFER", "INVESTMENT"}
    assert requested.count() >= 12
    assert Expense.objects.filter(business=kifaru, status=ExpenseStatus.DETAILS_REQUESTED).exists()
    assert OptIn.objects.filter(business=kifaru, status=OptInStatus.PENDING).exists()
    assert PaymentInstruction.objects.filter(business=kifaru, status=InstructionStatus.QUARANTINED).exists()


def test_some_expenses_are_odd(kifaru: Business) -> None:
    rows = list(Expense.objects.filter(business=kifaru, transaction_date__gte=NOW - timedelta(days=10)))
    twins = Counter(
        (row.employee_id, row.receiver, row.amount_minor, day_of(row.transaction_date, kifaru)) for row in rows
    )
    assert sum(count > 1 for count in twins.values()) >= 3
    parts = [row for row in rows if row.notes in ("Part 1", "Part 2", "Part 3")]
    assert len({(row.employee_id, row.receiver) for row in parts}) == 1
    assert sum(row.amount_minor for row in parts) > 10_000_00 > max(row.amount_minor for row in parts)
    assert sum(row.amount_minor == 9_950_00 for row in rows) == 4
    at_night = [f"{row.transaction_date.astimezone(zone_of(kifaru)):%H:%M}" for row in rows]
    assert at_night.count("03:07") == 2


def test_bills_are_paid_waiting_open_and_doubtful(kifaru: Business) -> None:
    bills = Bill.objects.filter(business=kifaru)
    assert set(bills.values_list("status", flat=True)) == {"OPEN", "PAID"}
    assert bills.filter(duplicate_of__isnull=False).exists()
    paid = BillPayment.objects.filter(business=kifaru, status=BillPaymentStatus.SUCCEEDED)
    assert min(each.settled_at or NOW for each in paid) < NOW - timedelta(days=300)
    assert paid.filter(withheld_minor__gt=0).exists()
    assert Batch.objects.filter(business=kifaru).count() >= 12
    assert Batch.objects.filter(business=kifaru, status="APPROVED", scheduled_for__gt=NOW).count() == 2
    assert Transaction.objects.filter(business=kifaru, status="APPROVED", direction="IN").count() == 1


def test_what_is_charged_regularly_became_subscriptions(kifaru: Business) -> None:
    created = Subscription.objects.filter(business=kifaru)
    assert created.filter(status=SubscriptionStatus.PAUSED).count() == 1
    assert created.filter(limit_minor__isnull=False).exists()
    assert created.count() >= 5
    assert all(Charge.objects.filter(subscription=each).count() >= 11 for each in created)
    with clock.at(NOW):
        assert [each.last.merchant for each in propose(acting(kifaru, person(kifaru, "Ada")))]


def test_treasury_cards_customers_and_policies(kifaru: Business) -> None:
    exchanges = Counter(FxTransfer.objects.filter(business=kifaru).values_list("status", flat=True))
    assert exchanges == {TransferStatus.COMPLETED: 5, TransferStatus.PENDING_APPROVAL: 1}
    assert FundAccount.objects.filter(business=kifaru, units__gt=0).exists()
    moves = set(Movement.objects.filter(business=kifaru).values_list("status", flat=True))
    assert moves == {MovementStatus.SETTLED, MovementStatus.PENDING_APPROVAL, MovementStatus.REQUESTED}
    spenders = Employee.objects.filter(business=kifaru).exclude(role=Role.SUPER_ADMIN).count()
    assert Card.objects.filter(business=kifaru).count() > spenders
    cards = Counter(Card.objects.filter(business=kifaru).values_list("status", "blocked_by"))
    assert (cards["BLOCKED", "USER"], cards["BLOCKED", "ADMIN"], cards["REQUESTED", ""]) == (1, 1, 2)
    requested = Authorization.objects.filter(business=kifaru, card__controls__has_key="per_transaction_limit")
    uses = Counter(requested.filter(created_at__gte=NOW - timedelta(days=4)).values_list("status", "code"))
    held = Authorization.objects.filter(business=kifaru, ledger_hold_id__isnull=False)
    assert (held.count(), set(held.values_list("status", flat=True))) == (6, {"CAPTURED"})
    assert (uses["DECLINED", "per_transaction_limit"], uses["CAPTURED", ""] >= 5, len(uses)) == (1, True, 2)
    assert SingleUseRequest.objects.filter(business=kifaru, status=RequestStatus.PENDING).count() == 4
    assert Expense.objects.filter(business=kifaru).exclude(card_id="").count() > 200
    assert set(Customer.objects.filter(business=kifaru).values_list("status", flat=True)) == {"ACTIVE", "DELETED"}
    assert BusinessPolicy.objects.filter(business=kifaru).count() >= 5
    assert WalletPolicy.objects.filter(business=kifaru).exists()
