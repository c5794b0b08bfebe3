"""What a document says beside what the transaction says: no tolerance for totals, days with an allowance, names by words."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest

from dashboard.documents.comparison import DAYS, ComparedField, Expectation, FieldLabel, compared
from dashboard.documents.readings import Reading, Sureness, Value

CLAIM = Expectation("receipt", "card", "Otieno & Sons", date(2026, 11, 18), ((Decimal("1284.00"), "KES"),))


def value(text: str, sureness: Sureness = "labelled", *others: str) -> Value:
    return Value(text, sureness, 1, None, others)


def read(
    total: str = "1284.00", currency: str = "KES", day: str = "2026-11-18", name: str = "OTIENO & SONS LTD"
) -> Reading:
    return Reading(
        "text", value(name, "likely"), value(day), value(total), value(currency) if currency else None,
        value("172.14"), words=f"{name} Total",
    )  # fmt: skip


def line(label: str, reading: Reading, claim: Expectation = CLAIM) -> ComparedField:
    return next(line for line in compared(reading, claim) if line.label == label)


def test_what_is_the_same_is_the_same() -> None:
    lines = {line.label: line.state for line in compared(read(), CLAIM)}
    assert lines == {"Total": "same", "Date": "same", "Merchant": "same", "Tax": "unread"}


def test_one_digit_is_a_difference_that_must_not_be_overlooked() -> None:
    found = line("Total", read("1248.00"))
    assert found.sentence == "Total 1,248.00 on the receipt, 1,284.00 on the card"
    assert (found.state, found.red) == ("differs", True)


@pytest.mark.parametrize("total", ["1284.01", "1283.99", "1284.001", "12840", "1284.5"])
def test_a_total_has_no_tolerance(total: str) -> None:
    assert line("Total", read(total)).state == "differs"


def test_the_same_number_in_another_currency_differs() -> None:
    found = line("Total", read(currency="USD"))
    assert found.state == "differs"
    assert "USD 1,284.00 on the receipt" in found.sentence


def test_what_was_spent_in_another_currency_is_compared_in_that_one() -> None:
    claim = replace(CLAIM, amounts=((Decimal("1284.00"), "KES"), (Decimal("9.90"), "USD")))
    assert line("Total", read("9.90", "USD"), claim).state == "same"
    found = line("Total", read("9.09", "USD"), claim)
    assert found.sentence == "Total 9.09 on the receipt, 9.90 on the card"


def test_without_a_currency_the_numbers_are_compared() -> None:
    assert line("Total", read(currency="")).state == "same"
    assert line("Total", read("1248.00", currency="")).state == "differs"


def test_a_total_that_is_not_certain_is_said_and_is_not_red() -> None:
    found = line("Total", replace(read(), total=value("1248.00", "likely")))
    assert (found.state, found.red, found.note) == ("differs", False, "not certain")


def test_one_of_several_totals_is_enough_and_is_said() -> None:
    found = line("Total", replace(read(), total=value("1248.00", "likely", "1284.00")))
    assert (found.state, found.note) == ("same", "The receipt has several totals; one of them is the same")


@pytest.mark.parametrize("apart", [-DAYS - 1, -DAYS, -1, 0, 1, DAYS, DAYS + 1])
def test_a_date_is_allowed_some_days_and_says_so(apart: int) -> None:
    day = date(2026, 11, 18) + timedelta(days=apart)
    found = line("Date", read(day=day.isoformat()))
    assert found.state == ("same" if abs(apart) <= DAYS else "differs")
    assert ("allowed" in found.note) == (0 < abs(apart) <= DAYS)
    assert not found.red


def test_a_date_that_can_be_two_days_is_the_nearer_one() -> None:
    claim = replace(CLAIM, day=date(2026, 3, 4))
    assert line("Date", replace(read(), date=value("2026-04-03", "likely", "2026-03-04")), claim).state == "same"


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("OTIENO and Sons", "same"),
        ("Shell Ngong Rd Ltd", "differs"),
        ("ÒTIÉNO", "same"),
        ("Ltd and Co", "differs"),
        ("OTIENOSONS LTD", "same"),
    ],
)
def test_a_merchant_is_compared_by_the_words_of_the_name(name: str, state: str) -> None:
    found = line("Merchant", read(name=name))
    assert found.state == state
    assert not found.red


def test_a_document_that_was_not_read_claims_nothing() -> None:
    assert {line.state for line in compared(Reading(), CLAIM)} == {"unread"}


def test_two_totals_in_one_document_are_a_difference_whatever_the_card_says() -> None:
    lines = compared(replace(read(), printed_total=value("1248.00")), CLAIM)
    assert lines[-1].sentence == "Total 1,248.00 printed on the receipt, 1,284.00 in the e-invoice inside it"
    assert lines[-1].red


def test_a_credit_note_is_a_difference_of_a_bill_alone_and_each_label_has_words_for_the_line() -> None:
    note = replace(read(), is_credit_note=True)
    assert "Kind" not in {line.label for line in compared(note, CLAIM)}
    found = line("Kind", note, replace(CLAIM, side="bill"))
    assert (found.sentence, found.red) == ("The document is a credit note, not a bill", True)
    assert found.label.in_line == "credit note"
    assert all(label.in_line for label in FieldLabel)


@pytest.mark.parametrize(
    ("merchant", "printed", "state", "shown"),
    [
        # One word that both have says nothing: a town, a kind of shop, what every receipt says.
        ("Nairobi Java House", "SAROVA STANLEY\nKimathi Street, Nairobi", "differs", "SAROVA STANLEY"),
        ("Naivas Supermarket", "QUICKMART SUPERMARKET\nThank you", "differs", "QUICKMART SUPERMARKET"),
        ("Total Energies", "ASTROL PETROL\nTotal KES 1,284.00", "differs", "ASTROL PETROL"),
        ("Text Book Centre", "ARYA TRADERS\nText us your order", "differs", "ARYA TRADERS"),
        # Half of the words is not most of them.
        ("Blue Lagoon Divers", "LAGOON VIEW\nRed Sea", "differs", "LAGOON VIEW"),
        # A street of the same name as the merchant's first word.
        ("Kimathi Hotel", "SAROVA STANLEY\nKimathi Street", "differs", "SAROVA STANLEY"),
        # A name further down is a name, and it is that line which is shown.
        ("Java House", "WELCOME\nOperated by Java House Ltd\nTotal 9", "same", "Operated by Java House Ltd"),
        ("Shell Ngong Road", "SHELL KENYA", "same", "SHELL KENYA"),
        ("City Hotel", "THE CITY HOTEL", "same", "THE CITY HOTEL"),
        ("City Hotel", "CITY MARKET", "differs", "CITY MARKET"),
        # By one general word nobody can be told.
        ("Hotel", "SAROVA HOTEL", "unread", "SAROVA HOTEL"),
    ],
)
def test_a_merchant_is_the_same_only_where_most_of_what_tells_it_from_others_is_printed(
    merchant: str, printed: str, state: str, shown: str
) -> None:
    reading = replace(read(name=printed.splitlines()[0]), words=printed)
    found = line("Merchant", reading, replace(CLAIM, merchant=merchant))
    assert (found.state, found.read) == (state, shown)


def test_the_cards_own_name_is_never_shown_as_what_was_read() -> None:
    reading = replace(read(), merchant=None, words="Kimathi Street\nTotal 1,284.00")
    found = line("Merchant", reading)
    assert (found.state, found.read) == ("differs", "not found")
    assert found.sentence == "Merchant not found on the receipt, Otieno & Sons on the card"
