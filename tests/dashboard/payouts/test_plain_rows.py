"""A row that is read in one go, or found right with all others of its table, is what the same row is cell by cell; whatever is not
beyond doubt is left to that."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.pages.payouts.services import lines as services
from dashboard.pages.payouts.services.lines import FIELDS, PaymentLine, TableLines, check_lines
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
    "currency": ["", "KES", "kes", "USD", "€"],
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


def by_the_definition(heading: list[str], cells: list[list[str]], currency: str, locale: str) -> list[PaymentLine]:
    """Each row by itself and cell by cell, as it was before any was looked at with others."""
    lines = []
    for number, row in enumerate(cells[1:], 2):
        line = PaymentLine(number, {name: cell.strip() for name, cell in zip(heading, row, strict=False) if name})
        if any(cell.strip() for cell in row[len(heading) :]):
            line.problems["receiver"] = "more cells than columns"
        services._check(line, currency, locale, DESTINATIONS)
        lines.append(line)
    return lines


ODD = st.sampled_from(["\x1f", "a\x1fb", "two\nlines", " 12 ", "O'Brien", "Ω", "\x00", "a|b", "(", "1", "0"])
LATER = st.lists(st.tuples(st.sampled_from(FIELDS), st.integers(0, 40)), max_size=2)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """A table: most rows right, the columns in any order, some of them missing or not ours, rows too short or too long."""
    missing = draw(st.sets(st.sampled_from(["bank", "reference", "note", "currency"])))
    heading = draw(
        st.permutations([name for name in FIELDS if name not in missing] + draw(st.sampled_from([[], [""]])))
    )
    rows = []
    for number in range(2, 2 + draw(st.integers(1, 12))):
        row = (
            payment(number)
            | (RTGS if draw(st.booleans()) else {})
            | {"": "anything", "currency": draw(st.sampled_from(["", "KES"]))}
        )
        for name, place in draw(LATER):
            row[name] = CELLS[name][place % len(CELLS[name])]
        if draw(st.integers(0, 9)) == 0:
            row[draw(st.sampled_from(FIELDS))] = draw(ODD)
        cells = [row[name] for name in heading]
        length = draw(st.sampled_from([len(cells)] * 9 + [len(cells) - 1, 1, len(cells) + 1]))
        rows.append([*cells, draw(st.sampled_from(["", "more"]))][:length])
    return list(heading), [list(heading), *rows]


@given(
    table=tables(),
    currency=st.sampled_from(["KES", "KES", "USD", "UGX"]),
    locale=st.sampled_from(["en_KE", "en_KE", "de_DE"]),
)
@settings(max_examples=400)
def test_a_table_looked_at_at_once_has_the_errors_and_payments_that_its_rows_have_one_by_one(
    table: tuple[list[str], list[list[str]]], currency: str, locale: str
) -> None:
    heading, cells = table
    expected = by_the_definition(heading, cells, currency, locale)
    lines = TableLines(heading, cells, range(1, len(cells)))
    wrong = check_lines(lines, currency, locale, DESTINATIONS)
    assert {line.number: line.problems for line in wrong} == {
        line.number: line.problems for line in expected if line.problems
    }
    for line, by_itself in zip(lines, expected, strict=True):
        assert (line.number, line.values, line.problems) == (by_itself.number, by_itself.values, by_itself.problems)
        if not line.problems:
            assert (line.body, line.amount_minor) == (by_itself.body, by_itself.amount_minor)


def test_of_a_large_table_none_but_the_rows_in_doubt_is_looked_at_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    heading, looked = list(FIELDS), list[int]()
    rows = [[payment(number).get(name, "") for name in heading] for number in range(2, 502)]
    rows[77][heading.index("amount")] = "plenty"
    real = services._check
    monkeypatch.setattr(services, "_check", lambda line, *rest: (looked.append(line.number), real(line, *rest)))
    lines = TableLines(heading, [heading, *rows], range(1, 501))
    assert [line.number for line in check_lines(lines, "KES", "en_KE", DESTINATIONS)] == [79]
    assert looked == [79]
    assert len(lines._by_place) == 1
    # Corrected on the page, it is looked at again; all others are what they were.
    lines = services.with_corrections(TableLines(heading, [heading, *rows], range(1, 501)), {"cell-79-amount": "12.50"})
    assert check_lines(lines, "KES", "en_KE", DESTINATIONS) == []
    assert (lines[77].amount_minor, lines[0].body["receiver_name"], len(lines)) == (1250, "Person 2", 500)


def test_a_row_that_was_found_right_and_cannot_be_read_is_never_left_out_in_silence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = TableLines(list(FIELDS), [list(FIELDS), ["Jane", "no channel", "0712345678", "", "", "100", ""]], [1])
    monkeypatch.setattr(PlainRows, "in_doubt", lambda *_: [])
    assert check_lines(lines, "KES", "en_KE", DESTINATIONS) == []
    with pytest.raises(RuntimeError, match="row 2 was found right"):
        list(lines)


def test_without_a_column_of_channels_each_row_says_that_it_misses_one() -> None:
    lines = TableLines(["receiver", "amount"], [["receiver", "amount"], ["Jane", "100"]], [1])
    [line] = check_lines(lines, "KES", "en_KE", DESTINATIONS)
    assert line.problems["channel"] == "missing"
