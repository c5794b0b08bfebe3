"""Bills of the demo: a year of them entered, approved and paid; some open, many waiting for votes, some odd."""

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
from service.sandbox.demo_plan import MONTHS, acting, ago, caller_of_role, persons
from service.sandbox.demo_vendors import SUPPLIERS, Supplier
from service.sandbox.demo_year import DemoMonth, DemoYear
from service.taxes.models import Tax
from service.vendors.models import Vendor

PAID, WAITING, OPEN = 26, 14, 6
# Of the paid ones so many are there from the beginning; and how many numbers a month's bills take at most.
LAST_PAID, NUMBERS = 6, 200
FEW_PAID, FEW_WAITING = 4, 3
VAT = {"KE": Decimal(16), "NL": Decimal(21)}


class Desk:
    """Who enters bills and who votes on them, and what bills are filed under. `number` is where those of a part begin."""

    def __init__(self, year: DemoYear, part: str, number: int) -> None:
        self.business, self.chance, self.now = year.business, year.chance(part), year.now
        self.maker = caller_of_role(self.business, Role.ADMIN)
        self.voters = [acting(self.business, person) for person in persons(self.business, Role.APPROVER)]
        self.vendors = {row.name: row for row in Vendor.objects.filter(business=self.business)}
        self.filed = {row.name: row.id for row in Subcategory.objects.filter(business=self.business)}
        self.taxes = {row.code: row.id for row in Tax.objects.filter(business=self.business)}
        teams = Team.objects.filter(business=self.business)
        self.budget = list(Budget.objects.filter(name__in=map(_budget_name, teams), team__in=teams).order_by("team_id"))
        self._numbers = number

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


def create_bills(year: DemoYear) -> None:
    """Budgets, vendors, bills that are open or wait for votes, and the last paid ones: the newest paid bill of each vendor
    that is asked for again, so that it is no stranger."""
    business, now = year.business, year.now
    demo_vendors.create_vendors(business, now)
    _create_budgets(business, now)
    desk, suppliers = Desk(year, "bills", NUMBERS * (MONTHS + 1)), SUPPLIERS[business.country]
    newest = _paid_bills(year)[-(LAST_PAID if year.is_whole else FEW_PAID) :]
    for place, entered in newest:
        _paid(desk, suppliers[place % len(suppliers)], entered)
    known = [suppliers[place % len(suppliers)] for place, _ in newest]
    waiting = WAITING if year.is_whole else FEW_WAITING
    for place in range(waiting):
        with clock.at(ago(now, 6 - 5 * place / waiting)):
            desk.ask(desk.enter(desk.chance.choice(known), _day(business, now, 8 - place // 3)))
    for place in range(OPEN):
        with clock.at(ago(now, 3 - place / 3)):
            desk.enter(suppliers[place], _day(business, now, 34 - 6 * place))
    _suspicious_bills(desk, suppliers, now)


def pay_month(year: DemoYear, demo_month: DemoMonth) -> None:
    """The bills that were entered in a month and paid, but for the last ones."""
    due = [
        (place, entered)
        for place, entered in (_paid_bills(year)[:-LAST_PAID] if year.is_whole else ())
        if demo_month.holds(periods.day_of(entered, year.business))
    ]
    if due:
        suppliers = SUPPLIERS[year.business.country]
        desk = Desk(year, f"bills {demo_month.name}", NUMBERS * (MONTHS + 1 - demo_month.back))
        for place, entered in due:
            _paid(desk, suppliers[place % len(suppliers)], entered)


def _paid_bills(year: DemoYear) -> list[tuple[int, datetime]]:
    """When each of the bills that are paid was entered, the oldest first, with its place in the year."""
    many = PAID if year.is_whole else FEW_PAID
    return [(place, ago(year.now, 350 - 312 * place / many)) for place in range(many)]


def _create_budgets(business: Business, now: datetime) -> None:
    """A budget of each team, the greater the later the team was made."""
    scale = 1 if business.currency == "KES" else 100
    maker = caller_of_role(business, Role.ADMIN)
    with clock.at(ago(now, 300)):
        for place, team in enumerate(Team.objects.filter(business=business).order_by("id")):
            amount = Decimal((3_000_000 + 500_000 * place) // scale)
            new = NewBudget(name=_budget_name(team), team_id=team.id, currency=business.currency, amount=amount)
            budgets.create(maker, new)


def _budget_name(team: Team) -> str:
    return f"{team.name}, monthly"


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
