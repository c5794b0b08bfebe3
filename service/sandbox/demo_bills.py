"""Bills of the demo: a year of them entered, approved and paid; some open, many waiting for votes, some odd."""

import random
from datetime import date, datetime, timedelta
from decimal import Decimal

from service import periods
from service.approvals import services as approvals
from service.approvals.models import Approval, ApprovalStatus, Vote
from service.bills import approvals as approving
from service.bills import execution, payments, services
from service.bills.models import Bill, BillPayment
from service.bills.schemas import NewBill
from service.bills.schemas_payments import NewPayment
from service.budgets import services as budgets
from service.budgets.models import Budget
from service.budgets.schemas import NewBudget
from service.businesses.models import Business, Role, Team
from service.categories.models import Subcategory
from service.sandbox import clock, demo_vendors
from service.sandbox.demo_plan import acting, ago, caller_of_role, persons
from service.sandbox.demo_vendors import SUPPLIERS, Supplier
from service.taxes.models import Tax
from service.vendors.models import Vendor

PAID, WAITING, OPEN = 26, 14, 6
FEW_PAID, FEW_WAITING = 4, 3
VAT = {"KE": Decimal(16), "NL": Decimal(21)}


class Desk:
    """Who enters bills and who votes on them, and what bills are filed under."""

    def __init__(self, business: Business, chance: random.Random, now: datetime) -> None:
        self.business, self.chance, self.now = business, chance, now
        self.maker = caller_of_role(business, Role.ADMIN)
        self.voters = [acting(business, person) for person in persons(business, Role.APPROVER)]
        self.vendors = demo_vendors.create_vendors(business, now)
        self.filed = {row.name: row.id for row in Subcategory.objects.filter(business=business)}
        self.taxes = {row.code: row.id for row in Tax.objects.filter(business=business)}
        self.budget = self._budgets()
        self._numbers = 1_000

    def _budgets(self) -> list[Budget]:
        scale = 1 if self.business.currency == "KES" else 100
        with clock.at(ago(self.now, 300)):
            return [
                budgets.create(
                    self.maker,
                    NewBudget(
                        name=f"{team.name}, monthly",
                        team_id=team.id,
                        currency=self.business.currency,
                        amount=Decimal((3_000_000 + 500_000 * place) // scale),
                    ),
                )
                for place, team in enumerate(Team.objects.filter(business=self.business).order_by("id"))
            ]

    def enter(self, supplier: Supplier, day: date, *, total: Decimal | None = None, number: str = "") -> Bill:
        """A bill of a supplier, issued that day and due in thirty."""
        self._numbers += self.chance.randrange(3, 40)
        price = total or Decimal(round(supplier.usual * self.chance.uniform(0.8, 1.25)))
        budget = self.chance.choice(self.budget)
        line = {
            "description": supplier.what,
            "unit_price": price,
            "tax_rate": VAT[self.business.country],
            "subcategory_id": self.filed.get(supplier.subcategory),
        }
        body = {
            "bill_no": number or f"INV-{day:%Y}-{self._numbers}",
            "vendor_id": self.vendors[supplier.name].id,
            "issued_at": day,
            "due_at": day + timedelta(days=30),
            "line_items": [line],
            "team_id": budget.team_id,
            "budget_id": budget.id,
            "withholding_tax_ids": [self.taxes[supplier.tax]] if supplier.tax in self.taxes else None,
            "memo": f"{supplier.what}, {day:%B}",
        }
        return services.create(self.maker, NewBill.model_validate(body))

    def ask(self, bill: Bill, amount: Decimal | None = None) -> BillPayment:
        """Asks for votes on a payment of it: of all, unless an amount is named."""
        payment = payments.add(self.maker, bill.id, NewPayment(amount=amount, org_wallet_ref="1"))
        return approving.request_approval(self.maker, bill.id, payment.ref)

    def vote(self, payment: BillPayment) -> None:
        """The approvers, one after the other, until it is approved."""
        approval = Approval.objects.filter(subject_id=payment.id, status=ApprovalStatus.PENDING).first()
        for voter in self.voters:
            if approval is not None and approval.status == ApprovalStatus.PENDING:
                approval = approvals.vote(voter, approval.id, Vote.Decision.APPROVE)


def create_bills(business: Business, chance: random.Random, now: datetime, *, whole: bool) -> None:
    """Bills with their budgets, vendors and payments: of the whole year, or a few of each kind."""
    desk = Desk(business, chance, now)
    suppliers = SUPPLIERS[business.country]
    paid, waiting = (PAID, WAITING) if whole else (FEW_PAID, FEW_WAITING)
    for place in range(paid):
        _paid(desk, suppliers[place % len(suppliers)], ago(now, 350 - 312 * place / paid))
    for place in range(waiting):
        with clock.at(ago(now, 6 - 5 * place / waiting)):
            desk.ask(desk.enter(chance.choice(suppliers[:-1]), _day(business, now, 8 - place // 3)))
    for place in range(OPEN):
        with clock.at(ago(now, 3 - place / 3)):
            desk.enter(suppliers[place], _day(business, now, 34 - 6 * place))
    _suspicious_bills(desk, suppliers, now)


def _day(business: Business, now: datetime, days: float) -> date:
    return periods.day_of(ago(now, days), business)


def _paid(desk: Desk, supplier: Supplier, entered: datetime) -> None:
    with clock.at(entered):
        bill = desk.enter(supplier, periods.day_of(entered - timedelta(days=2), desk.business))
        payment = desk.ask(bill)
    with clock.at(entered + timedelta(hours=20)):
        desk.vote(payment)
        execution.execute(payment.id)


def _suspicious_bills(desk: Desk, suppliers: tuple[Supplier, ...], now: datetime) -> None:
    """The same bill twice, a bill just below a round sum, and a vendor whose account is said to have changed."""
    day = _day(desk.business, now, 5)
    with clock.at(ago(now, 2)):
        first = desk.enter(suppliers[0], day, total=Decimal(suppliers[0].usual), number=f"{day:%Y}/0417")
        twin = desk.enter(suppliers[0], day, total=Decimal(suppliers[0].usual), number=f"{day:%Y}-417")
        desk.ask(first)
        desk.ask(twin)
        desk.ask(desk.enter(suppliers[3], day, total=Decimal(99_900 if desk.business.country == "KE" else 999)))
        desk.enter(suppliers[-1], day)
    demo_vendors.change_payee(desk.business, _vendor(desk, suppliers[-1]), now)


def _vendor(desk: Desk, supplier: Supplier) -> Vendor:
    return desk.vendors[supplier.name]
