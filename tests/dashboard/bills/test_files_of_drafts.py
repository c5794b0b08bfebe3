"""A draft takes a file on its page and on that of its change: the document stands beside the fields, what was read from it beside what
was typed, what differs is said, and nothing is overwritten. Against the real service."""

import io
import uuid
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from dashboard.documents.readings import PROBLEMS, UNREAD
from dashboard.mirror.models import Bill
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_bad_files import LAUGHS, at_file
from tests.dashboard.bills.test_entry import ONE_LINE, drop, enter, hint, value, vendor
from tests.dashboard.conftest import World
from tests.dashboard.documents.papers import INVOICE, changed, factur_x, pdf, photograph, picture_bomb, ubl

__all__ = ["vendor"]


@pytest.fixture
def draft(world: World, vendor: Any) -> Bill:
    """A draft of Ada's without a file, of KES 11,600.00."""
    assert enter(world, vendor, draft="1", issued_at="2026-11-01", due_at="2026-12-01").status_code == 302
    return upstream.copied(world, "INV-1")


def page_of(world: World, bill: Bill, person: str = "Ada", rest: str = "") -> str:
    return upstream.page(world, person, f"bills/{bill.remote_id}/{rest}")


def add(world: World, bill: Bill, content: bytes, name: str = "bill.pdf", person: str = "Ada", **typed: str) -> Any:
    """A file that is added on the page where the bill is changed, with what is typed there."""
    sent = {
        "bill_no": "INV-TYPED",
        "issued_at": "2026-11-18",
        "due_at": "",
        "memo": "Kept as typed",
        "key": uuid.uuid4().hex,
        **ONE_LINE,
        **typed,
    }
    file = SimpleUploadedFile(name, content, "application/pdf")
    return world.client(person).post(
        world.address(f"bills/{bill.remote_id}/edit/"),
        {**sent, "attach_file": "1", "file": file},
    )


def attached_to(world: World, bill: Bill) -> list[str]:
    return [file["file_name"] for file in world.upstream(f"/bills/{bill.remote_id}")["attachments"]]


def test_a_draft_takes_a_file_on_its_page_and_shows_it_beside_its_fields(world: World, draft: Bill) -> None:
    address = world.address(f"bills/{draft.remote_id}/attach/")
    assert f'action="{address}"' in page_of(world, draft)
    file = SimpleUploadedFile("scan.pdf", pdf(INVOICE), "application/pdf")
    assert world.client("Ada").post(address, {"file": file}).status_code == 302
    assert attached_to(world, draft) == ["scan.pdf"]
    shown = page_of(world, draft)
    assert 'class="two with-document"' in shown
    assert 'aria-label="scan.pdf"' in shown
    assert f"{draft.remote_id}/files/" in shown
    assert upstream.copied(world, "INV-1").status == "DRAFT"


def test_what_a_file_says_else_stands_beside_what_was_typed_and_nothing_is_overwritten(
    world: World, draft: Bill
) -> None:
    answer = add(world, draft, pdf(INVOICE))
    shown = answer.content.decode()
    assert answer.status_code == 200
    assert attached_to(world, draft) == ["bill.pdf"]
    assert (value(shown, "bill_no"), value(shown, "issued_at"), value(shown, "line-0-unit_price")) == (
        "INV-TYPED",
        "2026-11-18",
        "1,000",
    )
    assert "Kept as typed" in shown
    assert hint(shown, "bill_no").startswith("The file says 2291. Read, but not certain on page 1.")
    assert hint(shown, "bill_no").endswith("What stands here was kept.")
    assert hint(shown, "issued_at") == "The file says the same."
    total = hint(shown, "line-0-unit_price").replace("\xa0", " ")
    assert total.startswith("Total 1248.00 in the file, KES 11,600.00 here. Read beside its label on page 1.")
    assert 'class="two with-document"' in shown
    # The bill is as it was until it is saved, under a key of its own.
    assert upstream.copied(world, "INV-1").memo == ""
    sent = {"bill_no": "INV-TYPED", "issued_at": "2026-11-18", "due_at": "", "memo": "Kept as typed", **ONE_LINE}
    saved = world.client("Ada").post(
        world.address(f"bills/{draft.remote_id}/edit/"), {**sent, "key": value(shown, "key")}
    )
    assert saved.status_code == 302
    assert upstream.copied(world, "INV-TYPED").memo == "Kept as typed"


def test_opened_again_the_form_says_of_each_field_what_its_files_say(world: World, draft: Bill) -> None:
    add(world, draft, changed(pdf(INVOICE), attached={"factur-x.xml": factur_x("1248.00")}))
    shown = page_of(world, draft, rest="edit/")
    assert (value(shown, "bill_no"), value(shown, "issued_at")) == ("INV-1", "2026-11-01")
    assert hint(shown, "issued_at").startswith("The file says 2026-11-18. Read from the e-invoice inside the file.")
    assert hint(shown, "due_at").startswith("The file says 2026-12-21.")
    same = {
        "bill_no": "2291",
        "issued_at": "2026-11-18",
        "due_at": "2026-12-21",
        "line-0-unit_price": "1075.86",
        "line-0-quantity": "1",
    }
    again = add(world, draft, photograph(["Delivery note"]), "note.jpg", **same).content.decode()
    for name in ("bill_no", "issued_at", "due_at"):
        assert hint(again, name) == "bill.pdf: The file says the same.", name
    assert hint(again, "line-0-unit_price") == "bill.pdf: Total: the file says the same."


