"""A bill entered by hand and from a dropped file, against the real service: each value says where it was read, a likely
duplicate is shown first, what is wrong stands at its field, and what was typed stays."""

import io
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, ImageEnhance

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Bill
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.documents.papers import INVOICE, pdf, photograph

ONE_LINE = {
    "line-TOTAL_FORMS": "1", "line-INITIAL_FORMS": "0", "line-0-description": "Paper", "line-0-quantity": "10",
    "line-0-unit_price": "1,000", "line-0-tax_rate": "16", "line-0-subcategory": "",
}  # fmt: skip


def enter(world: World, vendor: Any, person: str = "Ada", **form: Any) -> Any:
    now = upstream.today(world.business).isoformat()
    sent = {"vendor_id": vendor["_id"], "bill_no": "INV-1", "issued_at": now, "due_at": "", **ONE_LINE, **form}
    return world.client(person).post(world.address("bills/new/"), sent)


def drop(world: World, content: bytes, name: str = "bill.pdf", person: str = "Ada") -> Any:
    file = SimpleUploadedFile(name, content, "application/pdf")
    return world.client(person).post(world.address("bills/new/file/"), {"file": file}, follow=True)


def value(shown: str, name: str) -> str:
    found = re.search(rf'name="{name}"[^>]*value="([^"]*)"', shown) or re.search(
        rf'value="([^"]*)"[^>]*name="{name}"', shown
    )
    return found[1] if found else ""


def hint(shown: str, name: str) -> str:
    found = re.search(rf'id="id_{name}_helptext">([^<]*)<', shown)
    return found[1] if found else ""


@pytest.fixture
def vendor(world: World) -> Any:
    made = upstream.vendor(world, "Otieno & Sons Ltd")
    world.sync("vendors", "bills_whole", "approvals")
    return made


def test_a_bill_with_lines_taxes_and_a_category_is_at_the_service_and_on_the_list(world: World, vendor: Any) -> None:
    tax = next(row for row in world.upstream("/taxes")["docs"] if row["code"] == "WHT_PROFESSIONAL")
    page = upstream.page(world, "Ada", "bills/new/")
    assert "5\xa0%, non-resident 20\xa0%" in page
    category = re.search(r'<select name="subcategory".*?<option value="([0-9a-f]{24})"', page, re.DOTALL)
    assert category
    answer = enter(world, vendor, withholding=[tax["_id"]], memo="For March", subcategory=category[1])
    row = upstream.copied(world, "INV-1")
    assert answer["Location"] == world.address(f"bills/{row.remote_id}/")
    bill = world.upstream(f"/bills/{row.remote_id}")
    assert (bill["subtotal_minor"], bill["tax_amount_minor"], bill["total_minor"]) == (1_000_000, 160_000, 1_160_000)
    assert (bill["memo"], bill["subcategory_id"], bill["due_at"]) == ("For March", category[1], bill["issued_at"])
    assert [part["rate_bps"] for part in bill["withholding"]] == [500]
    assert AuditEntry.objects.filter(chain=world.business.pk, sentence="entered bill INV-1").exists()
    assert "INV-1" in upstream.page(world, "Selma", "bills/")


def test_sent_twice_it_is_entered_once(world: World, vendor: Any) -> None:
    first, again = enter(world, vendor, key="the-same"), enter(world, vendor, key="the-same")
    assert first["Location"] == again["Location"]
    assert len(world.upstream("/bills")["docs"]) == 1


