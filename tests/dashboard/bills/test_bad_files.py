"""Files that are bad, dropped for a bill: each ends in a sentence at its place, nothing is taken from them in silence, and a bill
can be entered beside what is kept."""

import html
import re
from typing import Any

import pytest

from dashboard.documents.readings import PROBLEMS, UNREAD
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_entry import drop, enter, hint, value
from tests.dashboard.conftest import World
from tests.dashboard.documents.papers import INVOICE, changed, content_bomb, factur_x, pdf, picture_bomb, ubl

# What a page says by its e-invoice, and what the e-invoice says instead.
OTHERWISE = {
    b"<ram:InvoiceCurrencyCode>KES": b"<ram:InvoiceCurrencyCode>USD", b"20261118": b"20261019",
    b"Otieno &amp; Sons Ltd": b"Baraka Traders Ltd", b">172.14<": b">100.00<",
}  # fmt: skip
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY inside "&b;&b;&b;&b;">]>'


@pytest.fixture
def vendor(world: World) -> Any:
    created = upstream.vendor(world, "Otieno & Sons Ltd")
    world.sync()
    return created


def at_file(answer: Any) -> str:
    """The error at the field of the file."""
    found = re.search(r'id="id_file_error">(.*?)</span>', answer.content.decode(), re.DOTALL)
    return html.unescape(found[1]).strip() if found else ""


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (changed(pdf(INVOICE), password="let me in"), "An encrypted file cannot be read by those who check it."),
        (pdf(INVOICE)[:200], "Send a PDF"),
    ],
    ids=["encrypted", "half"],
)
def test_what_the_service_does_not_take_is_refused_at_its_field(world: World, content: bytes, problem: str) -> None:
    answer = drop(world, content)
    assert answer.status_code == 422
    assert problem in at_file(answer)
    assert not world.upstream("/bills")["docs"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [(picture_bomb(10_000), "pixels"), (content_bomb(), "costly")],
    ids=["100 megapixels", "content bomb"],
)
def test_what_cannot_be_opened_says_so_reads_nothing_and_is_attached_to_what_is_typed(
    world: World, vendor: Any, content: bytes, problem: str
) -> None:
    shown = drop(world, content).content.decode()
    assert PROBLEMS[problem] in shown
    assert (value(shown, "bill_no"), value(shown, "line-0-unit_price")) == ("", "")
    assert enter(world, vendor, file_id=value(shown, "file_id")).status_code == 302
    assert len(world.upstream("/bills")["docs"][0]["attachments"]) == 1


def test_of_three_hundred_pages_it_is_said_which_are_shown_and_the_sum_of_the_last_is_not_certain(world: World) -> None:
    many = pdf(*[[f"Page {number}", ("Total", f"KES {number}.00")] for number in range(1, 301)])
    shown = drop(world, many).content.decode()
    assert "300 pages; the first 50 are shown." in shown
    assert "Read, but not certain on page 300." in hint(shown, "line-0-unit_price")


def test_entities_in_an_e_invoice_are_not_read_and_the_page_is(world: World, vendor: Any) -> None:
    bomb = ubl("9999.00", seller="&inside;", head=LAUGHS)
    shown = drop(world, changed(pdf(INVOICE), attached={"factur-x.xml": bomb})).content.decode()
    assert "Read beside its label on page 1." in hint(shown, "line-0-unit_price")
    assert "9999" not in shown
    assert "haha" not in shown
    assert UNREAD["refused"] in shown


def test_a_damaged_e_invoice_is_said_and_the_page_is_read(world: World, vendor: Any) -> None:
    shown = drop(world, changed(pdf(INVOICE), attached={"factur-x.xml": factur_x("1248.00")[:-200]})).content.decode()
    assert UNREAD["damaged"] in shown
    assert "Read beside its label on page 1." in hint(shown, "line-0-unit_price")
    whole = drop(world, changed(pdf(INVOICE), attached={"factur-x.xml": factur_x("1248.00")})).content.decode()
    assert "was not read" not in whole


def test_an_e_invoice_that_disagrees_with_its_page_is_said_at_the_amount(world: World, vendor: Any) -> None:
    both = changed(pdf(INVOICE), attached={"factur-x.xml": factur_x("1284.00")})
    note = hint(drop(world, both).content.decode(), "line-0-unit_price")
    assert "Read from the e-invoice inside the file." in note
    assert "The page itself says 1248.00: the two differ." in note


def test_each_value_of_an_e_invoice_that_the_page_says_otherwise_is_said_at_its_field(
    world: World, vendor: Any
) -> None:
    content = factur_x("1248.00")
    for there, other in OTHERWISE.items():
        assert there in content, there
        content = content.replace(there, other)
    shown = drop(world, changed(pdf(INVOICE), attached={"factur-x.xml": content})).content.decode()
    differ = {"currency": "says KES", "issued_at": "says 20", "vendor_id": "does not name this vendor"}
    for name, sentence in differ.items():
        assert f"The page itself {sentence}" in hint(shown, name), name
        assert "the two differ" in hint(shown, name), name
    assert "The page itself says a tax of 172.14: the two differ." in hint(shown, "line-0-unit_price")
    agreeing = drop(world, changed(pdf(INVOICE), attached={"factur-x.xml": factur_x("1248.00")})).content.decode()
    assert "the two differ" not in agreeing
