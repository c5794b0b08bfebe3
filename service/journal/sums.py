"""Money in, money out, fees and transfers: what each of these words counts, once for every report that says them.

Summed from the journal by effective day (decisions F.3, B.17), in minor units of one currency:
money in    top-ups, less those taken back
money out   expenses and fees, less refunds
fees        what wallets paid beside an amount, whatever the amount was for, less what was given back
transfers   what wallets gained or gave otherwise, on neither side: own wallets, employees, funds, exchange
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection

from service.auth import Caller

# An IFT's own amount is no money in or out; the fee that it cost is.
GROUPS = """
select currency, date_trunc('month', effective_on)::date, type, channel, direction, sum(amount_minor)::bigint,
    sum(fees_minor)::bigint, count(*) filter (where fees_minor > 0)
from transactions_transaction
where business_id = %(business)s and effective_on between %(first)s and %(last)s
    and (%(wallet)s = '' or org_wallet_ref = %(wallet)s)
group by 1, 2, 3, 4, 5
"""


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of the journal that are alike in all but their amounts; how many of them had a fee."""

    currency: str
    month: date
    type: str
    channel: str
    direction: str
    amount: int
    fees: int
    charged: int

    @property
    def fee(self) -> int:
        """The fees that were paid; below zero for those that came back."""
        return self.fees if self.direction == "OUT" else -self.fees


def groups(caller: Caller, first: date, last: date, wallet_ref: str = "") -> Iterator[Group]:
    """What the journal has of these inclusive days, by the month: of all wallets of the business, or of one."""
    values: dict[str, Any] = {"business": caller.business.id, "first": first, "last": last, "wallet": wallet_ref}
    with connection.cursor() as cursor:
        cursor.execute(GROUPS, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return (Group(*row) for row in rows)


@dataclass(slots=True)
class JournalSums:
    """Minor units of one currency, by type; what runs against its type's direction is a reversal and counts less."""

    expense: int = 0
    topup: int = 0
    ift: int = 0
    refund: int = 0
    fee: int = 0

    def add(self, sum_group: Group) -> None:
        """Adds the amounts of a group to the sums, each to that of its kind."""
        out = sum_group.direction == "OUT"
        self.fee += sum_group.fee
        if sum_group.type == "EXPENSE":
            self.expense += sum_group.amount if out else -sum_group.amount
        elif sum_group.type == "REFUND":
            self.refund += -sum_group.amount if out else sum_group.amount
        elif sum_group.type == "TOPUP":
            self.topup += -sum_group.amount if out else sum_group.amount
        elif out:
            self.ift += sum_group.amount

    @property
    def money_in(self) -> int:
        """What came in by top-ups, in minor units."""
        return self.topup

    @property
    def money_out(self) -> int:
        """What went out by expenses and fees, less what was refunded, in minor units."""
        return self.expense + self.fee - self.refund
