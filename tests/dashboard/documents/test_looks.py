"""How a picture looks is kept as long as a bill has it for a file, and no longer; a PDF whose
page is a scan looks as its picture does."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone
from PIL import Image, ImageEnhance

from dashboard.documents import looks
from dashboard.documents.models import PictureBand, PictureLook
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
    assert PictureBand.objects.filter(business=house.business).count() == 2 * looks.BANDS


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


def changed(look: str, places: Iterable[int]) -> str:
    """The look with these of its bits turned."""
    bits = int(look, 16)
    for place in places:
        bits ^= 1 << place
    return f"{bits:0256x}"


def random_looks(count: int) -> list[str]:
    chance = random.Random(7)
    return [f"{chance.getrandbits(1024):0256x}" for _ in range(count)]


def remember_many(house: House, many: Iterable[str]) -> None:
    rows = PictureLook.objects.bulk_create(
        [PictureLook(business=house.business, sha256=f"{number:064x}", look=look) for number, look in enumerate(many)],
        batch_size=5_000,
    )
    PictureBand.objects.bulk_create([band for row in rows for band in looks.picture_bands(row)], batch_size=5_000)


def test_the_oldest_of_many_pictures_is_found(house: House) -> None:
    """There were 5,000 newer ones, of which alone it was looked whether they are the same."""
    first, *others = random_looks(5_200)
    looks.remember_look(house.business, "a" * 64, first)
    remember_many(house, others)
    assert looks.near_pictures(house.business, changed(first, (0, 200, 400, 600, 1023))) == ["a" * 64]


def test_what_differs_in_few_bits_is_found_wherever_they_lie_and_what_differs_in_more_is_not(house: House) -> None:
    chance = random.Random(5)
    for number, look in enumerate(random_looks(40)):
        sha256 = f"{number:064x}"
        looks.remember_look(house.business, sha256, look)
        near = changed(look, chance.sample(range(1024), looks.NEAR_BITS))
        far = changed(look, chance.sample(range(1024), looks.NEAR_BITS + 1))
        assert looks.near_pictures(house.business, near) == [sha256]
        assert looks.near_pictures(house.business, far) == []
        assert looks.near_pictures(house.business, near, besides=sha256) == []


def all_near(look: str, many: Iterable[str]) -> list[str]:
    """What the comparison with every one finds."""
    return [f"{number:064x}" for number, other in enumerate(many) if apart(look, other) <= looks.NEAR_BITS]


def test_the_statement_goes_through_the_index_and_finds_what_the_whole_comparison_does(house: House) -> None:
    """Ten thousand others on the same form, which differ from it in up to twelve bits, and ten thousand that are not alike."""
    chance = random.Random(3)
    form, *others = random_looks(10_001)
    alike = [changed(form, chance.sample(range(1024), chance.randint(4, 12))) for _ in range(10_000)]
    many = [*others, *alike]
    remember_many(house, many)
    for look in (form, alike[0], others[0], "f" * 256):
        plan = looks.nearly_like(house.business, look).explain()
        assert "documents_pictureband_pkey" in plan, plan
        assert "Seq Scan" not in plan
        found = looks.nearly_like(house.business, look).values_list("sha256", flat=True)
        assert sorted(found) == all_near(look, many)
    assert len(looks.near_pictures(house.business, form)) == looks.MOST_NEAR
