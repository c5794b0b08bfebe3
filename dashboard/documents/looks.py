"""Pictures that look nearly the same: the same sheet saved anew, made smaller, darker or blurred, or with a digit changed.

How a picture looks is told by 1,024 bits (drawing.look_of); those of two copies differ in a few. What was cropped or turned
looks different here: of that nothing is said.
"""

from datetime import timedelta

from django.db.models import CharField, F, Func
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.documents.models import PictureLook
from dashboard.mirror.models import Bill

# Of the 1,024: copies of a page differ in two or three, other pages on the same form in ten and more.
NEAR_BITS = 5
# So many pictures of a business are compared, the newest.
MOST_COMPARED = 5000
# A file may be remembered before the copy has its bill.
RETENTION = timedelta(days=7)


def remember_look(business: Business, sha256: str, look: str) -> None:
    """Keeps how a picture of these bytes looks; nothing for what is none ("")."""
    if look:
        PictureLook.objects.get_or_create(business=business, sha256=sha256, defaults={"look": look})


def near_pictures(business: Business, look: str, besides: str = "") -> list[str]:
    """The SHA-256 of the pictures of a business that look nearly like this one, the newest first; `besides` is its own."""
    if not look:
        return []
    bits = int(look, 16)
    rows = PictureLook.objects.filter(business=business).exclude(sha256=besides).order_by("-pk")
    compared = rows.values_list("sha256", "look")[:MOST_COMPARED]
    return [sha256 for sha256, other in compared if (int(other, 16) ^ bits).bit_count() <= NEAR_BITS]


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
