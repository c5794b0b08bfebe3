"""Payouts for the demo: some paid weeks ago, several that wait for approval, from harmless to alarming."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal

from service import periods
from service.accounts.wallets import wallet_by_ref
from service.approvals import services as approvals
from service.approvals.models import Approval, ApprovalStatus, Vote
from service.auth import Caller, system_caller
from service.businesses.models import Business, Employee, Role
from service.ledger.balances import balance
from service.payments import execution, intents, services
from service.payments.models import Batch, Item
from service.payments.schemas import NewIntent, NewItem, NewPayout, SinglePayment
from service.sandbox import clock
from service.sandbox.demo_year import DemoMonth, DemoYear

RUNS = (50, 46, 42, 37, 33, 29, 24, 20, 16, 12, 8, 5, 4, 3)  # weeks ago: monthly, and then weekly
FEW_RUNS = 3


@dataclass(frozen=True, slots=True)
class Payee:
    """Somebody who is paid regularly, and about how much, in major units."""

    name: str
    channel: str
    account: str
    usual: int
    bank_code: str = ""

    def item(self, amount: Decimal | int, note: str = "") -> NewItem:
        """A payment to them of so many units of the batch's currency."""
        return NewItem.model_validate(
            {
                "receiver_name": self.name,
                "channel": self.channel,
                "account": self.account,
                "bank_code": self.bank_code,
                "amount": Decimal(amount),
                "note": note,
            }
        )


KENYA = (
    Payee("Kiboko Tyres", "BANK_PESALINK", "01148223901", 48_500, "68"),
    Payee("Mombasa Cold Store", "BANK_EFT", "77120045512", 36_200, "11"),
    Payee("Rift Valley Spares", "BANK_PESALINK", "20033817745", 27_900, "01"),
    Payee("Nakuru Fuel Depot", "BANK_EFT", "00451129038", 41_300, "57"),
    Payee("Jua Kali Welders", "MPESA_TILL", "554218", 9_400),
    Payee("Tumaini Security", "BANK_PESALINK", "66100293847", 22_750, "70"),
)
NETHERLANDS = (
    Payee("Zwolle Precision Parts", "BANK_SWIFT", "NL36INGB0001872345", 610, "INGBNL2A"),
    Payee("Delft Laser Service", "BANK_SWIFT", "NL47RABO0312987654", 340, "RABONL2U"),
    Payee("Utrecht Office Supply", "BANK_SWIFT", "NL91ABNA0417164300", 180, "ABNANL2A"),
    Payee("Groningen Sensors", "BANK_SWIFT", "NL17TRIO0379123456", 455, "TRIONL2U"),
)
PAYEES = {"KE": KENYA, "NL": NETHERLANDS}
WAGES = ("Abdi Guyo", "Beatrice Mumo", "Caleb Rotich", "Doris Wambua", "Elijah Onyango", "Fatma Rashid")


def create_payouts(year: DemoYear) -> list[Batch]:
    """The payouts of the last weeks and of today, by the actions that people use; those that wait for approval."""
    business, chance, now = year.business, year.chance("payouts"), year.now
    maker, _ = _actors(business)
    payees = PAYEES[business.country]
    for weeks in RUNS[-FEW_RUNS:]:
        _pay(year, weeks)
    with clock.at(now - timedelta(hours=5)):
        waiting = _waiting(maker, payees, chance)
        if business.country == "KE":
            waiting += _alarming(maker, payees)
        _draft(maker, payees)
    return waiting


def pay_month(year: DemoYear, demo_month: DemoMonth) -> None:
    """The runs of a month that are not among those of the last weeks."""
    for weeks in RUNS[:-FEW_RUNS] if year.is_whole else ():
        if demo_month.holds(periods.day_of(year.now - timedelta(weeks=weeks), year.business)):
            _pay(year, weeks)


def plan_payouts(business: Business, now: datetime) -> None:
    """What is approved for days to come."""
    maker, voters = _actors(business)
    with clock.at(now - timedelta(hours=5)):
        _planned(maker, voters, PAYEES[business.country], now)


def _actors(business: Business) -> tuple[Caller, list[Caller]]:
    """Who makes payouts, and who votes on them."""
    voters = [_as(business, person) for person in _people(business, Role.APPROVER)]
    return _as(business, _people(business, Role.ADMIN)[0]), voters


def _pay(year: DemoYear, weeks: int) -> None:
    maker, voters = _actors(year.business)
    chance = year.chance(f"payout {weeks} weeks ago")
    _paid(maker, voters, PAYEES[year.business.country], chance, year.now - timedelta(weeks=weeks))


