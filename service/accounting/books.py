"""The trial balance and the general ledger of a month, by the ledger's days."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, TypedDict

from django.db import connection, transaction

from service import money
from service.accounting.entry_codes import NO_CODES, EntryCodes, codes_of
from service.accounting.periods import Month
from service.auth import Caller
from service.named_statements import named_rows
from service.respond import JsonObject
from service.spreadsheet import rows_writer, safe_row

# What each account had before the month and what moved in it. A credit of the ledger is what its holder gained. Days that are added
# up (AccountDay) are read as such, and one by one the entries behind them. Their two bounds, of which one is none, and `offset 0`
# have these looked up by their key whatever the planner expects. `chosen` is a condition that leaves out other accounts.
BALANCES = """
with mine as (
    select account.id, coalesce(summed.seq, 0) as summed from ledger_account account
    left join accounting_summedaccount summed on summed.business_id = account.business_id and summed.account_id = account.id
    where account.business_id = %(business)s{chosen}),
days as (
    select day.account_id, day.effective_on, day.debit, day.credit
    from mine join accounting_accountday day on day.business_id = %(business)s and day.account_id = mine.id
    where day.effective_on <= %(last)s
    union all
    select mine.id, posted.effective_on, greatest(-entry.amount, 0), greatest(entry.amount, 0)
    from mine cross join lateral (
        select entry.transaction_id, entry.amount from ledger_entry entry
        where entry.account_id = mine.id and entry.seq > mine.summed and entry.seq <= 9223372036854775807 offset 0
    ) entry join ledger_transaction posted on posted.id = entry.transaction_id
    where posted.effective_on <= %(last)s),
moved as (
    select account_id, coalesce(sum(credit - debit) filter (where effective_on < %(first)s), 0)::bigint as opening,
        coalesce(sum(debit) filter (where effective_on >= %(first)s), 0)::bigint as debit,
        coalesce(sum(credit) filter (where effective_on >= %(first)s), 0)::bigint as credit
    from days group by account_id)
select account.id, account.kind, account.currency, account.holder_type, account.holder_id, wallet.name, wallet.accno,
    moved.opening, moved.debit, moved.credit
from moved join ledger_account account on account.id = moved.account_id
left join accounts_wallet wallet on wallet.ledger_account_id = account.id
order by account.currency, account.kind, account.id
"""
ACCOUNT = f"""
select balances.*, exists(select from ledger_balance where account_id = %(account)s) as has_runs, business.books_closed_until
from ({BALANCES.format(chosen=" and account.id = %(account)s")}) balances join businesses_business business on business.id = %(business)s
"""  # noqa: S608  statements of ours
ENTRIES = """
select posted.effective_on, entry.posted_at, account.id, account.kind, coalesce(wallet.name, ''), account.currency,
    posted.id, posted.external_ref, posted.kind, coalesce(entry.note, posted.description), entry.amount, entry.seq
from ledger_account account
join ledger_entry entry on entry.account_id = account.id
join ledger_transaction posted on posted.id = entry.transaction_id
left join accounts_wallet wallet on wallet.ledger_account_id = account.id
where account.business_id = %(business)s and posted.effective_on between %(first)s and %(last)s
order by {order}
"""
# Account by account as people read a ledger, or posting by posting as an audit file has it.
ORDERS = {
    "account": "account.currency, account.kind, account.id, posted.effective_on, entry.seq",
    "posting": "posted.effective_on, posted.id, account.id, entry.seq",
}
TRIAL_HEADER = ("account_id", "kind", "name", "currency", "opening", "debit", "credit", "closing")
LEDGER_HEADER = (
    "effective_on", "posted_at", "account_id", "account_kind", "account_name", "currency", "transaction_id", "ref",
    "type", "description", "debit", "credit",
)  # fmt: skip
CODES_HEADER = ("subcategory_id", "team_id", "parts", "taxes")
SECONDS = "60s"
# So long whoever reads the ledger may not take a piece of it: then its snapshot is given up, and the answer breaks off.
IDLE = "60s"
AT_ONCE = 2000


class AccountBalanceShape(TypedDict):
    """An account of the trial balance; what it opened with, moved and closed with, in minor units and as numbers."""

    account_id: int
    kind: str
    name: str
    accno: str | None
    holder_type: str | None
    holder_id: str | None
    currency: str
    opening_minor: int
    debit_minor: int
    credit_minor: int
    closing_minor: int
    opening: Decimal
    debit: Decimal
    credit: Decimal
    closing: Decimal


@dataclass(frozen=True, slots=True)
class AccountOfMonth:
    """An account of the trial balance, whether its entries stand in runs (LedgerRun), and up to which day the books are closed."""

    balance: AccountBalanceShape
    has_runs: bool
    closed_until: date | None


class TotalShape(TypedDict):
    """What the accounts of a currency come to together."""

    currency: str
    opening: Decimal
    debit: Decimal
    credit: Decimal
    closing: Decimal


# `from` is a word of Python: a TypedDict can name it in this form alone.
_Days = TypedDict("_Days", {"period": str, "from": date, "to": date})


class TrialBalanceShape(_Days):
    """The trial balance of a month as the interface shows it."""

    accounts: list[AccountBalanceShape]
    totals: list[TotalShape]


def trial_balance(caller: Caller, month: Month) -> TrialBalanceShape:
    """Every account that ever moved until the month's end, and per currency the totals, whose closing is zero."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"set local statement_timeout = '{SECONDS}'")
        cursor.execute(BALANCES.format(chosen=""), _values(caller, month))
        rows = [_account(*row) for row in cursor.fetchall()]
    by_currency: dict[str, list[AccountBalanceShape]] = defaultdict(list)
    for row in rows:
        by_currency[row["currency"]].append(row)
    return {
        "period": month.name,
        "from": month.first,
        "to": month.last,
        "accounts": rows,
        "totals": [_total(currency, accounts) for currency, accounts in sorted(by_currency.items())],
    }


