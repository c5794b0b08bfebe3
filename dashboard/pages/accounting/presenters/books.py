"""How the books of a month are shown: the trial balance with its sums added up here, an account's entries, a posting."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, TypedDict

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.journal_exports.ledger import LedgerSums
from dashboard.mirror.models import Employee, Transaction
from dashboard.mirror.written_queries import ANY_BUSINESS, ANY_LIST, WrittenQuery
from dashboard.money import Money, number, text
from dashboard.pages.accounting.selectors.books import fx_open
from dashboard.schemas.accounting import AccountEntry, AccountLedger, Posting, PostingEntry, TrialAccount, TrialBalance
from dashboard.times import day, day_text, local
from dashboard.web.addresses import address_of
from dashboard.web.statements import ENTRY_KINDS

TRIAL_HEADINGS = ("Account", "Number", "Kind", "Currency", "Opening", "Debit", "Credit", "Closing")
LEDGER_HEADINGS = (
    "Date", "Posted at (UTC)", "Account number", "Account kind", "Account", "Currency", "Posting", "Reference", "Type",
    "Description", "Debit", "Credit",
)  # fmt: skip
Cell = str | int | Decimal


@dataclass(frozen=True, slots=True)
class TrialRow:
    """An account of the trial balance as it is printed."""

    account: TrialAccount
    name: str
    opening: str
    debit: str
    credit: str
    closing: str


@dataclass(frozen=True, slots=True)
class TrialGroup:
    """The accounts of a currency with their sums, added up here from the rows; `balances` says whether debit equals credit
    and what was there before and after comes to nothing."""

    currency: str
    rows: list[TrialRow]
    opening: str
    debit: str
    credit: str
    closing: str
    balances: bool


class TrialContext(TypedDict):
    """What accounting/trial_balance.html reads, beside the period."""

    groups: list[TrialGroup]
    fx_alone: bool


class LedgerLine(NamedTuple):
    """An entry of an account as it is printed: what it leads to, a debit or a credit, and the balance after it."""

    href: str
    title: str
    day: str
    posted: str
    kind: str
    debit: str
    credit: str
    balance: str


class LedgerContext(TypedDict):
    """What accounting/ledger.html reads, beside the period: `proof` says how opening and entries come to the closing, None
    where they stand on several pages; `accounts` are those to choose from, by id."""

    account: TrialRow | None
    accounts: list[tuple[int, str]]
    lines: list[LedgerLine]
    total: int
    before: int
    through: int
    following: str
    adds_up: bool | None


class PostingContext(TypedDict):
    """What accounting/posting.html reads."""

    posting: Posting
    period: str
    day: str
    posted: str
    kind: str
    entries: list[tuple[PostingEntry, str, str]]
    sums: list[tuple[str, str, bool]]
    transactions: Sequence[Transaction]


def trial_groups(actor: Actor, trial_balance: TrialBalance, *, fx_alone: bool = False) -> list[TrialGroup]:
    """The accounts by currency; with `fx_alone` only those that FX passes through and left something on."""
    accounts = fx_open(trial_balance) if fx_alone else trial_balance.accounts
    holders = _holders(actor, accounts)
    currencies = sorted({row.currency for row in accounts})
    return [
        _group(actor, currency, [row for row in accounts if row.currency == currency], holders)
        for currency in currencies
    ]


def trial_row(trial_account: TrialAccount, holders: dict[str, str], locale: str) -> TrialRow:
    """An account as it is printed; `holders` are names of employees by id."""

    def written(minor: int) -> str:
        return number(minor, trial_account.currency, locale)

    return TrialRow(
        trial_account,
        account_name(trial_account, holders),
        written(trial_account.opening_minor),
        written(trial_account.debit_minor) if trial_account.debit_minor else "–",
        written(trial_account.credit_minor) if trial_account.credit_minor else "–",
        written(trial_account.closing_minor),
    )


def account_name(trial_account: TrialAccount, holders: dict[str, str]) -> str:
    """The account's name, and whose it is where it is an employee's."""
    holder = holders.get(trial_account.holder_id, "")
    return f"{trial_account.name} · {holder}" if holder else trial_account.name


def _holders(actor: Actor, accounts: Sequence[TrialAccount]) -> dict[str, str]:
    ids = {row.holder_id for row in accounts if row.holder_id}
    rows = _named_people().run({ANY_BUSINESS: actor.business.pk, ANY_LIST: list(ids)}) if ids else []
    return {row.remote_id: row.name for row in rows}


@lru_cache(maxsize=1)
def _named_people() -> WrittenQuery[Employee]:
    rows = Employee.objects.filter(business_id=ANY_BUSINESS, remote_id__in=[ANY_LIST])
    return WrittenQuery(rows.only("remote_id", "name"))


def _group(actor: Actor, currency: str, accounts: Sequence[TrialAccount], holders: dict[str, str]) -> TrialGroup:
    locale = actor.business.locale
    opening, debit, credit, closing = (
        sum(getattr(row, f"{name}_minor") for row in accounts) for name in ("opening", "debit", "credit", "closing")
    )
    return TrialGroup(
        currency=currency,
        rows=[trial_row(row, holders, locale) for row in accounts],
        opening=number(opening, currency, locale),
        debit=number(debit, currency, locale),
        credit=number(credit, currency, locale),
        closing=number(closing, currency, locale),
        balances=debit == credit and not opening and not closing,
    )


def ledger_context(actor: Actor, trial_balance: TrialBalance, ledger: AccountLedger | None) -> LedgerContext:
    """The entries of one account; no account where nothing was ever posted."""
    holders = _holders(actor, trial_balance.accounts)
    accounts = [(row.account_id, f"{row.currency} · {account_name(row, holders)}") for row in trial_balance.accounts]
    if ledger is None:
        return {
            "account": None, "accounts": accounts, "lines": [], "total": 0, "before": 0, "through": 0, "following": "",
            "adds_up": None,
        }  # fmt: skip
    account, locale = ledger.account, actor.business.locale
    if account.account_id not in dict(accounts):
        # Something was posted on it for the first time after the choices were read.
        holders |= _holders(actor, [account])
        accounts.append((account.account_id, f"{account.currency} · {account_name(account, holders)}"))
    moved = sum(entry.amount_minor for entry in ledger.docs)
    return {
        "account": trial_row(account, holders, locale),
        "accounts": accounts,
        "lines": _lines(actor, ledger),
        "total": ledger.total,
        "before": ledger.before,
        "through": ledger.before + len(ledger.docs),
        "following": ledger.next_after,
        "adds_up": account.opening_minor + moved == account.closing_minor if len(ledger.docs) == ledger.total else None,
    }


def _lines(actor: Actor, ledger: AccountLedger) -> list[LedgerLine]:
    # The address of one posting is that of all, but for its number.
    postings = address_of("accounting_posting", actor.business.slug, 0).removesuffix("0/")
    return [_line(actor.business, entry, ledger.account.currency, postings) for entry in ledger.docs]


def _line(business: Business, account_entry: AccountEntry, currency: str, postings: str) -> LedgerLine:
    locale = business.locale
    amount = number(abs(account_entry.amount_minor), currency, locale)
    posted = local(account_entry.posted_at, business).date()
    return LedgerLine(
        f"{postings}{account_entry.ledger_transaction_id}/",
        account_entry.description or account_entry.ref,
        day_text(account_entry.effective_on),
        day_text(posted) if posted != account_entry.effective_on else "",
        kind_text(account_entry.type),
        amount if account_entry.amount_minor < 0 else "",
        amount if account_entry.amount_minor > 0 else "",
        number(account_entry.balance_minor, currency, locale),
    )


def kind_text(code: str) -> str:
    """What a kind of posting is called."""
    return ENTRY_KINDS.get(code, code.replace("_", " ").capitalize())


def posting_context(actor: Actor, posting: Posting, transactions: Sequence[Transaction]) -> PostingContext:
    """A posting with the sums of its entries, added up here."""
    locale = actor.business.locale
    sums = []
    for currency in sorted({entry.currency for entry in posting.entries}):
        minor = sum(entry.amount_minor for entry in posting.entries if entry.currency == currency)
        sums.append((currency, number(minor, currency, locale), minor == 0))
    return {
        "posting": posting,
        "period": f"{posting.effective_on:%Y-%m}",
        "day": day_text(posting.effective_on),
        "posted": day(posting.posted_at, actor.business),
        "kind": kind_text(posting.type),
        "entries": [
            (entry, text(abs(entry.amount_minor), entry.currency, locale), "Debit" if entry.amount_minor < 0 else "Credit")
            for entry in posting.entries
        ],
        "sums": sums,
        "transactions": transactions,
    }  # fmt: skip


def trial_file(actor: Actor, trial_balance: TrialBalance) -> tuple[list[tuple[Cell, ...]], list[tuple[str, str]]]:
    """The rows of the trial balance as a file, and what stands below them: the sums of each currency, added up here."""
    holders, locale = _holders(actor, trial_balance.accounts), actor.business.locale
    rows: list[tuple[Cell, ...]] = [
        (
            account_name(row, holders), row.account_id, row.kind, row.currency,
            *(Money(minor, row.currency).amount
              for minor in (row.opening_minor, row.debit_minor, row.credit_minor, row.closing_minor)),
        )
        for row in trial_balance.accounts
    ]  # fmt: skip
    return rows, [
        (f"Sums of {group.currency}", f"debit {group.debit}, credit {group.credit}, closing {group.closing}")
        for group in trial_groups(actor, trial_balance)
    ] or [("Accounts", number(0, "JPY", locale))]


def ledger_summary(ledger_sums: LedgerSums) -> list[tuple[str, str]]:
    """What stands below the rows of the general ledger: how many entries, and the sums of each currency, added up here."""
    return [("Entries", str(ledger_sums.entry_count))] + [
        (f"Sums of {currency}", f"debit {sides.debit:,}, credit {sides.credit:,}")
        for currency, sides in sorted(ledger_sums.by_currency.items())
    ]
