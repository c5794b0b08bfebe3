"""Money of the demo businesses: what they began with, what comes in each month, exchanges, and what is invested."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from service import periods
from service.accounts.wallets import wallet_by_ref
from service.auth import Caller
from service.businesses.models import Business, Role
from service.fx import quotes, transfers
from service.fx.schemas import FxTransferBody, RateBody
from service.investments import access, accrual, catalogue, movements, opt_ins, settlement
from service.investments.models import FundAccount
from service.investments.schemas import InvestBody, OperatorIn, OperatorsBody, OptInBody, TopUpBody, WithdrawBody
from service.journal import services as journal
from service.ledger.chart import system_account
from service.ledger.post import Leg, post
from service.sandbox import clock
from service.sandbox.cast import WALLETS
from service.sandbox.demo_plan import acting, ago, caller_of_role, persons
from service.transactions import manual_entries
from service.transactions.schemas import NewTransaction

LARGE = 10**6


@dataclass(frozen=True, slots=True)
class Receiving:
    """Money that arrives on a wallet, in minor units of its currency."""

    org_wallet_ref: str
    amount_minor: int
    ref: str
    payer: str
    at: datetime
    day: date


def receive(caller: Caller, coming: Receiving) -> None:
    """Posts it and writes it in the book; without an event, being history."""
    paid_on = wallet_by_ref(caller.business, coming.org_wallet_ref)
    source = system_account(caller.business, "BANK_FLOAT", paid_on.currency)
    legs = [Leg(source.pk, -coming.amount_minor), Leg(paid_on.ledger_account_id, coming.amount_minor)]
    posted = post(caller.business, coming.ref, "TOPUP", legs, coming.payer, coming.day)
    entry = journal.Entry(
        type="TOPUP", org_wallet_ref=coming.org_wallet_ref, currency=paid_on.currency, direction="IN",
        amount_minor=coming.amount_minor, ref=coming.ref, ledger_transaction_id=posted.id,
        counterparty=coming.payer, channel="BANK", occurred_at=coming.at,
    )  # fmt: skip
    journal.record_many(caller, [entry], with_events=False)


def begin(caller: Caller, at: datetime, day: date) -> None:
    """What the wallets hold on the first day."""
    for place, (_, minor) in enumerate(WALLETS[caller.business.country], start=1):
        receive(caller, Receiving(str(place), minor, f"capital:{place}", "Paid-in capital", at, day))


def earn(caller: Caller, month: str, spent: dict[tuple[str, str], int], at: datetime, day: date) -> None:
    """What customers pay in a month: a little more than its expenses take."""
    for (ref, _), minor in sorted(spent.items()):
        coming = -(-minor * 104 // 100 // LARGE) * LARGE
        receive(caller, Receiving(ref, coming, f"income:{month}:{ref}", f"Customers, {month}", at, day))


@dataclass(frozen=True, slots=True)
class Exchange:
    """An exchange between two wallets so many days ago; of none, it waits for votes."""

    days: int
    source: tuple[str, str]
    target: tuple[str, str]
    amount: int
    note: str = ""


KES, USD_KE = ("1", "KES"), ("2", "USD")
EUR, USD_NL, JPY = ("1", "EUR"), ("2", "USD"), ("3", "JPY")
EXCHANGES = {
    "KE": (
        Exchange(280, USD_KE, KES, 12_000, "Salaries"),
        Exchange(190, USD_KE, KES, 8_500, "Fuel depots"),
        Exchange(101, KES, USD_KE, 650_000, "Hosting for a quarter"),
        Exchange(40, USD_KE, KES, 15_000),
        Exchange(12, USD_KE, KES, 4_200),
        Exchange(0, USD_KE, KES, 120_000, "New trucks: first instalment"),
    ),
    "NL": (
        Exchange(260, EUR, JPY, 9_000, "Osaka trade fair"),
        Exchange(175, EUR, USD_NL, 14_000, "Simulation seats"),
        Exchange(88, EUR, JPY, 6_500),
        Exchange(21, USD_NL, EUR, 3_100),
        Exchange(0, EUR, JPY, 105_000, "Osaka workshop: deposit"),
    ),
}


def exchange(business: Business, now: datetime) -> None:
    """Exchanges of the year, and one so large that approvers are asked."""
    for planned in EXCHANGES[business.country]:
        with clock.at(ago(now, planned.days or 0.2)):
            # Whoever asks may not vote: the last of the approvers, so that two are left.
            caller = acting(business, persons(business, Role.APPROVER)[-1])
            body = {
                "from": planned.source[1],
                "to": planned.target[1],
                "amount": Decimal(planned.amount),
                "side": "SELL",
            }
            quote = quotes.create_quote(caller, RateBody.model_validate(body))
            transfers.create_transfer(
                caller,
                FxTransferBody(
                    amount=None,
                    quote_id=quote.id,
                    from_org_wallet_ref=planned.source[0],
                    to_org_wallet_ref=planned.target[0],
                    note=planned.note,
                ),
            )


FUNDS = {"KE": ("BAO-MMF-KES", "BAO-BAL-KES"), "NL": ("BAO-MMF-EUR", "BAO-MMF-USD")}
# In whole units: put in at first, invested at once, later added, taken out again, and what waits for votes.
SUMS = {"KE": (4_000_000, 3_000_000, 750_000, 250_000, 12_000_000), "NL": (90_000, 60_000, 25_000, 8_000, 110_000)}


# By a customer: in how many days, on which wallet, how much, and who.
PROMISES = {"KE": (12, "1", 1_850_000, "Savanna Millers"), "NL": (8, "1", 64_000, "Veluwe Automation")}


def invest(business: Business, now: datetime) -> None:
    """A money-market fund since months; another one that somebody asks for, and an investment that waits for votes."""
    requester, approving = caller_of_role(business, Role.ADMIN), caller_of_role(business, Role.APPROVER)
    # Whoever asks may not vote: the last of the approvers, so that two are left.
    moves = acting(business, persons(business, Role.APPROVER)[-1])
    known = {fund.code: fund for fund in catalogue.list_funds()}
    first, second = (known[code] for code in FUNDS[business.country])
    cash, start, more, back, large = (Decimal(amount_text) for amount_text in SUMS[business.country])
    with clock.at(ago(now, 150)):
        opt_in = opt_ins.request_opt_in(
            requester, OptInBody(fund_id=first.id, note="Reserves that are not needed this quarter")
        )
        opt_ins.approve(approving, opt_in.ref)
        account = FundAccount.objects.get(pk=opt_in.account_id)
        movements.top_up(moves, account.id, TopUpBody(amount=cash, org_wallet_ref="1"))
    for days, amount in ((149, start), (60, more)):
        with clock.at(ago(now, days)):
            movement = movements.invest(moves, account.id, InvestBody(amount=amount))
        with clock.at(ago(now, days) + timedelta(minutes=5)):
            settlement.settle(movement.id)
    with clock.at(ago(now, 30)):
        out = movements.withdraw(moves, account.id, WithdrawBody(amount=back, units=None, org_wallet_ref="1"))
    with clock.at(ago(now, 30 - first.notice_days)):
        settlement.settle(out.id)
    name_operators(business, account.id, now)
    with clock.at(ago(now, 1)):
        opt_ins.request_opt_in(requester, OptInBody(fund_id=second.id, note="For the new depot"))
        movements.invest(moves, account.id, InvestBody(amount=large, org_wallet_ref="1"))
    with clock.at(ago(now, 0.1)):
        movements.withdraw(moves, account.id, WithdrawBody(amount=more, units=None, org_wallet_ref="1"))
    accrual.accrue(account.id)


def name_operators(business: Business, account_id: str, now: datetime) -> None:
    """One admin named an operator whom another confirmed, and since yesterday somebody more, who waits for that."""
    first, another = (acting(business, admin) for admin in persons(business, Role.ADMIN)[:2])
    treasurer, newcomer = persons(business, Role.REVIEWER)[:2]
    seats = [OperatorIn(employee_id=treasurer.id, can_withdraw=False)]
    with clock.at(ago(now, 28)):
        row, _ = access.replace(first, account_id, OperatorsBody(operators=seats), 1)
    with clock.at(ago(now, 27)):
        access.confirm(another, account_id, treasurer.id, row.operators_version)
    with clock.at(ago(now, 0.8)):
        seats.append(OperatorIn(employee_id=newcomer.id))
        access.replace(first, account_id, OperatorsBody(operators=seats), row.operators_version)


def promise(business: Business, now: datetime) -> None:
    """What a customer has promised for a day to come, written down by one person and approved by another."""
    maker, voter = caller_of_role(business, Role.ADMIN), caller_of_role(business, Role.APPROVER)
    days, ref, amount, payer = PROMISES[business.country]
    body = {"type": "TOPUP", "org_wallet_ref": ref, "amount": amount, "counterparty": payer}
    day = periods.day_of(now + timedelta(days=days), business)
    with clock.at(ago(now, 0.3)):
        transaction = manual_entries.create(maker, NewTransaction.model_validate(body | {"value_date": day}))
        manual_entries.approve(voter, transaction.id)
