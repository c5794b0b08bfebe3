"""The wallets of employees: one per person and currency, outside the business's own list of wallets."""

from collections.abc import Iterable, Sequence

from service.accounts.models import Wallet
from service.accounts.wallets import EMPLOYEE, account_number
from service.businesses.models import Business
from service.ledger import chart
from service.ledger.chart import AccountOrder


def open_for(business: Business, employee_ids: Sequence[str], currency: str) -> None:
    """Opens the wallets of people who have none yet in that currency, in two statements."""
    orders = [AccountOrder(EMPLOYEE, currency, EMPLOYEE.lower(), employee_id) for employee_id in employee_ids]
    accounts = chart.open_accounts(business, orders)
    Wallet.objects.bulk_create(
        [
            Wallet(
                business=business,
                currency=currency,
                wallet_type=EMPLOYEE,
                holder_id=employee_id,
                name=f"{EMPLOYEE.title()} wallet",
                accno=account_number(account),
                ledger_account_id=account,
            )
            for employee_id, account in zip(employee_ids, accounts, strict=True)
        ],
        ignore_conflicts=True,
    )


def of(business: Business, employee_ids: Iterable[str], currency: str = "") -> dict[str, list[Wallet]]:
    """The wallets of these people with their balances, by employee id and in order of currency; in one currency only
    where it is named."""
    rows = Wallet.objects.filter(business=business, wallet_type=EMPLOYEE, holder_id__in=list(employee_ids))
    if currency:
        rows = rows.filter(currency=currency)
    by_employee: dict[str, list[Wallet]] = {}
    for row in rows.select_related("ledger_account__balance").order_by("currency"):
        by_employee.setdefault(row.holder_id, []).append(row)
    return by_employee
