"""Interest, day by day: it accrues to the eighth decimal and is paid in units at the turn of the month.

Money-market funds only: what other funds earn is in the price of their units. Each day's value is kept for the
portfolio's performance.
"""

import logging
from datetime import date, timedelta
from decimal import Decimal

from django.db import transaction

from service import errors, money
from service.auth import system_caller
from service.ids import object_id
from service.investments import catalogue, changes, units
from service.investments.models import (
    AccountStatus,
    Fund,
    FundAccount,
    Movement,
    MovementKind,
    MovementStatus,
    Valuation,
)
from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.ledger.post import Leg, post, today

log = logging.getLogger(__name__)

EARNING = (AccountStatus.ACTIVE, AccountStatus.SUSPENDED)
# After a long silence, so many days are caught up with at once; the rest follows with the next run.
AT_ONCE = 40


def accrue_all() -> int:
    """Brings every account up to yesterday; answers how many days were accrued in all."""
    done = 0
    for account_id in FundAccount.objects.filter(status__in=EARNING).order_by("id").values_list("id", flat=True):
        try:
            done += accrue(account_id)
        except Exception:
            log.exception("interest of fund account %s did not accrue", account_id)
    return done


def accrue(account_id: str) -> int:
    """One account, day by day until yesterday in its business's time zone; a day is never accrued twice."""
    with transaction.atomic():
        rows = FundAccount.objects.select_for_update(no_key=True, of=("self",)).select_related("fund", "business")
        return catch_up(rows.get(pk=account_id), AT_ONCE)


def catch_up(fund_account: FundAccount, most: int | None = None) -> int:
    """The days that are missing, at most so many, of an account that the caller has locked; answers how many.

    Called before units come or go, so that each day earns on what was held on it, however late it is accrued.
    """
    last = fund_account.accrued_until
    if fund_account.status not in EARNING or last is None:  # nothing was ever invested
        return 0
    missing = (today(fund_account.business) - timedelta(days=1) - last).days
    days = [last + timedelta(days=number) for number in range(1, (missing if most is None else min(most, missing)) + 1)]
    for day in days:
        _accrue_day(fund_account, day)
    if days:
        fund_account.accrued_until = days[-1]
        fund_account.version += 1
        fund_account.save()
    return len(days)


def _accrue_day(fund_account: FundAccount, day: date) -> None:
    fund = fund_account.fund
    price = catalogue.price_on(fund, day)
    if fund.type == Fund.Type.MONEY_MARKET and fund_account.units > 0:
        fund_account.accrued += units.interest(fund_account.units, price, fund.annual_yield_bps)
    if (day + timedelta(days=1)).day == 1:
        _pay_in_units(fund_account, day, price)
    accrued = int(fund_account.accrued.scaleb(money.exponent(fund.currency)))
    Valuation.objects.update_or_create(
        account=fund_account,
        day=day,
        defaults={
            "units": fund_account.units,
            "price": price,
            "book_minor": balance(fund_account.holding_id).posted if fund_account.holding_id else 0,
            "market_minor": units.worth(fund_account.units, price, fund.currency) + accrued,
        },
    )


def _pay_in_units(fund_account: FundAccount, day: date, price: Decimal) -> None:
    """At the month's end what has accrued becomes units, to the minor unit; the fraction stays. Not into a closed book."""
    fund = fund_account.fund
    minor = int(fund_account.accrued.scaleb(money.exponent(fund.currency)))
    if minor <= 0 or fund_account.holding_id is None:
        return
    caller = system_caller(fund_account.business)
    income = system_account(fund_account.business, "FUND_INCOME", fund.currency).pk
    legs = [Leg(income, -minor), Leg(fund_account.holding_id, minor)]
    row_id = object_id()
    try:
        with transaction.atomic():
            ref = f"interest:{fund_account.id}:{day:%Y-%m}"
            posted = post(fund_account.business, ref, "INTEREST", legs, f"Interest of {fund.name}", day)
    except errors.ServiceError as refusal:
        log.warning("interest of fund account %s stays accrued: %s", fund_account.id, refusal.code)
        return
    row = Movement(
        id=row_id,
        account=fund_account,
        business=fund_account.business,
        ref=f"IN{row_id}",
        kind=MovementKind.INTEREST,
        status=MovementStatus.SETTLED,
        amount_minor=minor,
        units=units.bought(minor, price, fund.currency),
        price=price,
        value_date=day,
        requested_by=caller.label,
        ledger_transaction_id=posted.id,
    )
    row.save(force_insert=True)
    fund_account.accrued -= money.to_number(minor, fund.currency)
    fund_account.units += row.units
    fund_account.interest_minor += minor
    changes.record_change(caller, row, "investment.interest_paid", "investment.pay_interest")
