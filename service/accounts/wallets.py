"""Finding and opening wallets: what the other areas use. The rules of the interface are in services.py."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from service import errors
from service.accounts.models import Currency, Funding, Wallet
from service.businesses.models import Business
from service.journal import services as journal
from service.ledger import chart
from service.ledger.chart import AccountOrder
from service.ledger.post import Leg, post

__all__ = [
    "Funding",
    "NewWallet",
    "Wallet",
    "card_wallet",
    "employee_wallet",
    "funding_wallet",
    "investment_wallet",
    "open_wallets",
    "usable_wallet",
    "wallet_by_ref",
]

MAIN, EMPLOYEE, CARD, INVESTMENT = "MAIN", "EMPLOYEE", "CARD", "INVESTMENT"
# The reference of the posting with which a sandbox business begins.
OPENING_REF = "opening"


def wallet_by_ref(business: Business, org_wallet_ref: str) -> Wallet:
    """The business's wallet of this reference ("1" is the first); 404 without it."""
    wallet = Wallet.objects.filter(business=business, holder_id="", org_wallet_ref=org_wallet_ref).first()
    if wallet is None:
        raise errors.not_found("wallet")
    return wallet


def has_wallet(business_id: str, org_wallet_ref: str) -> bool:
    """Whether the business has, or had, a wallet of this reference: what the guard of every view asks about its header."""
    return Wallet.objects.filter(business_id=business_id, holder_id="", org_wallet_ref=org_wallet_ref).exists()


def holds_money(business_id: str, holder_ids: Iterable[str]) -> bool:
    """Whether a wallet of these holders (employees, cards) has money, or has some coming or going."""
    rows = Wallet.objects.filter(business_id=business_id, holder_id__in=list(holder_ids))
    balance = "ledger_account__balance"
    return rows.exclude(**{f"{balance}__posted": 0, f"{balance}__pending_in": 0, f"{balance}__pending_out": 0}).exists()


def usable_wallet(business: Business, org_wallet_ref: str, *, locked: bool = False) -> Wallet:
    """The wallet of this reference, to move money on it; 404 without it.

    409 invalid_state where it is closed (a suspended one still takes credits).

    `locked` keeps it from being closed until the transaction ends: for what is attached to it (hooks.py).
    """
    wallet = wallet_by_ref(business, org_wallet_ref)
    if locked:
        wallet = Wallet.objects.select_for_update(of=("self",), no_key=True).get(pk=wallet.pk)
    if wallet.status == Wallet.Status.CLOSED:
        raise errors.invalid_state("The wallet is closed.")
    return wallet


def employee_wallet(business: Business, employee_id: str, currency: str) -> Wallet:
    """The wallet of an employee in a currency, made the first time."""
    return _held(business, EMPLOYEE, employee_id, currency)


def funding_wallet(business: Business, funding: str, org_wallet_ref: str, holder_id: str, currency: str) -> Wallet:
    """The wallet that a card with this funding pays from, and that gets back what is refunded to it.

    `holder_id` is the employee, empty where nobody is there any more to have an allocation: then the business's wallet
    stands in, so that late captures and refunds end where somebody sees them. 404 without that wallet.
    """
    if funding == Funding.ALLOCATION and holder_id:
        return employee_wallet(business, holder_id, currency)
    return wallet_by_ref(business, org_wallet_ref)


def card_wallet(business: Business, card_id: str, currency: str) -> Wallet:
    """The wallet of a card in a currency, made the first time."""
    return _held(business, CARD, card_id, currency)


def investment_wallet(business: Business, fund_account_id: str, currency: str) -> Wallet:
    """The wallet of a fund account, where cash waits to be invested; made the first time."""
    return _held(business, INVESTMENT, fund_account_id, currency)


def _held(business: Business, wallet_type: str, holder_id: str, currency: str) -> Wallet:
    lookup = {"business": business, "wallet_type": wallet_type, "holder_id": holder_id, "currency": currency}
    existing = Wallet.objects.filter(**lookup).first()
    if existing:
        return existing
    with transaction.atomic():
        account = chart.open_account(business, wallet_type, currency, wallet_type.lower(), holder_id)
        row, _ = Wallet.objects.get_or_create(
            **lookup,
            defaults={
                "name": f"{wallet_type.title()} wallet",
                "accno": account_number(account.pk),
                "ledger_account": account,
            },
        )
    return row


@dataclass(frozen=True, slots=True)
class NewWallet:
    """A wallet to open, with what it has at the start (minor units)."""

    currency: str
    wallet_type: str = MAIN
    name: str = ""
    opening_minor: int = 0


def open_wallets(business: Business, new_wallets: Sequence[NewWallet]) -> list[Wallet]:
    """Opens wallets of a business that has none yet, with their currencies and opening balances, in six statements.

    For the sandbox and the demo: the opening balances come from the system account OPENING.
    """
    with transaction.atomic():
        codes = list(dict.fromkeys(new.currency for new in new_wallets))
        Currency.objects.bulk_create([Currency(business=business, code=code) for code in codes], ignore_conflicts=True)
        orders = [AccountOrder("WALLET", new.currency, "wallet", new.wallet_type) for new in new_wallets]
        orders += [AccountOrder("OPENING", code, deferred=True) for code in codes]
        accounts = chart.open_accounts(business, orders)
        wallets = Wallet.objects.bulk_create(
            Wallet(
                business=business,
                org_wallet_ref=str(place),
                currency=new.currency,
                wallet_type=new.wallet_type,
                name=new.name or f"{new.currency} {new.wallet_type.lower()}",
                accno=account_number(account),
                ledger_account_id=account,
            )
            for place, (new, account) in enumerate(zip(new_wallets, accounts, strict=False), start=1)
        )
        sources = dict(zip(codes, accounts[len(new_wallets) :], strict=True))
        legs = [Leg(account, new.opening_minor) for new, account in zip(new_wallets, accounts, strict=False)]
        for code in codes:
            legs.append(Leg(sources[code], -sum(new.opening_minor for new in new_wallets if new.currency == code)))
        if legs := [leg for leg in legs if leg.amount_minor]:
            posted = post(business, OPENING_REF, "TOPUP", legs, "Opening balance")
            opened = [(row, new) for row, new in zip(wallets, new_wallets, strict=True) if new.opening_minor]
            journal.record_many(business, [_opening(row, new, posted.id) for row, new in opened], with_events=False)
    return wallets


def _opening(row: Wallet, new: NewWallet, transaction_id: int) -> journal.Entry:
    return journal.Entry(
        type="TOPUP",
        org_wallet_ref=row.org_wallet_ref,
        currency=row.currency,
        amount_minor=new.opening_minor,
        direction="IN",
        ref=OPENING_REF,
        ledger_transaction_id=transaction_id,
        counterparty="Opening balance",
    )


def account_number(ledger_account_id: int) -> str:
    """The account number that people see and pay to: ten digits."""
    return f"{ledger_account_id:010d}"
