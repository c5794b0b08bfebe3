"""What is read of credit notes, within the business of the caller."""

from django.db.models import F, Prefetch, Q, QuerySet

from service import errors
from service.auth import Caller
from service.credit_notes.models import CreditApplication, CreditNote
from service.credit_notes.schemas import CreditNoteQuery


def credit_notes(caller: Caller) -> QuerySet[CreditNote]:
    """Those of the caller's business, with all that is shown of them."""
    parts = CreditApplication.objects.select_related("bill").order_by("created_at", "id")
    rows = CreditNote.objects.filter(business_id=caller.business.id).select_related("vendor")
    return rows.prefetch_related(Prefetch("applications", queryset=parts))


def filter_credit_notes(caller: Caller, query: CreditNoteQuery) -> QuerySet[CreditNote]:
    """The credit notes that the filters let through."""
    equal = {"vendor_id": query.vendor_id, "currency": query.currency}
    rows = credit_notes(caller).filter(**{name: value for name, value in equal.items() if value is not None})
    if query.bill_id:
        lowering = CreditApplication.objects.filter(bill_id=query.bill_id).values("note_id")
        rows = rows.filter(Q(bill_id=query.bill_id) | Q(id__in=lowering))
    return rows.filter(applied_minor__lt=F("amount_minor")) if query.open else rows


def get_credit_note(caller: Caller, note_id: str) -> CreditNote:
    """One credit note; 404 when the business has none such."""
    credit_note = credit_notes(caller).filter(id=note_id).first()
    if credit_note is None:
        raise errors.not_found("credit note")
    return credit_note


def lock_credit_note(caller: Caller, note_id: str) -> CreditNote:
    """One credit note, locked for a change; 404 when the business has none such."""
    rows = CreditNote.objects.select_for_update(no_key=True, of=("self",)).select_related("vendor")
    credit_note = rows.filter(business_id=caller.business.id, id=note_id).first()
    if credit_note is None:
        raise errors.not_found("credit note")
    return credit_note
