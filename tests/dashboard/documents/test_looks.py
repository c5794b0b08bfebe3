"""How a picture looks is kept as long as a bill has it for a file, and no longer; a PDF whose
page is a scan looks as its picture does."""

from __future__ import annotations

import io
from datetime import timedelta

from django.utils import timezone
from PIL import Image, ImageEnhance

from dashboard.documents import looks
from dashboard.documents.models import PictureLook
from dashboard.documents.opening import opened
from dashboard.mirror.models import Bill
from tests.dashboard.documents.papers import INVOICE, pdf, photograph
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.conftest import house as house
from tests.days import business_day

LOOK = "0" * 256


def bill_with(house: House, remote_id: str, *hashes: str) -> Bill:
    today = business_day()
    return Bill.objects.create(
        **house._mirrored(), remote_id=remote_id, bill_no=remote_id, number_key=remote_id, vendor_id="vendor-1",
        vendor_name="Acacia Supplies", currency="KES", total_minor=100, total_text="KES 1.00", balance_minor=100,
        balance_text="KES 1.00", issued_on=today, due_on=today, status="OPEN", approval_status="NONE",
        file_hashes=list(hashes),
    )  # fmt: skip


def test_a_look_goes_a_week_after_it_was_remembered_where_no_bill_has_the_picture(house: House) -> None:
    kept, gone, deleted, fresh = ("a" * 64, "b" * 64, "c" * 64, "d" * 64)
    bill_with(house, "bill-1", "e" * 64, kept)
    bill = bill_with(house, "bill-2", deleted)
    for sha256 in (kept, gone, deleted):
        looks.remember_look(house.business, sha256, LOOK)
    PictureLook.objects.update(remembered_at=timezone.now() - looks.RETENTION - timedelta(hours=1))
    looks.remember_look(house.business, fresh, LOOK)
    assert looks.forget_old() == 1
    assert set(looks.near_pictures(house.business, LOOK)) == {kept, deleted, fresh}
    # With its bill it goes, too.
    Bill.objects.filter(pk=bill.pk).update(tombstoned_at=timezone.now())
    assert looks.forget_old() == 1
    assert set(looks.near_pictures(house.business, LOOK)) == {kept, fresh}
    assert looks.forget_old() == 0


def apart(one: str, other: str) -> int:
    """In how many bits two looks differ."""
    return (int(one, 16) ^ int(other, 16)).bit_count()


def scan(picture: Image.Image, quality: int = 75) -> bytes:
    """A PDF whose page is this picture, as a scanner makes it."""
    out = io.BytesIO()
    picture.convert("RGB").save(out, "PDF", quality=quality)
    return out.getvalue()


def test_a_pdf_whose_page_is_a_scan_looks_as_its_copies_do_and_a_pdf_with_text_alone_has_no_look() -> None:
    sheet = Image.open(
        io.BytesIO(photograph(["ACACIA SUPPLIES", "Invoice 4711", "12 reams A4", "Total KES 1,248.00", "Till 512345"]))
    )
    other = Image.open(
        io.BytesIO(photograph(["BAOBAB PRINT", "Bill 9", "Posters", "and 200 leaflets", "Sum KES 99.00"]))
    )
    look = opened(scan(sheet)).look
    assert look
    again = ImageEnhance.Brightness(sheet.resize((480, 640))).enhance(0.8)
    assert apart(look, opened(scan(again, 40)).look) <= looks.NEAR_BITS
    assert apart(look, opened(scan(other)).look) > looks.NEAR_BITS
    assert opened(pdf(INVOICE)).look == ""
