"""Reading the ledger: what an account has, and had at a moment. Its statement is in statements.py."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Sum

from service.ledger.models import BalanceMode, LedgerAccount, LedgerBalance, LedgerEntry, LedgerSnapshot


@dataclass(frozen=True, slots=True)
class Balance:
    """Minor units. `available` = posted - pending_out (what holds reserve); pending_in is expected, never counted."""

    posted: int
    pending_in: int
    pending_out: int

    @property
    def available(self) -> int:
        """What a debit may take now."""
        return self.posted - self.pending_out


def balance(account: LedgerAccount | int) -> Balance:
    """The balance of an account now, in minor units of its currency."""
    account_id = account if isinstance(account, int) else account.pk
    return balances([account_id])[account_id]


def balances(account_ids: Iterable[int]) -> dict[int, Balance]:
    """The balances of many accounts: one query, and one more where deferred accounts are among them."""
    ids = list(account_ids)
    rows = LedgerBalance.objects.filter(account_id__in=ids)
    by_account = {row.account_id: Balance(row.posted, row.pending_in, row.pending_out) for row in rows}
    missing = [account_id for account_id in ids if account_id not in by_account]
    if missing:
        by_account |= {account_id: Balance(posted, 0, 0) for account_id, posted in deferred_balances(missing).items()}
    return by_account


def deferred_balances(account_ids: Sequence[int]) -> dict[int, int]:
    """What deferred accounts have: their last snapshot and the entries after it."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT a.id, coalesce(s.posted, 0) + coalesce(
                (SELECT sum(e.amount) FROM ledger_entry e WHERE e.account_id = a.id AND e.seq > coalesce(s.seq, 0)), 0)
            FROM ledger_account a
            LEFT JOIN LATERAL
                (SELECT * FROM ledger_snapshot s WHERE s.account_id = a.id ORDER BY s.seq DESC LIMIT 1) s ON true
            WHERE a.id = ANY(%s) AND a.mode = 'DEFERRED'
            """,
            [list(account_ids)],
        )
        return {account_id: int(posted) for account_id, posted in cursor.fetchall()}


def posted_at(account: LedgerAccount, moment: datetime) -> int:
    """What was posted on the account at a moment: the balance its last entry at or before then left."""
    if account.mode == BalanceMode.DEFERRED:
        total = LedgerEntry.objects.filter(account=account, posted_at__lte=moment).aggregate(total=Sum("amount"))
        return total["total"] or 0
    entries = LedgerEntry.objects.filter(account=account, posted_at__lte=moment)
    # A snapshot of a minute later at least: an entry of the moment may have been committed a little after it.
    snapshots = LedgerSnapshot.objects.filter(account=account, taken_at__gt=moment + timedelta(minutes=1))
    later = snapshots.order_by("seq").values_list("seq", flat=True).first()
    if later is not None:
        entries = entries.filter(seq__lte=later)  # a day's entries to look through, not the account's life
    last = entries.order_by("-seq").values_list("balance_after", flat=True).first()
    return last or 0