def _people(business: Business, role: str) -> list[Employee]:
    return list(Employee.objects.filter(business=business, role=role).order_by("id"))


def _as(business: Business, person: Employee) -> Caller:
    return replace(system_caller(business), employee=person, role=person.role)


def _usual(payee: Payee, chance: random.Random) -> Decimal:
    return Decimal(round(payee.usual * chance.uniform(0.85, 1.15) * 4)) / 4


def _start(maker: Caller, name: str, items: Sequence[NewItem], note: str = "") -> Batch:
    batch = services.create_payout(maker, NewPayout.model_validate({"name": name, "items": list(items), "note": note}))
    return services.initiate(maker, batch.batch_no)


def _paid(
    maker: Caller, voters: Sequence[Caller], payees: Sequence[Payee], chance: random.Random, at: datetime
) -> None:
    """A run that was approved and paid some hours later."""
    with clock.at(at):
        batch = _start(maker, f"Suppliers, {at:%d %B}", [payee.item(_usual(payee, chance)) for payee in payees])
    with clock.at(at + timedelta(hours=3)):
        _vote(voters, batch)
        execution.execute(batch.id)


def _vote(voters: Sequence[Caller], batch: Batch) -> None:
    approval = Approval.objects.get(subject_id=batch.id)
    for voter in voters:
        if approval.status == ApprovalStatus.PENDING:
            approval = approvals.vote(voter, approval.id, Vote.Decision.APPROVE)


def _planned(maker: Caller, voters: Sequence[Caller], payees: Sequence[Payee], now: datetime) -> None:
    """Approved for days to come: the next run, and an instalment for which the dollars do not suffice yet."""
    dollars = balance(wallet_by_ref(maker.business, "2").ledger_account_id).available // 100
    steel = Payee("Rotterdam Steel Works", "BANK_SWIFT", "NL13TEST0123456789", dollars + 18_500, "INGBNL2A")
    for days, name, ref, paid in ((9, "Suppliers, next run", "1", payees), (17, "New depot, rest", "2", [steel])):
        body = {"name": name, "org_wallet_ref": ref, "items": [payee.item(payee.usual) for payee in paid]}
        batch = services.create_payout(
            maker, NewPayout.model_validate(body | {"scheduled_for": now + timedelta(days=days)})
        )
        _vote(voters, services.initiate(maker, batch.batch_no))


def _waiting(maker: Caller, payees: Sequence[Payee], chance: random.Random) -> list[Batch]:
    """Ordinary requests: known payees, usual amounts, and one new payee."""
    return [
        _start(maker, "Suppliers, this week", [payee.item(_usual(payee, chance)) for payee in payees[:4]]),
        _start(maker, "Maintenance contract", [payees[-1].item(_usual(payees[-1], chance), "Monthly")]),
        _transfer(maker, payees[1], _usual(payees[1], chance)),
    ]


def _transfer(maker: Caller, payee: Payee, amount: Decimal) -> Batch:
    """A single transfer, made from an intent."""
    payment = SinglePayment(**payee.item(amount, "Deposit").model_dump())
    return intents.create_intent(maker, NewIntent(payment=payment)).batch


def _alarming(maker: Caller, payees: Sequence[Payee]) -> list[Batch]:
    """Requests that somebody should look at twice: the digest says why."""
    tyres, cold_store, spares = payees[:3]
    moved = replace(tyres, account="01190077412", bank_code="07")
    twice = Item.objects.filter(batch__business=maker.business, receiver_name=spares.name).order_by("-batch_id")[0]
    insider = Employee.objects.filter(business=maker.business, role=Role.CARD_USER).order_by("id")[0]
    shared = Payee("Amani Consulting", "MPESA_SEND_MONEY", insider.phone, 0)
    wages = [
        Payee(name, "MPESA_SEND_MONEY", f"2547120034{place:02d}", 0).item(4_850 + 125 * place)
        for place, name in enumerate(WAGES, start=11)
    ]
    return [
        _start(maker, "Casual wages, Mombasa depot", wages, "Week ending Saturday"),
        _start(maker, "Tyres: new bank details", [moved.item(52_300)], "They wrote that their bank has changed"),
        _start(maker, "Spare parts", [spares.item(Decimal(twice.amount_minor) / 100)]),
        _start(maker, "Consulting fees", [shared.item(98_000)], "Urgent"),
        _start(maker, "Cold storage, advance", [cold_store.item(420_000)]),
    ]


def _draft(maker: Caller, payees: Sequence[Payee]) -> None:
    items = [payee.item(payee.usual) for payee in payees[:3]]
    services.create_payout(maker, NewPayout.model_validate({"name": "Next month's suppliers", "items": items}))