def test_the_newest_file_stands_first_and_what_it_says_else_than_an_older_one_is_said(
    world: World, draft: Bill
) -> None:
    for number in range(4):
        add(world, draft, pdf([f"Delivery note {number}"]), f"note-{number}.pdf")
    add(world, draft, pdf(INVOICE), "invoice.pdf")
    inside = changed(pdf(INVOICE), attached={"factur-x.xml": factur_x("1284.00").replace(b">2291<", b">2299<")})
    shown = add(world, draft, inside, "e-invoice.pdf", bill_no="2291").content.decode()
    assert hint(shown, "bill_no").startswith(
        "e-invoice.pdf: The file says 2299. Read from the e-invoice inside the file."
    )
    assert hint(shown, "bill_no").endswith("invoice.pdf says the same as this field.")
    assert "The page itself says 1248.00: the two differ." in hint(shown, "line-0-unit_price")
    places = [
        shown.index(f'aria-label="{name}"') for name in ("e-invoice.pdf", "invoice.pdf", "note-3.pdf", "note-0.pdf")
    ]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (changed(pdf(INVOICE), password="let me in"), "An encrypted file cannot be read by those who check it."),
        (pdf(INVOICE)[:200], "Send a PDF"),
        (b"", "empty"),
        (b"GIF89a", "no PDF, PNG or JPEG"),
    ],
    ids=["encrypted", "half", "empty", "another kind"],
)  # fmt: skip
def test_a_file_that_is_refused_says_why_at_its_field_and_what_was_typed_stays(
    world: World, draft: Bill, content: bytes, problem: str
) -> None:
    answer = add(world, draft, content)
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert problem in at_file(answer)
    assert (value(shown, "bill_no"), value(shown, "line-0-unit_price")) == ("INV-TYPED", "1,000")
    assert "Kept as typed" in shown
    assert attached_to(world, draft) == []


def test_a_file_that_cannot_be_shown_or_brings_entities_is_attached_and_says_so(world: World, draft: Bill) -> None:
    assert PROBLEMS["pixels"] in add(world, draft, picture_bomb(10_000), "large.png").content.decode()
    bomb = changed(pdf(INVOICE), attached={"factur-x.xml": ubl("9999.00", seller="&inside;", head=LAUGHS)})
    shown = add(world, draft, bomb).content.decode()
    assert UNREAD["refused"] in shown
    assert "9999" not in shown
    assert value(shown, "bill_no") == "INV-TYPED"


def test_a_file_that_takes_too_long_is_said_and_the_form_does_not_wait_for_it_again(
    world: World, draft: Bill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.documents.limits.SECONDS", 0.01)
    shown = add(world, draft, pdf([f"Never opened before {uuid.uuid4().hex}"])).content.decode()
    assert f"bill.pdf: {PROBLEMS['costly']}" in shown
    assert attached_to(world, draft) == ["bill.pdf"]

    def opened(content: bytes) -> Any:
        raise AssertionError("it was opened again")

    monkeypatch.setattr("dashboard.pages.bills.selectors.attached.opened", opened)
    assert f"bill.pdf: {PROBLEMS['costly']}" in page_of(world, draft, rest="edit/")


def test_a_picture_like_that_of_another_bill_stands_beside_it(world: World, vendor: Any, draft: Bill) -> None:
    words = [
        "OTIENO & SONS LTD",
        "Invoice 2291",
        "Paper A4  550.00",
        "Toner  525.86",
        "VAT 16 %  172.14",
        "Total 1248.00",
    ]
    picture = photograph(words, size=(900, 1200))
    first = drop(world, picture, "bill.jpg").content.decode()
    entered = {"bill_no": "2291", "file_id": value(first, "file_id"), "line-0-unit_price": "77"}
    assert enter(world, vendor, **entered).status_code == 302
    smaller = io.BytesIO()
    Image.open(io.BytesIO(picture)).resize((450, 600)).save(smaller, "JPEG", quality=40)
    file = SimpleUploadedFile("again.jpg", smaller.getvalue(), "image/jpeg")
    world.client("Ada").post(world.address(f"bills/{draft.remote_id}/attach/"), {"file": file})
    shown = page_of(world, draft)
    assert "Possible duplicate (a picture that looks nearly the same)" in shown
    assert f"bills/{upstream.copied(world, '2291').remote_id}/" in shown


@pytest.mark.parametrize("person", ["Selma", "Rita", "Carla"])
def test_who_enters_no_bills_adds_no_file_to_a_draft(world: World, draft: Bill, person: str) -> None:
    assert add(world, draft, pdf(INVOICE), person=person).status_code in {403, 404}
    file = SimpleUploadedFile("scan.pdf", pdf(INVOICE), "application/pdf")
    answer = world.client(person).post(world.address(f"bills/{draft.remote_id}/attach/"), {"file": file})
    assert answer.status_code in {403, 404}
    assert attached_to(world, draft) == []
    assert "Attach file" not in upstream.page(world, person, f"bills/{draft.remote_id}/")


def test_a_lost_answer_loses_nothing_typed_and_the_same_form_attaches_the_file_once(proxied_world: World) -> None:
    world = proxied_world
    upstream.bill(world, number="INV-1", status="DRAFT")
    world.sync("vendors", "bills_whole", "approvals")
    draft = upstream.copied(world, "INV-1")
    assert world.proxy is not None
    world.proxy.fail("lost reply", method="POST", path=f"/bills/{draft.remote_id}/attachments")
    lost = add(world, draft, pdf(INVOICE), key="l" * 32)
    shown = lost.content.decode()
    assert lost.status_code >= 400
    assert at_file(lost)
    assert "Nothing was changed" not in at_file(lost)
    assert (value(shown, "bill_no"), value(shown, "key")) == ("INV-TYPED", "l" * 32)
    assert "Kept as typed" in shown
    world.proxy.heal()
    assert add(world, draft, pdf(INVOICE), key="l" * 32).status_code == 200
    assert attached_to(world, draft) == ["bill.pdf"]
