"""What a dropped file fills in of a bill: each value with where it was read, and nothing that was typed is lost."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_entry import ONE_LINE, drop, enter, hint, value, vendor
from tests.dashboard.conftest import World
from tests.dashboard.documents.papers import INVOICE, LINES, changed, factur_x, pdf

__all__ = ["vendor"]


def test_a_dropped_pdf_fills_the_form_and_each_value_says_where_it_was_read(world: World, vendor: Any) -> None:
    shown = drop(world, pdf(INVOICE)).content.decode()
    assert f'value="{vendor["_id"]}" selected' in shown
    assert (value(shown, "bill_no"), value(shown, "issued_at"), value(shown, "due_at")) == (
        "2291",
        "2026-11-18",
        "2026-12-21",
    )
    assert (value(shown, "line-0-unit_price"), value(shown, "line-0-tax_rate")) == ("1075.86", "16")
    assert "not certain" in hint(shown, "bill_no")
    assert "beside its label on page 1" in hint(shown, "issued_at")
    assert "OTIENO" in hint(shown, "vendor_id")
    assert "Total 1248.00" in hint(shown, "line-0-unit_price")
    file_id = value(shown, "file_id")
    answer = enter(world, vendor, bill_no="2291", file_id=file_id)
    bill = world.upstream(f"/bills/{answer['Location'].rstrip('/').rpartition('/')[2]}")
    assert [file["_id"] for file in bill["attachments"]] == [file_id]
    assert bill["attachments"][0]["file_name"] == "bill.pdf"


def test_what_an_e_invoice_says_is_certain_and_a_page_that_says_otherwise_is_named(world: World, vendor: Any) -> None:
    whole = changed(pdf([*INVOICE[:6], ("Total", "KES 1,284.00")]), attached={"factur-x.xml": factur_x()})
    shown = drop(world, whole).content.decode()
    note = hint(shown, "line-0-unit_price")
    assert "Read from the e-invoice" in note
    assert "The page itself says 1284.00: the two differ." in note


def test_the_number_and_the_day_due_of_an_e_invoice_are_certain_and_others_on_the_page_are_said(
    world: World, vendor: Any
) -> None:
    silent = changed(pdf(["OTIENO & SONS LTD", "See the attached invoice"]), attached={"factur-x.xml": factur_x()})
    other = changed(pdf([*INVOICE[:1], "Tax Invoice 4711"]), attached={"factur-x.xml": factur_x()})
    for content, more in ((silent, ""), (other, " It could also be 4711. Check it.")):
        shown = drop(world, content).content.decode()
        assert (value(shown, "bill_no"), value(shown, "due_at")) == ("2291", "2026-12-21")
        assert hint(shown, "bill_no") == f"Read from the e-invoice inside the file.{more}"
        assert hint(shown, "due_at") == "Read from the e-invoice inside the file."


def test_the_number_and_the_day_due_that_a_text_says_have_their_place_on_the_page(world: World, vendor: Any) -> None:
    shown = drop(world, pdf(INVOICE)).content.decode()
    assert (value(shown, "bill_no"), value(shown, "due_at")) == ("2291", "2026-12-21")
    for name in ("bill_no", "due_at"):
        assert hint(shown, name).startswith("Read, but not certain on page 1."), name
    for text in ("2291", "2026-12-21"):
        assert re.search(rf'data-find-page="1"[^>]*>{text}<', shown), text


def test_the_lines_of_an_e_invoice_are_the_bills_where_they_come_to_its_total(world: World, vendor: Any) -> None:
    printed = pdf([*INVOICE[:4], ("Paper A4, box", "550.00"), ("Toner for C-20", "525.86"), *INVOICE[4:]])
    shown = drop(world, changed(printed, attached={"factur-x.xml": factur_x(lines=LINES)})).content.decode()
    read = [
        tuple(value(shown, f"line-{place}-{name}") for name in ("description", "quantity", "unit_price", "tax_rate"))
        for place in (0, 1)
    ]
    assert read == [("Paper A4, box", "10", "55.00", "16"), ("Toner for C-20", "1", "525.86", "16")]
    assert hint(shown, "line-0-description") == "Line 1 of the e-invoice inside the file, on page 1."
    assert "Its lines come to it with their tax." in hint(shown, "line-0-unit_price")
    assert "Page 1 says the same." in hint(shown, "line-0-unit_price")
    # Beside the document each line leads to its place.
    assert re.search(r'data-find-page="1"[^>]*>Toner for C-20: 525.86</button>', shown)
    lines = {
        f"line-{place}-{name}": value(shown, f"line-{place}-{name}")
        for place in (0, 1)
        for name in ("description", "quantity", "unit_price", "tax_rate")
    }
    answer = enter(world, vendor, bill_no="2291", file_id=value(shown, "file_id"), **lines, **{"line-TOTAL_FORMS": "2"})
    bill = world.upstream(f"/bills/{answer['Location'].rstrip('/').rpartition('/')[2]}")
    assert (bill["total_minor"], len(bill["line_items"])) == (124_800, 2)


def test_lines_that_do_not_come_to_the_total_are_said_and_not_taken_over(world: World, vendor: Any) -> None:
    short = changed(pdf(INVOICE), attached={"factur-x.xml": factur_x(lines=LINES[:1])})
    shown = drop(world, short).content.decode()
    assert value(shown, "line-0-unit_price") == "1075.86"
    note = hint(shown, "line-0-unit_price").replace("\xa0", " ")
    assert "Its 1 line comes to KES 638.00 with tax, not to its total: not taken over." in note


def test_a_vendor_beyond_those_that_are_listed_is_found_and_read_by_its_name(
    world: World, vendor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.vendor(world, "Acacia Supplies")
    upstream.vendor(world, "Baobab Print")
    world.sync("vendors", "bills_whole", "approvals")
    monkeypatch.setattr("dashboard.pages.bills.selectors.entry.MAX_VENDORS", 2)
    shown = upstream.page(world, "Ada", "bills/new/")
    assert vendor["_id"] not in shown
    assert "Not all vendors are listed" in shown
    found = enter(world, {"_id": ""}, find_vendor="1", vendor_term="otieno", memo="Kept as typed").content.decode()
    assert vendor["_id"] in found
    assert "Baobab Print" not in found
    assert "Kept as typed" in found
    assert f'value="{vendor["_id"]}" selected' in drop(world, pdf(INVOICE)).content.decode()
    assert f'value="{vendor["_id"]}" selected' in upstream.page(world, "Ada", f"bills/new/?vendor={vendor['_id']}")
    assert enter(world, vendor, memo="x").status_code == 302


def test_a_credit_note_is_no_bill_and_leads_to_the_bill_that_it_corrects(world: World, vendor: Any) -> None:
    enter(world, vendor, bill_no="INV-7", issued_at="2026-11-01")
    row = upstream.copied(world, "INV-7")
    settled = b"<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>INV-7</ram:IssuerAssignedID></ram:InvoiceReferencedDocument>"
    xml = factur_x("174.00").replace(b"<ram:ID>2291</ram:ID>", b"<ram:ID>CN-9</ram:ID><ram:TypeCode>381</ram:TypeCode>")
    xml = xml.replace(b"<ram:SpecifiedTradePaymentTerms>", settled + b"<ram:SpecifiedTradePaymentTerms>")
    shown = drop(world, changed(pdf(["OTIENO & SONS LTD"]), attached={"factur-x.xml": xml})).content.decode()
    assert "This file is a credit note" in shown
    assert value(shown, "line-0-unit_price") == value(shown, "bill_no") == ""
    leads = re.search(rf'href="([^"]*bills/{row.remote_id}/credit/[^"]*)"', shown)
    assert leads is not None
    form = world.client("Ada").get(leads[1].replace("&amp;", "&")).content.decode()
    assert [value(form, name) for name in ("credit_no", "issued_at", "amount")] == ["CN-9", "2026-11-18", "174.00"]
    refused = enter(world, vendor, bill_no="CN-9", file_id=value(shown, "file_id"))
    assert refused.status_code == 422
    assert "It is not entered as a bill." in refused.content.decode()
    assert len(world.upstream("/bills")["docs"]) == 1


def test_what_was_paid_in_advance_is_said_beside_the_total(world: World, vendor: Any) -> None:
    due = b"<ram:DuePayableAmount>1248.00</ram:DuePayableAmount>"
    xml = factur_x().replace(due, b"<ram:DuePayableAmount>1048.00</ram:DuePayableAmount>")
    shown = drop(world, changed(pdf(["OTIENO & SONS LTD"]), attached={"factur-x.xml": xml})).content.decode()
    assert "Of it 200.00 was paid in advance, so 1048.00 is left to pay" in hint(shown, "line-0-unit_price")


def test_what_was_typed_before_a_file_is_read_stays_and_what_the_file_says_else_is_said(
    world: World, vendor: Any
) -> None:
    file = SimpleUploadedFile("bill.pdf", pdf(INVOICE), "application/pdf")
    typed = {"bill_no": "INV-TYPED", "memo": "Kept as typed", "issued_at": "", "vendor_id": "", **ONE_LINE}
    answer = world.client("Ada").post(world.address("bills/new/file/"), {**typed, "file": file})
    shown = answer.content.decode()
    assert (value(shown, "bill_no"), value(shown, "issued_at")) == ("INV-TYPED", "2026-11-18")
    assert hint(shown, "bill_no") == "The file says 2291. What you entered was kept."
    assert "Kept as typed" in shown
    assert value(shown, "line-0-unit_price") == "1,000"
    assert "What you entered was kept." in hint(shown, "line-0-unit_price")
    assert enter(world, vendor, bill_no="INV-TYPED", file_id=value(shown, "file_id")).status_code == 302
    refused = world.client("Ada").post(world.address("bills/new/file/"), typed).content.decode()
    assert "Choose a file." in refused
    assert value(refused, "bill_no") == "INV-TYPED"


def test_a_file_alone_leads_to_an_address_that_can_be_loaded_again(world: World, vendor: Any) -> None:
    """The page sends by itself that it listed the taxes: that is not typed."""
    file = SimpleUploadedFile("bill.pdf", pdf(INVOICE), "application/pdf")
    alone = {"lists_taxes": "1", "file_id": "", "vendor_id": "", "line-TOTAL_FORMS": "1", "line-0-description": ""}
    answer = world.client("Ada").post(world.address("bills/new/file/"), {**alone, "file": file})
    assert answer.status_code == 302
    assert "?file=" in answer["Location"]
    file.seek(0)
    described = {**alone, "line-0-description": "Tyres of the van"}
    answer = world.client("Ada").post(world.address("bills/new/file/"), {**described, "file": file})
    assert answer.status_code == 200
    assert value(answer.content.decode(), "line-0-description") == "Tyres of the van"


def test_a_vendor_that_is_not_known_is_named_and_not_guessed(world: World) -> None:
    upstream.vendor(world, "Otieno Brothers")
    world.sync("vendors", "bills_whole", "approvals")
    shown = drop(world, pdf(INVOICE)).content.decode()
    assert "no vendor has this name" in hint(shown, "vendor_id")
    assert not re.search(r'<option value="[0-9a-f]{24}" selected', shown)


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"", "empty"), (b"GIF89a", "no PDF, PNG or JPEG"), (b"%PDF-" + bytes(10 * 1024 * 1024), "larger than 10 MB")],
)
def test_a_file_that_is_none_is_refused_at_its_field(world: World, content: bytes, problem: str) -> None:
    answer = drop(world, content)
    assert answer.status_code == 422
    assert problem in answer.content.decode()


def test_a_damaged_pdf_is_refused_at_its_field_in_the_words_of_the_service(world: World) -> None:
    answer = drop(world, b"%PDF-1.7\nnothing")
    assert answer.status_code == 422
    assert "Send a PDF" in answer.content.decode()
