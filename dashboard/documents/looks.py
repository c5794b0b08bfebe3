"""Pictures that look nearly the same: the same sheet saved anew, made smaller, darker or blurred, or with a digit changed.

How a picture looks is told by 1,024 bits (drawing.look_of); those of two copies differ in a few. What was cropped or turned
looks different here: of that nothing is said.
"""

import hashlib
from datetime import timedelta

from django.db.models import CharField, F, Func
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.documents.models import PictureLook
from dashboard.mirror.models import Bill

# Of the 1,024: copies of a page differ in two or three, other pages on the same form in ten and more.
NEAR_BITS = 5
BITS = 1024
# One band more than may differ: of two looks that are near, one band at least is the same to the bit.
BANDS = NEAR_BITS + 1
# A file may be remembered before the copy has its bill.
RETENTION = timedelta(days=7)


def remember_look(business: Business, sha256: str, look: str) -> None:
    """Keeps how a picture of these bytes looks; nothing for what is none ("")."""
    if look:
        PictureLook.objects.get_or_create(
            business=business, sha256=sha256, defaults={"look": look, "bands": bands_of(look)}
        )


def bands_of(look: str) -> list[int]:
    """What a look is found by: its bits dealt out to BANDS bands, each a number of 31 bits. Neighbouring bits come to different
    bands, so that a blank part of a page is no band of its own that all pages have."""
    bits = f"{int(look, 16):0{BITS}b}"
    return [
        int.from_bytes(hashlib.sha256(f"{band} {bits[band::BANDS]}".encode()).digest()[:4], "big") >> 1
        for band in range(BANDS)
    ]


def near_pictures(business: Business, look: str, besides: str = "") -> list[str]:
    """The SHA-256 of the pictures of a business that look nearly like this one, the newest first, however many there are; `besides`
    is its own."""
    if not look:
        return []
    bits = int(look, 16)
    rows = PictureLook.objects.filter(business=business, bands__overlap=bands_of(look)).exclude(sha256=besides)
    compared = rows.order_by("-pk").values_list("sha256", "look")
    return [known for known, other in compared if (int(other, 16) ^ bits).bit_count() <= NEAR_BITS]


def forget_old() -> int:
    """Deletes how pictures look that are the file of no bill, a week after they were remembered; how many."""
    count, old = 0, PictureLook.objects.filter(remembered_at__lt=timezone.now() - RETENTION)
    for business_id in old.order_by("business").values_list("business", flat=True).distinct():
        bills = Bill.objects.filter(business=business_id, tombstoned_at=None)
        held = bills.annotate(sha256=Func(F("file_hashes"), function="unnest", output_field=CharField())).values(
            "sha256"
        )
        count += old.filter(business=business_id).exclude(sha256__in=held).delete()[0]
    return count
