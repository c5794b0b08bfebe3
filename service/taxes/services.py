"""What can be done with withholding taxes: make, date new rates, archive."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from service import errors, money, periods
from service.auth import Caller
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import JsonObject
from service.taxes.models import Tax, TaxRate, TaxStatus
from service.taxes.schemas import EditedTax, NewTax
from service.taxes.selectors import tax_detail, taxes

RATES = ("base", "resident_rate_bps", "non_resident_rate_bps", "threshold_minor", "final")


def create(caller: Caller, new: NewTax) -> Tax:
    """A tax with its first version; 409 duplicate when the code is taken, 422 for a currency that is none."""
    row = Tax(business=caller.business, code=new.code, name=new.name, currency=new.currency or caller.business.currency)
    if row.currency not in money.CURRENCIES:
        raise errors.validation_failed("currency", "It is not an ISO 4217 currency.", "unknown")
    first = TaxRate(
        tax=row,
        base=new.base,
        resident_rate_bps=new.resident_rate_bps,
        non_resident_rate_bps=new.non_resident_rate_bps,
        threshold_minor=_minor(new.threshold_amount, row.currency),
        final=new.final,
        effective_from=new.effective_from or periods.day_of(timezone.now(), caller.business),
        note=new.note,
        created_by=caller.label,
    )
    with transaction.atomic():
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except IntegrityError:
            raise errors.duplicate(f"The code {row.code} is taken.") from None
        first.save(force_insert=True)
        return _record_change(caller, row, "tax.created", "tax.create", None)


def edit(caller: Caller, tax_id: str, edited: EditedTax) -> Tax:
    """Renames, or adds the version that holds from a day on; 409 for an archived tax.

    422 where rates come without their day, or the day is past or not after that of the last version.
    """
    with transaction.atomic():
        row = _locked(caller, tax_id)
        before = tax_detail(caller, row)
        if edited.name:
            row.name = edited.name
        changes = _changes(row, edited)
        if changes or edited.effective_from:
            _add_version(caller, row, edited, changes)
        row.version += 1
        row.save()
        return _record_change(caller, row, "tax.updated", "tax.edit", before)


def archive(caller: Caller, tax_id: str) -> Tax:
    """Ends the use of a tax; once more is a no-op."""
    with transaction.atomic():
        row = _locked(caller, tax_id, archived=True)
        if row.status == TaxStatus.ARCHIVED:
            return row
        before = tax_detail(caller, row)
        row.status = TaxStatus.ARCHIVED
        row.version += 1
        row.save()
        return _record_change(caller, row, "tax.archived", "tax.archive", before)


def _locked(caller: Caller, tax_id: str, *, archived: bool = False) -> Tax:
    row = taxes(caller).select_for_update(no_key=True, of=("self",)).filter(id=tax_id).first()
    if row is None:
        raise errors.not_found("tax")
    if row.status == TaxStatus.ARCHIVED and not archived:
        raise errors.invalid_state("The tax is archived.")
    return row


def _changes(row: Tax, edited: EditedTax) -> dict[str, Any]:
    named = edited.model_dump(exclude_none=True)
    if "threshold_amount" in named:
        named["threshold_minor"] = _minor(named["threshold_amount"], row.currency)
    return {name: value for name, value in named.items() if name in RATES or name == "note"}


def _add_version(caller: Caller, row: Tax, edited: EditedTax, changes: dict[str, Any]) -> None:
    if edited.effective_from is None:
        raise errors.validation_failed("effective_from", "From when does it hold? Rates are dated.", "missing")
    last = max(row.rates.all(), key=lambda version: version.effective_from)
    if edited.effective_from <= last.effective_from:
        message = f"The last version holds from {last.effective_from}: the next one begins after that."
        raise errors.validation_failed("effective_from", message, "too_early")
    if edited.effective_from < periods.day_of(timezone.now(), caller.business):
        raise errors.validation_failed("effective_from", "What was deducted stays: rates begin today or later.", "past")
    carried_over = {name: getattr(last, name) for name in RATES}
    TaxRate.objects.create(
        tax=row,
        effective_from=edited.effective_from,
        created_by=caller.label,
        **{**carried_over, "note": "", **changes},
    )


def _minor(amount: Any, currency: str) -> int:
    try:
        return money.to_minor(amount, currency)
    except money.MoneyError as error:
        raise errors.validation_failed("threshold_amount", str(error)) from None


def _record_change(caller: Caller, row: Tax, event: str, action: str, before: JsonObject | None) -> Tax:
    changed_tax = taxes(caller).get(pk=row.pk)
    payload: JsonObject = tax_detail(caller, changed_tax)
    changed = {name: value for name, value in (before or {}).items() if payload[name] != value and name != "updated_at"}
    record_event(caller.business, event, payload, previous=changed, actor=caller)
    record_audit(caller, action, "tax", row.id, changed or None, {name: payload[name] for name in changed} or payload)
    return changed_tax
