"""A person's money: what they have, the forms that change it, and their statement."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypedDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.mirror.models import Employee, Wallet
from dashboard.money import Money, text, to_minor
from dashboard.pages.people.forms.people import (
    FundsForm,
)
from dashboard.pages.people.selectors.bulk_funds import PlannedFunds
from dashboard.pages.people.selectors.people import (
    StatementPage,
    currencies_of,
    funding_wallets,
)
from dashboard.pages.people.services import FundsShare
from dashboard.schemas.employees import EmployeeWallet, FundsMoved
from dashboard.times import as_of
from dashboard.web.statements import WalletStatementLine, line_of

ALLOCATE, REMOVE = "allocate", "remove"
DONE = {ALLOCATE: "allocated to", REMOVE: "removed from"}


@dataclass(frozen=True, slots=True)
class WalletLine:
    """What somebody has in one currency: what they can spend, what is posted, and what is on hold."""

    currency: str
    available: str
    posted: str
    on_hold: str


class StatementContext(TypedDict):
    """What people/statement.html reads: the lines, or `problem` where the service did not give them."""

    person: Employee
    currency: str
    currencies: list[str]
    lines: list[WalletStatementLine]
    number: int
    pages: int
    total: int
    seen: str
    problem: str


def funds_form(actor: Actor, name: str, posted: Mapping[str, str] | None = None) -> FundsForm:
    """The form that allocates money or takes it back: `name` is ALLOCATE or REMOVE."""
    wallets = funding_wallets(actor)
    labels = [(wallet.org_wallet_ref, wallet_label(wallet, actor.business.locale)) for wallet in wallets]
    form = FundsForm(posted, prefix=name, wallets=wallets, labels=labels, locale=actor.business.locale)
    form.fields["wallet"].label = "From wallet" if name == ALLOCATE else "Back to wallet"
    return form


def bulk_funds_form(
    actor: Actor, planned_funds: PlannedFunds, posted: Mapping[str, str] | None = None
) -> FundsForm:  # fmt: skip
    """The form of what each of many people gets, or gives back, with what was chosen before."""
    wallets, share = funding_wallets(actor), planned_funds.action.share
    labels = [(wallet.org_wallet_ref, wallet_label(wallet, actor.business.locale)) for wallet in wallets]
    chosen = {"amount": share.amount.amount, "wallet": share.org_wallet_ref, "note": share.note} if share else {}
    form = FundsForm(posted, wallets=wallets, labels=labels, locale=actor.business.locale, initial=chosen)
    form.fields["amount"].label = "Amount for each"
    is_given = planned_funds.action.operation is operations.ALLOCATE_FUNDS
    form.fields["wallet"].label = "From wallet" if is_given else "Back to wallet"
    return form


def share_of(form: FundsForm) -> FundsShare:
    """What a valid form says that each of them gets or gives back."""
    body = form.body()
    return FundsShare(
        Money(to_minor(body["amount"], body["currency"]), body["currency"]), body["org_wallet_ref"], body["note"] or ""
    )


def wallet_label(wallet: Wallet, locale: str) -> str:
    """A wallet as a choice: its name and, where it is known, what it has."""
    name = wallet.name or wallet.org_wallet_ref
    if wallet.available_minor is None:
        return f"{name} · {wallet.currency}"
    return f"{name} · {text(wallet.available_minor, wallet.currency, locale)} available"


def wallet_line(employee_wallet: EmployeeWallet, locale: str) -> WalletLine:
    """An employee's wallet as a line."""

    def amount(value: Decimal | None) -> str:
        return (
            "" if value is None else text(to_minor(value, employee_wallet.currency), employee_wallet.currency, locale)
        )

    balances = employee_wallet.balances
    return WalletLine(
        employee_wallet.currency, amount(balances.available), amount(balances.posted), amount(balances.pending_out)
    )


def moved_text(actor: Actor, employee: Employee, form: FundsForm, moved: FundsMoved | None, name: str) -> str:
    """What happened to somebody's money, and what they have after it where the service said it."""
    body = form.body()
    amount = text(to_minor(body["amount"], body["currency"]), body["currency"], actor.business.locale)
    did = f"{amount} was {DONE[name]} {employee.name}."
    if moved is None:
        return f"{did} What they have now could not be read."
    return f"{did} {wallet_line(moved.wallet, actor.business.locale).available} available to them now."


def statement_context(
    actor: Actor,
    employee: Employee,
    currency: str,
    number_of_page: int,
    funds_page: StatementPage | None,
    problem: str,
) -> StatementContext:
    """A page of somebody's statement, or why there is none."""
    entries = funds_page.entries if funds_page else []
    return {
        "person": employee,
        "currency": entries[0].currency if entries else currency,
        "currencies": currencies_of(actor, employee),
        "lines": [line_of(entry, actor.business.locale) for entry in entries],
        "number": number_of_page,
        "pages": funds_page.pages if funds_page else 1,
        "total": funds_page.total if funds_page else 0,
        "seen": as_of(funds_page.as_of, actor.business) if funds_page else "",
        "problem": problem,
    }
