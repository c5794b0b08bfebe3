"""A row that is read in one go is what the same row is cell by cell; whatever is not beyond doubt is left to that."""

from __future__ import annotations

import itertools
import random

import pytest

from dashboard.pages.payouts.services import lines as services
from dashboard.pages.payouts.services.lines import PaymentLine, check_lines
from dashboard.payout_files.plain_rows import PlainRows
from tests.dashboard.payouts.test_large_payout import KINDS, payment
from tests.dashboard.payouts.test_row_rules import DESTINATIONS

CELLS = {
    "receiver": ["Grace Achieng", "Łukasz", "", " Grace", "G" * 101, "Grace\tA", "...", "\u2800", "Grace "],
    "channel": [
        "M-Pesa to a phone", "mpesa_send_money", "PesaLink", "EFT", "M-Pesa till", "M-Pesa paybill", "SWIFT", "RTGS", "WALLET", "Airtime", "", "pigeon",
    ],
    "account": [
        "0712 345 678", "+254712345678", "254 712345678", "712345678", "0110234567", "512345", "51 23 45", "400200", "NL91ABNA0417164300",
        "12", "", "0712-345-678", "0110-234567", "٠٧١٢٣٤٥٦٧٨", "5123456789012345678",
    ],
    "bank": ["", "Equity Bank Kenya", "68", "ABNANL2A", "Bank of Nowhere"],
    "reference": ["", "METER-1", "METER-1 ", "M" * 41],
    "amount": [
        "1,500.50", "1500.5", "20000", "0", "0.00", "-5", "1.234", "1,23,456.00", "12,34", "KES 120.00", "USD 120.00", "plenty", "", "007",
        "123456789012", "1234567890123456", "1,500.", ".5", "1 500", "1.500,50",
    ],
    "note": ["", "October", "n" * 201, " x"],
}  # fmt: skip

# What is paid in any currency, and written plainly.
RTGS = {"channel": "RTGS", "account": "0110234567", "bank": "68", "reference": "", "amount": "1500"}


def cell_by_cell(row: dict[str, str], currency: str, locale: str) -> PaymentLine:
    line = PaymentLine(2, dict(row))
    services._check(line, currency, locale, DESTINATIONS)
    return line


@pytest.mark.parametrize(
    ("currency", "locale"), [("KES", "en_KE"), ("KES", "de_DE"), ("USD", "en_US"), ("UGX", "en_KE")]
)
def test_what_is_read_in_one_go_is_what_it_is_cell_by_cell(currency: str, locale: str) -> None:
    chosen = random.Random(13)
    rows = [{name: chosen.choice(values) for name, values in CELLS.items()} for _ in range(8000)]
    right = [payment(number) for number in range(2, 60)] + [payment(number) | RTGS for number in range(60, 118)]
    # Each cell of a right row as everything that a cell can be.
    rows += [
        row | {name: value}
        for row, (name, values) in itertools.product(right[:6] + right[-6:], CELLS.items())
        for value in values
    ]
    rows += [right[place % len(right)] | kind.cells for place, kind in enumerate(KINDS)] + right
    plain = PlainRows(currency, locale, DESTINATIONS)
    read = 0
    for row in rows:
        line = cell_by_cell(row, currency, locale)
        quick = plain.read(row)
        if quick is None:
            continue
        read += 1
        assert not line.problems, (row, line.problems)
        assert (line.body, line.amount_minor) == quick, row
    # Where a comma is no thousands separator, every amount is left to what reads it cell by cell.
    assert read == 0 if locale == "de_DE" else read > 50, read


def test_most_of_a_table_is_read_in_one_go_and_a_row_with_too_many_cells_is_not() -> None:
    plain = PlainRows("KES", "en_KE", DESTINATIONS)
    assert all(plain.read(payment(number)) for number in range(2, 500))
    line = PaymentLine(2, payment(2), {"receiver": "more cells than columns"})
    assert check_lines([line], "KES", "en_KE", DESTINATIONS) == [line]
    assert line.body == {}
