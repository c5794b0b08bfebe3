"""Pictures that look nearly the same: the same sheet saved anew, made smaller, darker or blurred, or with a digit changed.

How a picture looks is told by 1,024 bits (drawing.look_of); those of two copies differ in a few. What was cropped or turned
looks different here: of that nothing is said. The bits are dealt into one band more than may differ, so two copies have a band in
common, by which an index finds them however many pictures there are; then all bits are compared.
"""

from datetime import timedelta
from hashlib import sha256 as digest_of

from django.db import transaction
from django.db.models import CharField, F, Func, IntegerField, QuerySet, Value
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.documents.models import PictureBand, PictureLook
from dashboard.mirror.models import Bill

# Of the 1,024: copies of a page differ in two or three, other pages on the same form in ten and more.
NEAR_BITS = 5
BITS = 1024
BANDS = NEAR_BITS + 1
# So many are answered, the newest: the same sheet is seldom there more than twice.
MOST_NEAR = 100
# A file may be remembered before the copy has its bill.
RETENTION = timedelta(days=7)


def remember_look(business: Business, sha256: str, look: str) -> None:
    """Keeps how a picture of these bytes looks; nothing for what is none ("")."""
    if not look:
        return
    with transaction.atomic():
        row, is_new = PictureLook.objects.get_or_create(business=business, sha256=sha256, defaults={"look": look})
        if is_new:
            PictureBand.objects.bulk_create(picture_bands(row), ignore_conflicts=True)


def picture_bands(picture_look: PictureLook) -> list[PictureBand]:
    """The bands of a look as they are stored (unsaved)."""
    return [
        PictureBand(business_id=picture_look.business_id, look=picture_look, band=band)
        for band in bands_of(picture_look.look)
    ]


def bands_of(look: str) -> list[int]:
    """A hash of each band of a look, as 64 bits with a sign. A band takes every sixth bit, so that none lies in a margin, which is
    blank on all pages."""
    bits = f"{int(look, 16):0{BITS}b}"
    return [_band(f"{place}:{bits[place::BANDS]}") for place in range(BANDS)]


def _band(text: str) -> int:
    return int.from_bytes(digest_of(text.encode()).digest()[:8], "big", signed=True)


class BitsApart(Func):
    """In how many bits the looks of two expressions differ."""

    template = f"bit_count(('x' || %(expressions)s)::bit({BITS}))"
    arg_joiner = f")::bit({BITS}) # ('x' || "
    output_field = IntegerField()


def near_pictures(business: Business, look: str, besides: str = "") -> list[str]:
    """The SHA-256 of the pictures of a business that look nearly like this one, the newest first; `besides` is its own."""
    if not look:
        return []
    # Sorted here: asked for the newest alone, the database may go through all that there are, from the newest on.
    near = sorted(nearly_like(business, look).exclude(sha256=besides).values_list("pk", "sha256"), reverse=True)
    return [sha256 for _, sha256 in near[:MOST_NEAR]]


def nearly_like(business: Business, look: str) -> QuerySet[PictureLook]:
    """The pictures of a business that have a band in common with a look, and differ from it in NEAR_BITS at most."""
    banded = PictureBand.objects.filter(business=business, band__in=bands_of(look)).values("look")
    rows = PictureLook.objects.filter(business=business, pk__in=banded)
    return rows.annotate(apart=BitsApart(F("look"), Value(look))).filter(apart__lte=NEAR_BITS)


def forget_old() -> int:
    """Deletes how pictures look that are the file of no bill, a week after they were remembered; how many."""
    count, old = 0, PictureLook.objects.filter(remembered_at__lt=timezone.now() - RETENTION)
    for business_id in old.order_by("business").values_list("business", flat=True).distinct():
        bills = Bill.objects.filter(business=business_id, tombstoned_at=None)
        held = bills.annotate(sha256=Func(F("file_hashes"), function="unnest", output_field=CharField())).values(
            "sha256"
        )
        _, deleted = old.filter(business=business_id).exclude(sha256__in=held).delete()
        count += deleted.get(PictureLook._meta.label, 0)
    return count
