"""What the hooks of vendors reach here: credit notes follow a merge, so that what is left of them lowers bills of the vendor that
stays."""

from django.db.models import F
from django.utils import timezone

from service.auth import Caller
from service.credit_notes.models import CreditNote
from service.vendors.hooks import Follower
from service.vendors.models import Vendor


def notes_of(vendor: Vendor) -> int:
    """How many credit notes a vendor has given."""
    return CreditNote.objects.filter(vendor=vendor).count()


def move_notes(caller: Caller, source: Vendor, target: Vendor) -> None:
    """Gives the credit notes of one vendor to another."""
    rows = CreditNote.objects.filter(vendor=source)
    rows.update(vendor=target, version=F("version") + 1, updated_at=timezone.now())


def same_numbers(source: Vendor, target: Vendor) -> str:
    """That both vendors have a credit note of one number, as a sentence: it may be the same one, entered twice."""
    numbers = CreditNote.objects.filter(vendor=target).values("credit_no_key")
    both = CreditNote.objects.filter(vendor=source, credit_no_key__in=numbers).order_by("credit_no_key")
    named = ", ".join(both.values_list("credit_no", flat=True)[:5])
    return f"Both have a credit note with the number {named}." if named else ""


FOLLOWER = Follower("credit note", notes_of, move_notes, same_numbers)
