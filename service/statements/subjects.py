"""What the entries of an old statement were about: the `expense` that each nests, in the words of an expense.

An expense of the business is that expense. A payout, a bill's payment, an allocation is none, but the old interface
knows no other word for money that left: it is told by the book's row in the same fields.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence

from service import money
from service.accounts.models import Wallet
from service.businesses.models import Team
from service.expenses import serializers
from service.expenses.serializers_v1 import ExpenseShapeV1
from service.journal.models import Transaction
from service.ledger.models import LedgerEntry


def of(own: Wallet, entries: Sequence[LedgerEntry]) -> dict[int, ExpenseShapeV1]:
    """By the number of each entry on the wallet `own` (others have none): its expense."""
    own_entries = [entry for entry in entries if entry.account_id == own.ledger_account_id]
    rows = _rows(own, {entry.transaction_id for entry in own_entries})
    matched = _matched(own, {transaction: group for transaction, group in rows.items() if len(group) > 1})
    about = {entry.seq: matched.get(entry.seq) or rows[entry.transaction_id] for entry in own_entries}
    about = {seq: group for seq, group in about.items() if group}
    booked = [row for group in about.values() if len(group) == 1 for row in group]
    expenses = serializers.by_ids(row.expense_id for row in booked if row.expense_id)
    team_ids = {row.team_id for row in booked if row.team_id and row.expense_id not in expenses}
    teams = Team.objects.in_bulk(team_ids) if team_ids else {}
    movements: dict[int, ExpenseShapeV1] = {
        seq: _several(group) if len(group) > 1 else expenses.get(group[0].expense_id) or _single(group[0], teams)
        for seq, group in about.items()
    }
    return movements


def _rows(own: Wallet, transactions: set[int]) -> dict[int, list[Transaction]]:
    rows = Transaction.objects.filter(
        ledger_transaction_id__in=transactions, business_id=own.business_id, org_wallet_ref=own.org_wallet_ref
    )
    by_transaction: dict[int, list[Transaction]] = defaultdict(list)
    for row in rows.select_related("subcategory__category").order_by("id"):
        by_transaction[row.ledger_transaction_id or 0].append(row)
    return by_transaction


def _matched(own: Wallet, rows: dict[int, list[Transaction]]) -> dict[int, list[Transaction]]:
    """Where a posting has several rows, each entry's own: by the amount or the fee, then by whom its note names, in order.

    All entries of the posting are looked at, not those of a page alone, so that a page's border changes nothing. An entry
    that is none of them alone, such as a day's expenses posted in one sum, is about all of them.
    """
    if not rows:
        return {}
    entries = LedgerEntry.objects.filter(account=own.ledger_account_id, transaction_id__in=rows).order_by("seq")
    amounts = {transaction: list(group) for transaction, group in rows.items()}
    fees = {transaction: [row for row in group if row.fees_minor] for transaction, group in rows.items()}
    by_entry: dict[int, list[Transaction]] = {}
    for entry in entries:
        row = _pop_match(entry, amounts[entry.transaction_id], _amounts) or _pop_match(
            entry, fees[entry.transaction_id], _fees
        )
        if row:
            by_entry[entry.seq] = [row]
    return by_entry


def _pop_match(
    entry: LedgerEntry, left: list[Transaction], sums: Callable[[Transaction], tuple[int, ...]]
) -> Transaction | None:
    fitting = [row for row in left if abs(entry.amount) in sums(row)]
    named = [row for row in fitting if entry.note and row.counterparty in entry.note]
    row = next(iter(named or fitting), None)
    if row:
        left.remove(row)
    return row


def _amounts(row: Transaction) -> tuple[int, ...]:
    return row.amount_minor, row.amount_minor + row.fees_minor


def _fees(row: Transaction) -> tuple[int, ...]:
    return (row.fees_minor,)


def _single(row: Transaction, teams: dict[str, Team]) -> ExpenseShapeV1:
    team, filed = teams.get(row.team_id), row.subcategory
    return {
        **_movement_fields(row, row.amount_minor, row.fees_minor),
        "transaction_ref": row.ref,
        "employee_id": row.employee_id,
        "person": row.counterparty if row.employee_id else "",
        "receiver": row.counterparty,
        "notes": row.description,
        "team": {"_id": team.id, "name": team.name, "code": team.code} if team else None,
        "subcategory": {
            "_id": filed.id,
            "code": filed.code,
            "name": filed.name,
            "category": {"_id": filed.category_id, "groupid": filed.category.group, "name": filed.category.name},
        }
        if filed
        else None,
    }


def _several(group: Sequence[Transaction]) -> ExpenseShapeV1:
    amount, fees = sum(row.amount_minor for row in group), sum(row.fees_minor for row in group)
    return {**_movement_fields(group[0], amount, fees), "receiver": f"{len(group)} payments"}


def _movement_fields(row: Transaction, amount_minor: int, fees_minor: int) -> ExpenseShapeV1:
    """The fields of an expense, with what the book knows of any movement."""
    return {
        "_id": row.id,
        "status": row.status,
        "amount": money.to_number(amount_minor, row.currency),
        "fees": money.to_number(fees_minor, row.currency),
        "charge": money.to_number(amount_minor + fees_minor, row.currency),
        "currency": row.currency,
        "original_amount": None,
        "original_currency": None,
        "fx_rate": None,
        "transaction_date": row.occurred_at,
        "transaction_ref": "",
        "provider_ref": "",
        "employee_id": "",
        "person": "",
        "MerchantCategoryCode": "",
        "MerchantIdentifier": "",
        "card_vcn": "",
        "receiver": "",
        "accno": "",
        "payment_type": row.channel,
        "channel": row.channel,
        "team": None,
        "subcategory": None,
        "tag": [],
        "notes": "",
        "risk": 0,
        "risk_notes": "",
    }
