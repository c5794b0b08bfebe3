"""The account that a document asks to be paid on: read with its place, by words or check digits, and beside the vendor's own."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

import pytest

from dashboard.documents.comparison import ComparedField, Expectation, FieldLabel, compared
from dashboard.documents.e_invoices import read_e_invoice
from dashboard.documents.lines import plain_lines
from dashboard.documents.opening import opened
from dashboard.documents.payment_accounts import KnownAccount, known_accounts
from dashboard.documents.readings import Reading, Value
from dashboard.documents.receipt_text import read_lines
from dashboard.mirror.mappers.vendors import vendor
from dashboard.pages.bills.presenters.read_values import account_warning
from tests.dashboard.documents.papers import changed, factur_x, pdf, ubl

IBAN = "NL91ABNA0417164300"
TILL = KnownAccount("till", "2345")


def accounts(text: str) -> tuple[str, ...]:
    value = read_lines(plain_lines(text)).account
    return (value.text, *value.others) if value else ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Buy Goods Till No: 512345", ("till 512345",)),
        ("M-Pesa till 771234", ("till 771234",)),
        ("Pay via M-Pesa Paybill 400200  Account: INV-7", ("paybill 400200 INV-7",)),
        ("Paybill: 400200\nAccount No. METER-12", ("paybill 400200 METER-12",)),
        ("M-Pesa: +254 712 345 678".replace("+254 712", "+254712"), ("phone 254712345678",)),
        ("Account No: 0110 234 567", ("bank 0110234567",)),
        ("A/C No. 0110-234567 KCB Bank", ("bank 0110234567",)),
        ("IBAN NL91 ABNA 0417 1643 00 BIC ABNANL2A", (f"bank {IBAN}",)),
        (f"Pay to {IBAN}", (f"bank {IBAN}",)),
        ("Till 512345 or Paybill 400200 a/c 77", ("till 512345", "paybill 400200 77")),
        ("IBAN NL91 ABNA 0417 1643 01", ()),
        ("Tel 0712 345 678\nPIN P051234588K\nInvoice 2026118", ()),
        ("Your account of 12 March\nTotal 512345.00", ()),
    ],
)
def test_an_account_is_read_by_its_words_or_its_check_digits(text: str, expected: tuple[str, ...]) -> None:
    assert accounts(text) == expected


def test_it_stands_at_its_place_on_the_page_and_is_labelled() -> None:
    value = opened(pdf(["ACACIA LTD", ("Total", "KES 100.00"), "Till No 512345"])).reading.account
    assert value is not None
    assert (value.text, value.sureness, value.page) == ("till 512345", "labelled", 1)
    assert value.box is not None
    assert 100 < value.box.top < 140


def test_in_a_picture_it_is_likely_at_most() -> None:
    value = read_lines(plain_lines("Till No 512345"), recognised=True).account
    assert value is not None
    assert value.sureness == "likely"


MEANS = (
    "<ram:SpecifiedTradeSettlementPaymentMeans><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>{}</ram:IBANID>"
    "</ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>"
)


def with_iban(iban: str) -> bytes:
    place = b"<ram:SpecifiedTradePaymentTerms>"
    return factur_x().replace(place, MEANS.format(iban).encode() + place)


def test_an_e_invoice_names_it_exactly_and_what_its_page_says_otherwise_is_said() -> None:
    value = read_e_invoice(with_iban("NL91 ABNA 0417 1643 00"))
    assert value is not None
    assert value.account == Value(f"bank {IBAN}", "exact")
    means = b"<cac:PaymentMeans><cac:PayeeFinancialAccount><cbc:ID>0110234567</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>"
    inside = ubl()
    end = inside.rindex(b"</")
    other = read_e_invoice(inside[:end] + means + inside[end:])
    assert other is not None
    assert other.account == Value("bank 0110234567", "exact")
    page = changed(pdf(["OTIENO & SONS LTD", "Account No 0110 999 111"]), attached={"factur-x.xml": with_iban(IBAN)})
    reading = opened(page).reading
    assert reading.printed_instead("account") == "bank 0110999111"
    assert line(reading, KnownAccount("bank", "4300")).state == "differs"


def line(reading: Reading, *known: KnownAccount) -> ComparedField:
    amounts = ((Decimal(100), "KES"),)
    claim = Expectation("document", "bill", "Acacia", date(2026, 11, 18), amounts, accounts=known)
    return next(found for found in compared(reading, claim) if found.label == FieldLabel.ACCOUNT)


def read(text: str) -> Reading:
    return read_lines(plain_lines(text))


def test_another_account_than_the_vendors_must_not_be_overlooked_and_stands_there_by_its_last_characters() -> None:
    found = line(read("Till No 519911"), TILL)
    assert (found.state, found.red) == ("differs", True)
    assert found.sentence == "Account M-Pesa till ···9911 on the document, M-Pesa till ···2345 on the vendor's record"
    assert "519911" not in str(found)


def test_one_of_several_is_enough_and_the_others_are_named() -> None:
    found = line(read("Till 512345\nor Account No: 0110 999 111"), TILL)
    assert (found.state, found.sentence) == ("same", "Not on the vendor's record: Bank account ···9111")
    assert found.note == found.sentence
    warning = account_warning(found)
    assert warning.startswith(
        "Not on the vendor's record: Bank account ···9111. A changed account is how payments are diverted"
    )
    both = line(read("Till 512345 or Paybill 400200 a/c 77"), TILL, KnownAccount("paybill", "0200", "77"))
    assert (both.state, both.sentence, both.note) == ("same", "", "")
    assert account_warning(both) == ""


PAYBILL = "Paybill 247247 Account: {}"


def test_another_account_at_a_shared_paybill_differs_by_its_last_characters() -> None:
    rows = [{"channel": "MPESA_PAYBILL", "last": "7247", "reference": "4567", "status": "ACTIVE"}]
    found = line(read(PAYBILL.format("0110999111")), *known_accounts(rows))
    assert (found.state, found.red) == ("differs", True)
    assert found.sentence == (
        "Account M-Pesa paybill ···7247 (account ···9111) on the document, "
        "M-Pesa paybill ···7247 (account ···4567) on the vendor's record"
    )
    for written in ("0110234567", "0110-234567"):
        same = line(read(PAYBILL.format(written)), *known_accounts(rows))
        assert (same.state, same.note, account_warning(same)) == ("same", "", "")


def test_where_one_side_has_no_account_at_the_paybill_that_is_said() -> None:
    rows = [{"channel": "MPESA_PAYBILL", "last": "7247", "status": "ACTIVE"}]
    known = known_accounts([rows[0] | {"reference": "4567"}])
    for found in (
        line(read(PAYBILL.format("0110999111")), *known_accounts(rows)),
        line(read("Paybill 247247"), *known),
    ):
        assert (found.state, found.note) == ("same", "The account at the paybill is not compared")
        assert account_warning(found) == ""


def test_of_a_paybill_the_copy_has_the_end_of_the_account_there_and_of_no_other_account() -> None:
    accounts = [
        {
            "_id": "1",
            "channel": "MPESA_PAYBILL",
            "account": "247247",
            "account_reference": "0110-23-45-67",
            "status": "ACTIVE",
        },
        {
            "_id": "2",
            "channel": "BANK_EFT",
            "account": "0110234567",
            "account_reference": "October",
            "status": "ACTIVE",
        },
    ]
    rows = json.loads(vendor({"name": "Acacia", "payment_instructions": accounts}, "en_KE").instructions)
    assert [(row["last"], row["reference"]) for row in rows] == [("7247", "4567"), ("4567", "")]
    assert known_accounts(rows) == (KnownAccount("paybill", "7247", "4567"), KnownAccount("bank", "4567"))


def test_an_account_that_the_page_alone_names_is_compared_where_the_e_invoice_names_none() -> None:
    page = pdf(["OTIENO & SONS LTD", "Account No 0110 999 111"])
    reading = opened(changed(page, attached={"factur-x.xml": factur_x()})).reading
    assert reading.source == "e-invoice"
    assert reading.account is not None
    assert (reading.account.text, reading.account.sureness, reading.account.page) == ("bank 0110999111", "labelled", 1)
    assert line(reading, KnownAccount("bank", "4300")).state == "differs"


def test_the_same_number_of_another_sort_is_none() -> None:
    assert line(read("Till 512345"), KnownAccount("paybill", "2345"), TILL).state == "same"
    assert line(read("Till 512345"), KnownAccount("bank", "2345")).state == "differs"


def test_of_a_vendor_without_an_account_nothing_is_claimed_and_without_a_vendor_nothing_is_said() -> None:
    assert line(read("Till 512345")).state == "unread"
    claim = Expectation("document", "bill", "Acacia", None, ((Decimal(100), "KES"),))
    assert FieldLabel.ACCOUNT not in [found.label for found in compared(read("Till 512345"), claim)]


def test_what_waits_for_confirmation_is_none_of_the_vendors_accounts() -> None:
    rows = [
        {"channel": "MPESA_TILL", "last": "2345", "status": "ACTIVE"},
        {"channel": "MPESA_TILL", "last": "9911", "status": "QUARANTINED"},
        {"channel": "WALLET", "last": "1111", "status": "ACTIVE"},
    ]
    assert known_accounts(rows) == (TILL,)
