"""What a document says: total, date, merchant and tax by their labels, in whatever way people write numbers and dates."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import date
from decimal import Decimal

import pytest

from dashboard.documents import recognition
from dashboard.documents.amounts import amount_of, amounts_in, currencies_in, dates_in
from dashboard.documents.bill_fields import credit_note_in, prepaid_in
from dashboard.documents.e_invoices import read_e_invoice
from dashboard.documents.lines import plain_lines
from dashboard.documents.opening import opened
from dashboard.documents.readings import Opened, Reading
from dashboard.documents.receipt_text import read_lines
from dashboard.documents.viewers import _why_unread
from dashboard.pages.bills.presenters.invoice_lines import offered_lines
from tests.dashboard.documents import papers


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("1,284.00", "1284.00"), ("1.284,00", "1284.00"), ("1 284,00", "1284.00"), ("1'284.50", "1284.50"),
        ("1,284", "1284"), ("1.284", "1284"), ("12,5", "12.5"), ("0.125", "0.125"), ("1,234,567.89", "1234567.89"),
        ("1.234.567", "1234567"), ("-12.00", "-12.00"), ("12", "12"),
    ],
)  # fmt: skip
def test_a_number_is_read_whichever_mark_stands_before_its_decimals(written: str, amount: str) -> None:
    assert amount_of(written) == Decimal(amount)
    assert amounts_in(f"Total KES {written}") == [Decimal(amount)]


@pytest.mark.parametrize("line", ["VAT 16%", "Date 18/11/2026", "18 Nov 2026", "PIN P051234588K", "Tel +254-700-123"])
def test_percentages_dates_and_numbers_within_words_are_no_amounts(line: str) -> None:
    assert amounts_in(line) in ([], [Decimal("254")], [Decimal("-700"), Decimal("-123")])


@pytest.mark.parametrize(
    ("written", "days"),
    [
        ("2026-11-18", ["2026-11-18"]), ("18.11.2026", ["2026-11-18"]), ("11/18/2026", ["2026-11-18"]),
        ("3/4/2026", ["2026-04-03", "2026-03-04"]), ("18 Nov 2026", ["2026-11-18"]), ("18th November 2026", ["2026-11-18"]),
        ("November 18, 2026", ["2026-11-18"]), ("18-Nov-26", ["2026-11-18"]), ("31.02.2026", []),
    ],
)  # fmt: skip
def test_a_date_is_read_and_an_ambiguous_one_is_both(written: str, days: list[str]) -> None:
    found = dates_in(f"Date: {written}")
    assert [day.isoformat() for each in found for day in each] == days


def test_currencies_are_read_by_code_sign_and_word_and_a_dollar_sign_alone_is_none() -> None:
    assert currencies_in("Total KES 12") == ["KES"]
    assert currencies_in("KSh 1,200/=") == ["KES"]
    assert currencies_in("€ 12") == ["EUR"]
    assert currencies_in("$ 12, VAT TOTAL") == []


def test_an_invoice_is_read_with_where_each_value_stands() -> None:
    reading = opened(papers.pdf(papers.INVOICE)).reading
    assert reading.source == "text"
    values = (reading.merchant, reading.date, reading.total, reading.currency, reading.tax)
    assert [value and value.text for value in values] == ["OTIENO & SONS LTD", "2026-11-18", "1248.00", "KES", "172.14"]
    assert [value and value.sureness for value in values] == ["likely", "labelled", "labelled", "labelled", "labelled"]
    assert reading.total is not None
    assert reading.merchant is not None
    assert reading.total.page == 1
    assert reading.total.box is not None
    assert reading.merchant.box is not None
    assert 0 < reading.merchant.box.top < reading.total.box.top < 1000
    assert Opened.of(opened(papers.pdf(papers.INVOICE)).as_data()).reading == reading


@pytest.mark.parametrize(
    ("lines", "total"),
    [
        ("Subtotal 100.00\nVAT 16.00\nTotal 116.00", "116.00"),
        ("Total items 3\nTotal 116.00", "116.00"),
        ("Total 100.00\nGrand total 116.00\nTotal paid 120.00", "116.00"),
        ("TOTAL\n116.00", "116.00"),
        ("Gesamtbetrag 1.160,00 EUR", "1160.00"),
        ("Total TTC 1 160,00 EUR", "1160.00"),
        ("Amount due: KES 116.00 by 21 Dec 2026", "116.00"),
        ("Total discount 4.00", None),
        ("Totally free 3.00", None),
    ],
)
def test_the_total_is_what_was_to_be_paid(lines: str, total: str | None) -> None:
    value = read_lines(plain_lines(lines)).total
    assert (value.text if value else None) == total


def test_two_totals_that_differ_are_not_certain() -> None:
    value = read_lines(plain_lines("Total 116.00\nTotal 216.00")).total
    assert value is not None
    assert (value.text, value.sureness, value.others) == ("216.00", "likely", ("116.00",))


def test_the_date_due_is_not_the_date() -> None:
    value = read_lines(plain_lines("Due date 21 Dec 2026\nInvoice date 18 Nov 2026")).date
    assert value is not None
    assert value.days == (date(2026, 11, 18),)


def test_a_credit_note_is_told_from_a_bill_and_what_was_paid_in_advance_from_the_total() -> None:
    reference = b"<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>INV-7</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>"
    credit = papers.ubl().replace(b"<Invoice ", b"<CreditNote ").replace(b"</Invoice>", b"</CreditNote>")
    credit = credit.replace(b"<cac:AccountingSupplierParty>", reference + b"<cac:AccountingSupplierParty>", 1)
    reading = read_e_invoice(credit)
    assert reading is not None
    assert (credit_note_in(reading), reading.corrects and reading.corrects.text) == ("exact", "INV-7")
    assert Reading.of(asdict(reading)) == reading
    typed = read_e_invoice(papers.factur_x().replace(b"<ram:ID>2291</ram:ID>", b"<ram:TypeCode>381</ram:TypeCode>"))
    assert typed is not None
    assert typed.is_credit_note
    bill = read_e_invoice(papers.factur_x().replace(b"<ram:DuePayableAmount>1248.00", b"<ram:DuePayableAmount>1048.00"))
    assert bill is not None
    assert (credit_note_in(bill), prepaid_in(bill)) == (None, Decimal(200))
    printed = opened(papers.pdf(["OTIENO & SONS LTD", "Credit note 9", ("Total", "KES 12.00")])).reading
    assert credit_note_in(printed) == "likely"


@pytest.mark.parametrize("xml", [papers.factur_x(), papers.ubl()], ids=["factur-x", "ubl"])
def test_an_e_invoice_is_read_exactly(xml: bytes) -> None:
    reading = read_e_invoice(xml)
    assert reading is not None
    values = (reading.merchant, reading.date, reading.total, reading.currency, reading.tax)
    assert [value and value.text for value in values] == [
        "Otieno & Sons Ltd", "2026-11-18", "1248.00", "KES", "172.14",
    ]  # fmt: skip
    assert {value.sureness for value in values if value} == {"exact"}
    found = opened(xml)
    assert (found.kind, found.problem, found.reading) == ("xml", "kind", reading)


def test_factur_x_inside_a_pdf_is_read_before_its_text() -> None:
    plain = papers.pdf(["OTIENO & SONS LTD", "See the attached invoice"])
    reading = opened(papers.changed(plain, attached={"factur-x.xml": papers.factur_x()})).reading
    assert reading.source == "e-invoice"
    assert reading.total is not None
    assert (reading.total.text, reading.total.sureness, reading.printed_total) == ("1248.00", "exact", None)


def test_an_e_invoice_that_says_another_sum_than_the_page_is_said() -> None:
    both = papers.changed(papers.pdf(papers.INVOICE), attached={"factur-x.xml": papers.factur_x("1284.00")})
    reading = opened(both).reading
    assert reading.total is not None
    assert reading.printed_total is not None
    assert (reading.total.text, reading.printed_total.text) == ("1284.00", "1248.00")


EXTERNAL = '<!DOCTYPE x [<!ENTITY inside SYSTEM "file:///etc/passwd">]>'
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY inside "&b;&b;&b;&b;">]>'
REMOTE = '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">'


@pytest.mark.parametrize("head", [EXTERNAL, LAUGHS, REMOTE], ids=["external", "laughs", "remote"])
def test_entities_and_document_types_are_refused(head: str) -> None:
    seller = "Shell" if head == REMOTE else "&inside;"
    assert read_e_invoice(papers.ubl(seller=seller, head=head)) is None
    both = papers.changed(papers.pdf(papers.INVOICE), attached={"factur-x.xml": papers.ubl(seller=seller, head=head)})
    reading = opened(both).reading
    assert reading.source == "text"
    assert "root:" not in reading.words


@pytest.mark.parametrize("total", ["NaN", "Infinity", "1e999", "12,00", "", "9" * 30])
def test_an_e_invoice_with_no_number_for_its_total_has_none(total: str) -> None:
    reading = read_e_invoice(papers.ubl(total))
    assert reading is not None
    assert reading.total is None


@pytest.mark.parametrize(("pages", "sentence"), [(1, ""), (3, "Only the first of 3 pages was read.")])
def test_of_a_scan_of_several_pages_it_is_said_that_the_first_was_read(pages: int, sentence: str) -> None:
    scan = Opened("pdf", pages, ((595, 842),) * pages, Reading("recognised"))
    assert _why_unread(scan) == sentence
    assert _why_unread(replace(scan, reading=Reading("text"))) == ""


def test_a_picture_is_read_where_tesseract_is_and_nothing_is_claimed_where_it_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = papers.photograph(["SHELL NGONG ROAD", "Date 18.11.2026", "TOTAL KES 1,248.00"])
    if recognition.tesseract():
        reading = opened(content).reading
        assert reading.source == "recognised"
        assert reading.total is not None
        assert (reading.total.text, reading.total.sureness) == ("1248.00", "likely")
    monkeypatch.setattr(recognition, "tesseract", lambda: None)
    monkeypatch.setattr("dashboard.documents.opening.tesseract", lambda: None)
    assert opened(content).reading == Reading()


def test_recognition_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "tesseract", lambda: "/bin/sleep")
    monkeypatch.setattr(recognition.limits, "RECOGNITION_SECONDS", 0.01)
    assert recognition.recognise(papers.photograph(["TOTAL 12.00"])) == Reading()


@pytest.mark.parametrize("text", ["9" * 60_000, "1," * 30_000, "total " * 10_000, " " * 60_000, "12.12.12." * 7000])
def test_no_text_takes_long_to_read(text: str) -> None:
    read_lines(plain_lines(text))
    read_lines(plain_lines("\n".join(text[start : start + 390] for start in range(0, len(text), 390))))


@pytest.mark.parametrize("write", [papers.factur_x, papers.ubl])
def test_the_lines_of_an_e_invoice_are_read_all_or_none(write: Callable[..., bytes]) -> None:
    reading = read_e_invoice(write(lines=papers.LINES))
    assert reading is not None
    assert [(line.description, line.quantity, line.unit_price, line.net, line.tax_rate) for line in reading.lines] == [
        *papers.LINES
    ]
    whole = Opened("xml", reading=reading)
    assert Opened.of(json.loads(json.dumps(whole.as_data()))).reading == reading
    for odd in (("Paper", "ten", "55.00", "550.00", "16"), ("Paper", "10", "55.00", "", "16")):
        broken = read_e_invoice(write(lines=[*papers.LINES, odd]))
        assert broken is not None
        assert broken.lines == ()
        assert broken.total == reading.total


def test_what_the_page_says_too_has_its_place_and_what_stands_there_twice_has_none() -> None:
    rows = [("Paper A4, box", "550.00"), ("Toner for C-20", "525.86"), ("Toner for C-20", "again")]
    page = papers.pdf([*papers.INVOICE[:4], *rows, *papers.INVOICE[4:]])
    reading = opened(papers.changed(page, attached={"factur-x.xml": papers.factur_x(lines=papers.LINES)})).reading
    values = (reading.total, reading.date, reading.tax, reading.merchant, reading.number)
    assert [value and (value.sureness, value.page, value.box is not None) for value in values] == [
        ("exact", 1, True)
    ] * 5
    assert [(line.page, line.box is not None) for line in reading.lines] == [(1, True), (0, False)]


@pytest.mark.parametrize(
    ("lines", "offered", "refusal"),
    [
        (papers.LINES, 2, ""),
        ((), 0, ""),
        # What is given for ten, or has a price that does not come to its amount, is taken by its amount.
        ((("Paper", "3", "358.62", "1075.86", "16"),), 1, ""),
        ((("Paper", "3", "358.619", "1075.86", "16"),), 1, ""),
        ((("Paper", "1", "1075.85", "1075.85", "16"),), 0, "to KES 1,247.99 with tax"),
        ((*papers.LINES, ("Discount", "1", "-10", "-10", "0")), 0, "does not take"),
        ((("Paper", "1", "1075.86", "1075.86", "16"),) * 201, 0, "more than a bill takes"),
    ],
)  # fmt: skip
def test_lines_are_offered_where_they_come_to_the_total_to_the_cent(
    lines: tuple[tuple[str, str, str, str, str], ...], offered: int, refusal: str
) -> None:
    reading = read_e_invoice(papers.factur_x(lines=lines))
    assert reading is not None
    result = offered_lines(reading, "en_KE")
    assert len(result.lines) == offered
    assert refusal in result.refusal.replace("\xa0", " ")
    assert bool(refusal) == bool(result.refusal)
