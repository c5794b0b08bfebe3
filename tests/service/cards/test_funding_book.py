"""What cards spend in the book of transactions: each purchase once, whichever wallet it was paid from."""

from typing import Any

from django.db.models import Case, F, Sum, When

from service.accounts.models import Wallet
from service.auth import system_caller
from service.expenses import posting
from service.journal.models import Transaction
from service.ledger.models import LedgerEntry
from service.transactions.backfill import backfill
from tests.service.cards.conftest import Make, use
from tests.service.house import House


def posted(house: House, **which: Any) -> dict[str, int]:
    """What all wallets, or those of a kind, have by their entries, per currency."""
    rows = Wallet.objects.filter(business=house.business, **which).values_list("ledger_account_id", "currency")
    found: dict[str, int] = {}
    for account, currency in rows:
        total = LedgerEntry.objects.filter(account_id=account).aggregate(total=Sum("amount"))["total"] or 0
        found[currency] = found.get(currency, 0) + total
    return found


def booked(house: House, ref: str) -> int:
    """What the book says that a wallet of the business lost or got."""
    rows = Transaction.objects.filter(business=house.business, org_wallet_ref=ref, status="POSTED")
    signed = Case(
        When(direction="IN", then=F("amount_minor") + F("fees_minor")), default=-F("amount_minor") - F("fees_minor")
    )
    return int(rows.aggregate(total=Sum(signed))["total"] or 0)


def spent(house: House) -> float:
    """Money out of this month, in the first wallet's currency."""
    [found] = [row for row in house.get("/transactions/money-movement").json()["docs"] if row["currency"] == "KES"]
    out: float = found["money_out"]
    return out


def test_each_purchase_is_in_the_book_once_and_money_that_is_allocated_is_not_spent(house: House, make: Make) -> None:
    backfill(house.business)
    before, whole = spent(house), posted(house)
    own, office = make(funds=5000), make("Cyrus", funding="BUSINESS_WALLET")
    assert spent(house) == before, "to allocate money spends none"
    assert posted(house) == whole
    for card, amount in ((own, 1200.5), (office, 300.25)):
        assert use(house, card, amount, settle=True)["approved"]
    assert round(spent(house) - before, 2) == 1500.75
    assert whole["KES"] - posted(house)["KES"] == 1500_75
    paid = Transaction.objects.filter(business=house.business, type="EXPENSE", amount_minor__in=[1200_50, 300_25])
    assert sorted(paid.values_list("amount_minor", "org_wallet_ref")) == [(300_25, "1"), (1200_50, "")]


def test_the_book_of_a_wallet_is_its_ledger_and_writing_it_down_again_adds_nothing(house: House, make: Make) -> None:
    own, office = make(funds=5000), make("Cyrus", funding="BUSINESS_WALLET")
    for card, amount in ((own, 1200.5), (office, 300.25), (own, 99)):
        assert use(house, card, amount, settle=True)["approved"]
    posting.refund(system_caller(house.business), use(house, own, 40, settle=True)["expense_id"])
    posting.refund(system_caller(house.business), use(house, office, 60, settle=True)["expense_id"])
    backfill(house.business)
    assert backfill(house.business) == 0
    for wallet in Wallet.objects.filter(business=house.business, holder_id="").exclude(org_wallet_ref=""):
        entries = LedgerEntry.objects.filter(account_id=wallet.ledger_account_id).aggregate(total=Sum("amount"))
        assert booked(house, wallet.org_wallet_ref) == (entries["total"] or 0), wallet.org_wallet_ref
