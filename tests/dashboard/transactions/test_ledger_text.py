"""What a transaction made in the ledger: how its entries are counted, and which of a posting of several are its own."""

import pytest
from django.template.loader import render_to_string

from dashboard.mirror.models import Transaction
from dashboard.pages.transactions.presenters.ledger_text import LedgerEntryLine, LedgerText, own_entries
from dashboard.schemas.accounting import PostingEntry


@pytest.mark.parametrize(
    ("total", "is_whole", "sentence"),
    [
        (80, True, "1 of the 80 entries of posting 123"),
        (80, False, "1 of the 80 entries on this wallet of posting 123"),
        (1, True, "All entries of posting 123"),
        (1, False, "The entries on this wallet of posting 123"),
    ],
)
def test_entries_of_a_posting_are_counted_as_what_they_are(total: int, is_whole: bool, sentence: str) -> None:
    line = LedgerEntryLine("Main", "Paper", "Debit", "KES 1.00", "", "")
    shown = render_to_string(
        "transactions/ledger.html", {"ledger": LedgerText([line], [], total, "123", "", "1 Oct 2026", is_whole)}
    )
    assert sentence in " ".join(shown.split())


def entry(note: str, minor: int) -> PostingEntry:
    return PostingEntry(account_id=1, currency="KES", amount_minor=minor, note=note)


def test_of_a_payout_the_entries_of_the_payment_and_of_its_fee_are_its_own() -> None:
    row = Transaction(counterparty="Kiboko Tyres", amount_minor=45_311_25)
    own = [
        entry("Kiboko Tyres BNK42E8", -45_311_25),
        entry("Fee: Kiboko Tyres BNK42E8", -40_00),
        entry("Fee: Kiboko Tyres BNK42E8", 40_00),
        entry("Kiboko Tyres BNK42E8", 45_311_25),
    ]
    others = [
        entry("Kiboko Tyres BNK99AA", -12_00),
        entry("Fee: Kiboko Tyres BNK99AA", -40_00),
        entry("Kiboko Tyresoles BNK77", -45_311_25),
        entry("Nakuru Fuel Depot BNK46C5", -45_311_25),
    ]
    assert own_entries(row, [*others, *own]) == own


def test_of_a_batch_of_purchases_those_of_its_merchant_and_its_amount_are_its_own() -> None:
    row = Transaction(counterparty="Haraka Rides", amount_minor=-600_00)
    own = [entry("Haraka Rides", -600_00)]
    others = [entry("Haraka Rides", -1_020_00), entry("Pata Cab", -600_00), entry("", 1_620_00)]
    assert own_entries(row, [*own, *others]) == own


def test_what_a_posting_holds_of_others_stands_apart() -> None:
    own, other = (LedgerEntryLine("Main", name, "Debit", "KES 1.00", "", "") for name in ("Paper", "Rent"))
    ledger = LedgerText([own], [other, other], 3, "123", "", "1 Oct 2026", True)
    shown = " ".join(render_to_string("transactions/ledger.html", {"ledger": ledger}).split())
    before, _, behind = shown.partition("<details>")
    assert "Paper" in before
    assert "Rent" not in before
    assert behind.count("Rent") == 2
    assert "2 other entries of this posting" in behind
    assert "All entries of posting 123" in behind
