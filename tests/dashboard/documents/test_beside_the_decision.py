"""A document at a real service, from the pane: shown, read, compared; who may see it, and what it leaves with."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Expense
from tests.dashboard.conftest import World
from tests.dashboard.documents import papers, real

SWAP = {"HX-Request": "true"}
EVERYBODY = ("Carla", "Rita", "Rex", "Apollo", "Ada", "Sam")


def invoice(expense: Expense, total: str) -> bytes:
    day = f"{expense.transaction_date:%d %b %Y}"
    return papers.pdf([expense.merchant, ("Invoice date", day), ("Total", f"{expense.currency} {total}")])


def test_an_invoice_that_is_one_digit_off_is_marked_in_the_pane_and_a_reason(world: World) -> None:
    expense = real.expense_of(world)
    expense = real.with_receipt(world, expense, invoice(expense, real.total_of(expense, off=10_000)))
    sentence = f"Total {real.total_of(expense, off=10_000)} on the receipt, {real.total_of(expense)} on the card"
    browser, item = world.client("Apollo"), world.address(f"approvals/expense/{expense.remote_id}/")
    before = browser.get(item).content.decode()
    assert real.address(world, expense) in before
    assert sentence not in before, "nothing is said of what nobody has read"
    viewer = browser.get(real.address(world, expense), headers=SWAP).content.decode()
    assert '<tr class="differs red">' in viewer
    assert "hx-swap-oob" in viewer
    assert sentence in viewer
    pane = browser.get(item).content.decode()
    assert sentence in pane
    assert "Dismiss flag" in pane
    inbox = browser.get(world.address("approvals/?show=mine")).content.decode()
    assert "total differs" in inbox


def test_an_invoice_that_says_the_same_is_no_reason(world: World) -> None:
    expense = real.expense_of(world)
    expense = real.with_receipt(world, expense, invoice(expense, real.total_of(expense)))
    viewer = world.client("Apollo").get(real.address(world, expense), headers=SWAP).content.decode()
    assert '<tr class="same">' in viewer
    assert "differs" not in viewer
    assert (
        "on the card"
        not in world.client("Apollo").get(world.address(f"approvals/expense/{expense.remote_id}/")).content.decode()
    )


def test_two_receipts_that_come_to_it_together_are_no_reason(world: World) -> None:
    expense = real.expense_of(world)
    for name, minor in (("one", 10_000), ("two", expense.amount_minor - 10_000)):
        total = real.total_of(expense, off=minor - expense.amount_minor)
        expense = real.with_receipt(world, expense, invoice(expense, total), f"{name}.pdf")
    browser = world.client("Apollo")
    for place in (0, 1):
        viewer = browser.get(real.address(world, expense, place), headers=SWAP).content.decode()
    assert "the receipts come to it together" in viewer
    assert "on the card" not in browser.get(world.address(f"approvals/expense/{expense.remote_id}/")).content.decode()


def test_factur_x_inside_is_compared_and_names_itself(world: World) -> None:
    expense = real.expense_of(world)
    inside = papers.factur_x(f"{expense.amount_minor / 100:.2f}", currency=expense.currency)
    content = papers.changed(papers.pdf(["OTIENO & SONS LTD"]), attached={"factur-x.xml": inside})
    expense = real.with_receipt(world, expense, content)
    viewer = world.client("Apollo").get(real.address(world, expense), headers=SWAP).content.decode()
    assert "from the e-invoice" in viewer
    assert "on the card" in viewer, "the merchant is another one"


def test_a_bill_is_compared_with_its_file(world: World) -> None:
    payment = real.bill_payment(world, papers.pdf(papers.INVOICE))
    browser, item = world.client("Apollo"), world.address(f"approvals/payment/{payment.remote_id}/")
    pane = browser.get(item).content.decode()
    address = pane.split("data-viewer")[1].split('hx-get="')[1].split('"')[0]
    assert f"/documents/payment/{payment.remote_id}/" in address
    viewer = browser.get(address, headers=SWAP).content.decode()
    sentence = "Total 1,248.00 on the document, 1,284.00 on the bill"
    assert sentence in viewer
    assert sentence in browser.get(item).content.decode()
    picture = browser.get(f"{address}page/1/")
    assert Image.open(io.BytesIO(picture.content)).format == "WEBP"
    for who, status in (("Carla", 403), ("Rita", 403), ("Rex", 403), ("Zawadi", 200), ("Ada", 200), ("Sam", 200)):
        assert world.client(who).get(address).status_code == status, who
        assert world.client(who).get(f"{address}page/1/").status_code == status, who


def test_who_may_see_the_expense_may_see_its_document_and_nobody_else(world: World, new_world: object) -> None:
    own = real.expense_of(world, "Carla")
    own = real.with_receipt(world, own, papers.pdf(papers.INVOICE))
    others = real.with_receipt(world, real.expense_of(world, "Apollo"), papers.pdf(papers.INVOICE))
    assert others.team_id != own.team_id or not others.team_id
    for row in (own, others):
        for who in EVERYBODY:
            seen = world.client(who).get(world.address(f"expenses/{row.remote_id}/")).status_code
            assert seen in (200, 404)
            for address in (real.address(world, row), f"{real.address(world, row)}page/1/"):
                # Asked for in turn, the first has put it into the cache: whoever comes later is judged all the same.
                assert world.client(who).get(address).status_code == seen, (who, address)
    assert world.client("Carla").get(real.address(world, own)).status_code == 200
    assert world.client("Carla").get(real.address(world, others)).status_code == 404
    mixed = real.address(world, own).replace(own.remote_id, others.remote_id)
    assert world.client("Apollo").get(mixed).status_code == 404, "a receipt of another expense"
    before = AuditEntry.objects.filter(chain=world.business.pk, outcome="DENIED").count()
    assert world.client("Carla").get(real.address(world, others)).status_code == 404
    assert AuditEntry.objects.filter(chain=world.business.pk, outcome="DENIED").count() >= before


def test_what_leaves_is_sandboxed_and_the_bytes_shown_are_never_those_uploaded(world: World) -> None:
    expense = real.expense_of(world)
    expense = real.with_receipt(world, expense, papers.pdf(papers.INVOICE))
    expense = real.with_receipt(world, expense, papers.photograph(["TOTAL"], orientation=6), "photo.jpg")
    browser = world.client("Apollo")
    for place, row in enumerate(expense.payload["receipts"]):
        picture = browser.get(f"{real.address(world, expense, place)}page/1/")
        original = browser.get(world.address(f"expenses/{expense.remote_id}/receipt/{row['_id']}/"))
        assert original["Content-Disposition"].startswith("attachment; ")
        assert original["Content-Type"] == "application/octet-stream"
        assert picture["Content-Type"] == "image/webp"
        assert picture.content != original.content
        assert b"Exif" not in picture.content
        for answer in (picture, original):
            assert answer["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
            assert answer["X-Content-Type-Options"] == "nosniff"
            assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
            assert answer["Cache-Control"] == "no-store"
        page = browser.get(real.address(world, expense, place))
        assert "sandbox" not in page["Content-Security-Policy"]
        assert "<iframe" not in page.content.decode()
        assert "<object" not in page.content.decode()
        assert "<embed" not in page.content.decode()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (papers.changed(papers.pdf(papers.INVOICE), password="x"), "protected by a password"),
        (b"%PDF-1.7\n" + b"1 0 obj\n<<>>\nendobj\n%%EOF", "damaged"),
        (papers.content_bomb(), "too much time or memory"),
    ],
    ids=["password", "damaged", "bomb"],
)
def test_what_cannot_be_shown_ends_in_a_line_and_can_be_downloaded(world: World, content: bytes, sentence: str) -> None:
    expense = real.with_receipt(world, real.expense_of(world), papers.pdf(papers.INVOICE))
    real.instead(world, expense, content)
    browser = world.client("Apollo")
    answer = browser.get(real.address(world, expense))
    assert answer.status_code == 200
    body = answer.content.decode()
    assert sentence in body
    assert "Download" in body
    assert browser.get(f"{real.address(world, expense)}page/1/").status_code == 404
    assert browser.get(world.address("approvals/?show=mine")).status_code == 200


@pytest.mark.parametrize("query", ["?width=5", "?turns=9", "?width=900000", "?width=x"])
def test_a_width_or_a_turn_that_there_is_not_is_refused(world: World, query: str) -> None:
    expense = real.with_receipt(world, real.expense_of(world), papers.pdf(papers.INVOICE))
    browser = world.client("Apollo")
    assert browser.get(f"{real.address(world, expense)}page/1/{query}").status_code == 400
    assert browser.get(f"{real.address(world, expense)}page/2/").status_code == 404


def test_without_the_service_the_pane_stands_and_the_document_says_so(proxied_world: World) -> None:
    world = proxied_world
    expense = real.with_receipt(world, real.expense_of(world), papers.pdf(papers.INVOICE))
    assert world.proxy is not None
    world.proxy.fail("reset")
    browser = world.client("Apollo")
    assert browser.get(world.address(f"approvals/expense/{expense.remote_id}/")).status_code == 200
    assert browser.get(real.address(world, expense), headers=SWAP).status_code == 503


def test_without_a_script_all_pages_stand_on_the_documents_page(world: World) -> None:
    expense = real.with_receipt(world, real.expense_of(world), papers.pdf(papers.INVOICE, ["Page two"], ["Page three"]))
    body = world.client("Apollo").get(real.address(world, expense)).content.decode()
    listed = body.split('class="sheets no-js-only"')[1].split("</ol>")[0]
    assert listed.count("<img") == listed.count("<a ") == 3
    assert listed.count('width="900" height="1274"') == 3
