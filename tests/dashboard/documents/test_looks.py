"""How a picture looks is kept as long as a bill has it for a file, and no longer."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from dashboard.documents import looks
from dashboard.documents.models import PictureLook
from dashboard.mirror.models import Bill
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.conftest import house as house

LOOK = "0" * 256


def bill_with(house: House, remote_id: str, *hashes: str) -> Bill:
    today = timezone.now().date()
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