def account_of_month(caller: Caller, month: Month, account_id: int) -> AccountOfMonth | None:
    """One account of the trial balance; None where nothing was posted on it until the month's end."""
    rows = named_rows(ACCOUNT, {**_values(caller, month), "account": account_id})
    return AccountOfMonth(_account(*rows[0][:-2]), *rows[0][-2:]) if rows else None


def trial_balance_lines(caller: Caller, month: Month) -> Iterator[str]:
    """The trial balance as lines of CSV, the names of its columns first."""
    report = trial_balance(caller, month)
    yield _line(TRIAL_HEADER)
    accounts: Sequence[JsonObject] = report["accounts"]
    for row in accounts:
        yield _line([row[name] for name in TRIAL_HEADER])


def general_ledger_lines(
    caller: Caller, month: Month, order: str = "account", *, with_codes: bool = False
) -> Iterator[str]:
    """Every entry of the month as CSV, account by account, or posting by posting by their days, with its codes where that is
    asked for; read from the database as it is sent, all in one snapshot, and its codes as they are by then."""
    yield _line((*LEDGER_HEADER, *CODES_HEADER) if with_codes else LEDGER_HEADER)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"set local statement_timeout = '{SECONDS}'")
            cursor.execute(f"set local idle_in_transaction_session_timeout = '{IDLE}'")
        with connection.chunked_cursor() as cursor:
            cursor.execute(ENTRIES.format(order=ORDERS[order]), _values(caller, month))
            while rows := cursor.fetchmany(AT_ONCE):
                codes = _codes(caller, rows) if with_codes else {}
                for *head, amount, seq in rows:
                    number = money.to_number(abs(amount), head[5])
                    sides = ("", number) if amount > 0 else (number, "")
                    more = codes.get((head[2], seq), NO_CODES) if with_codes else ()
                    yield _line([*head, *sides, *more])


def _codes(caller: Caller, rows: Sequence[tuple[Any, ...]]) -> dict[tuple[int, int], EntryCodes]:
    """The codes of entries as ENTRIES reads them."""
    return codes_of(caller, [(row[2], row[-1]) for row in rows], {row[6] for row in rows})


def _values(caller: Caller, month: Month) -> dict[str, Any]:
    return {"business": caller.business.id, "first": month.first, "last": month.last}


def _account(
    account_id: int,
    kind: str,
    currency: str,
    holder_type: str,
    holder_id: str,
    name: str | None,
    accno: str | None,
    opening: int,
    debit: int,
    credit: int,
) -> AccountBalanceShape:
    closing = opening + credit - debit
    return {
        "account_id": account_id,
        "kind": kind,
        "name": name or kind.replace("_", " ").capitalize(),
        "accno": accno,
        "holder_type": holder_type or None,
        "holder_id": holder_id or None,
        "currency": currency,
        "opening_minor": opening,
        "debit_minor": debit,
        "credit_minor": credit,
        "closing_minor": closing,
        "opening": money.to_number(opening, currency),
        "debit": money.to_number(debit, currency),
        "credit": money.to_number(credit, currency),
        "closing": money.to_number(closing, currency),
    }


def _total(currency: str, rows: Sequence[AccountBalanceShape]) -> TotalShape:
    return {
        "currency": currency,
        "opening": money.to_number(sum(row["opening_minor"] for row in rows), currency),
        "debit": money.to_number(sum(row["debit_minor"] for row in rows), currency),
        "credit": money.to_number(sum(row["credit_minor"] for row in rows), currency),
        "closing": money.to_number(sum(row["closing_minor"] for row in rows), currency),
    }


class _Echo:
    """What csv.writer writes to: it hands each line back."""

    def write(self, value: str) -> str:
        return value


def _line(values: Any) -> str:
    written: str = rows_writer(_Echo()).writerow(safe_row(values))
    return written