def test_one_more_line_comes_without_a_word_of_error_and_what_was_typed_stays(world: World, vendor: Any) -> None:
    answer = enter(world, vendor, add_line="1", bill_no="", memo="Half of it")
    shown = answer.content.decode()
    assert answer.status_code == 200
    assert "This field is required" not in shown
    assert "Half of it" in shown
    assert value(shown, "line-0-unit_price") == "1,000"
    assert 'name="line-1-description"' in shown
    two = {**ONE_LINE, "line-TOTAL_FORMS": "2", "line-1-description": "Ink", "line-1-unit_price": "5"}
    assert enter(world, vendor, **two).status_code == 302
    bill = world.upstream(f"/bills/{upstream.copied(world, 'INV-1').remote_id}")
    assert [line["description"] for line in bill["line_items"]] == ["Paper", "Ink"]


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"bill_no": "--"}, "at least one letter or digit"),
        ({"issued_at": "5.1.2026"}, "2026-11-20"),
        ({"due_at": "2020-01-01"}, "due before it was issued"),
        ({"line-0-unit_price": "ten"}, "line-0-unit_price_error"),
        ({"line-0-tax_rate": "116"}, "line-0-tax_rate_error"),
        ({"line-0-description": "", "line-0-quantity": "", "line-0-unit_price": "", "line-0-tax_rate": ""}, "at least one line"),
        ({"vendor_id": "0192f0c0ffee000012345678"}, "id_vendor_id_error"),
        ({"line-0-unit_price": "0.001"}, "KES"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(
    world: World, vendor: Any, form: dict[str, str], problem: str
) -> None:
    answer = enter(world, vendor, memo="Kept as typed", **form)
    assert answer.status_code == 422
    assert problem in answer.content.decode()
    assert "Kept as typed" in answer.content.decode()
    assert not world.upstream("/bills")["docs"]


def test_a_possible_duplicate_stands_side_by_side_with_what_is_entered(world: World, vendor: Any) -> None:
    first = drop(world, pdf(INVOICE)).content.decode()
    entered = enter(world, vendor, bill_no="INV-7", file_id=value(first, "file_id"))
    address = entered["Location"]
    answer = enter(world, vendor, bill_no="INV-7", **{"line-0-unit_price": "9"})
    assert answer.status_code == 409
    shown = answer.content.decode()
    compared = shown[shown.index("Possible duplicate, side by side") :].split("</table>")[0]
    assert f'<a href="{address}">Bill INV-7</a>' in compared
    assert re.search(r'<tr class="differs">\s*<th scope="row">Total', compared)
    assert not re.search(r'<tr class="differs">\s*<th scope="row">Number', compared)
    assert f"{address}files/" in compared


def test_a_picture_that_looks_nearly_the_same_is_a_possible_duplicate(world: World, vendor: Any) -> None:
    words = [
        "OTIENO & SONS LTD",
        "Invoice 2291",
        "Paper A4  550.00",
        "Toner  525.86",
        "VAT 16 %  172.14",
        "Total 1248.00",
    ]
    first = drop(world, photograph(words, size=(900, 1200)), "bill.jpg").content.decode()
    assert "Possible duplicates" not in first
    assert enter(world, vendor, bill_no="2291", file_id=value(first, "file_id")).status_code == 302
    copy = Image.open(io.BytesIO(photograph(words, size=(900, 1200)))).resize((450, 600))
    darker = io.BytesIO()
    ImageEnhance.Brightness(copy).enhance(0.8).save(darker, "JPEG", quality=40)
    shown = drop(world, darker.getvalue(), "again.jpg").content.decode()
    assert "a picture that looks nearly the same" in shown
    # It is asked about before another bill is entered from it, whatever else is typed.
    again = enter(world, vendor, bill_no="9999", file_id=value(shown, "file_id"), **{"line-0-unit_price": "77"})
    assert again.status_code == 409
    assert "a picture that looks nearly the same" in again.content.decode()
    other = ["BAOBAB PRINT", "Invoice 17", "Posters 2,000.00", "Flyers 3,000.00", "Folders 90.00", "Total 5,090.00"]
    assert "Possible duplicates" not in drop(world, photograph(other, size=(900, 1200)), "o.jpg").content.decode()


@pytest.mark.parametrize(
    ("form", "shared"),
    [
        ({"bill_no": "inv 1", "line-0-unit_price": "7"}, "the same number"),
        ({"bill_no": "INV-2"}, "the same amount within 30 days"),
    ],
)
def test_a_likely_duplicate_is_shown_before_it_is_entered(
    world: World, vendor: Any, form: dict[str, str], shared: str
) -> None:
    enter(world, vendor)
    first = upstream.copied(world, "INV-1")
    answer = enter(world, vendor, **form)
    shown = answer.content.decode()
    assert answer.status_code == 409
    assert shared in shown
    assert f"bills/{first.remote_id}/" in shown
    # The service takes no number of a vendor twice; the other is entered once somebody says that it is another bill.
    assert enter(world, vendor, meant=first.remote_id, **form).status_code == (
        409 if shared == "the same number" else 302
    )


def test_what_is_meant_is_meant_of_the_bills_that_were_shown_and_of_no_other(world: World, vendor: Any) -> None:
    content = pdf(INVOICE)
    file_id = value(drop(world, content).content.decode(), "file_id")
    enter(world, vendor, file_id=file_id)
    enter(world, vendor, bill_no="INV-2", **{"line-0-unit_price": "7"})
    first, second = (upstream.copied(world, number) for number in ("INV-1", "INV-2"))
    again = drop(world, content).content.decode()
    form = {"file_id": value(again, "file_id"), "meant": value(again, "meant"), "line-0-unit_price": "9"}
    assert form["meant"].split() == [first.remote_id]
    # The tick beside the same file says nothing of a number that is typed after it.
    answer = enter(world, vendor, bill_no="inv 2", **form)
    assert answer.status_code == 409
    assert set(value(answer.content.decode(), "meant").split()) == {first.remote_id, second.remote_id}
    assert enter(world, vendor, bill_no="INV-3", **form).status_code == 302


def test_a_bill_that_is_changed_into_the_like_of_another_is_shown_beside_it(world: World, vendor: Any) -> None:
    enter(world, vendor)
    enter(world, vendor, bill_no="INV-2", **{"line-0-unit_price": "7"})
    first, second = (upstream.copied(world, number) for number in ("INV-1", "INV-2"))
    now = upstream.today(world.business).isoformat()
    sent = {"bill_no": "INV-2", "issued_at": now, "due_at": "", "memo": "Later", **ONE_LINE}
    address = world.address(f"bills/{second.remote_id}/edit/")
    answer = world.client("Ada").post(address, sent)
    shown = answer.content.decode()
    assert answer.status_code == 409
    assert "the same amount within 30 days" in shown
    assert value(shown, "meant").split() == [first.remote_id]
    assert world.client("Ada").post(address, sent | {"meant": first.remote_id}).status_code == 302
    # What was like another before is not asked about again.
    assert world.client("Ada").post(address, sent | {"memo": "Later still"}).status_code == 302


def test_the_same_file_is_named_as_soon_as_it_is_dropped(world: World, vendor: Any) -> None:
    content = pdf(INVOICE)
    shown = drop(world, content).content.decode()
    enter(world, vendor, file_id=value(shown, "file_id"))
    again = drop(world, content, "other name.pdf").content.decode()
    assert "the same file" in again
    assert upstream.copied(world, "INV-1").remote_id in again


def test_it_is_changed_until_a_payment_is_under_way_and_then_only_what_moves_no_money(
    world: World, vendor: Any
) -> None:
    enter(world, vendor)
    row = upstream.copied(world, "INV-1")
    address = world.address(f"bills/{row.remote_id}/edit/")
    shown = upstream.page(world, "Ada", f"bills/{row.remote_id}/edit/")
    assert value(shown, "line-0-unit_price") == "1000.00"
    sent = {"bill_no": "INV-9", "issued_at": "2026-11-01", "due_at": "2026-12-01", "memo": "", **ONE_LINE, "line-0-quantity": "2", "line-INITIAL_FORMS": "1"}  # fmt: skip
    assert world.client("Apollo").post(address, sent).status_code == 302
    assert world.upstream(f"/bills/{row.remote_id}")["total_minor"] == 232_000
    upstream.payment(world, {"_id": row.remote_id})
    shown = upstream.page(world, "Ada", f"bills/{row.remote_id}/edit/")
    assert "line-0-unit_price" not in shown
    assert 'name="bill_no"' not in shown
    assert world.client("Ada").post(address, {"due_at": "2026-12-24", "memo": "Later"}).status_code == 302
    bill = world.upstream(f"/bills/{row.remote_id}")
    assert (bill["due_at"], bill["memo"], bill["total_minor"]) == ("2026-12-24", "Later", 232_000)


def test_a_draft_is_opened_and_its_files_are_attached_and_removed(world: World, vendor: Any) -> None:
    enter(world, vendor, draft="1")
    row = upstream.copied(world, "INV-1")
    assert row.status == "DRAFT"
    sent = {"bill_no": "INV-1", "issued_at": "2026-11-01", "due_at": "", **ONE_LINE, "open": "1"}
    assert world.client("Ada").post(world.address(f"bills/{row.remote_id}/edit/"), sent).status_code == 302
    assert world.upstream(f"/bills/{row.remote_id}")["status"] == "OPEN"
    file = SimpleUploadedFile("scan.pdf", pdf(INVOICE), "application/pdf")
    world.client("Ada").post(world.address(f"bills/{row.remote_id}/attach/"), {"file": file})
    attached = world.upstream(f"/bills/{row.remote_id}")["attachments"]
    assert [file["file_name"] for file in attached] == ["scan.pdf"]
    assert "scan.pdf" in upstream.page(world, "Selma", f"bills/{row.remote_id}/")
    removed = world.client("Ada").post(world.address(f"bills/{row.remote_id}/files/{attached[0]['_id']}/remove/"))
    assert removed.status_code == 302
    assert world.upstream(f"/bills/{row.remote_id}")["attachments"] == []


@pytest.mark.parametrize("person", ["Selma", "Rita", "Carla"])
def test_who_enters_no_bills(world: World, vendor: Any, person: str) -> None:
    assert enter(world, vendor, person).status_code == 403
    assert drop(world, pdf(INVOICE), person=person).status_code == 403
    assert "New bill" not in upstream.page(world, person, "bills/")
    assert not Bill.objects.filter(business=world.business).exists()
