"""Paying withheld taxes over to the authority: what was owed leaves by the bank, and each tax has its certificate.

The money left its wallet when the bill was paid: it is posted from WHT_PAYABLE to the bank's float, on its day.
"""

from django.db import IntegrityError, transaction
from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from service import effects, errors, periods
from service.auth import Caller
from service.errors import FieldError
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.ledger.chart import system_account
from service.ledger.post import Leg, post
from service.respond import JsonObject
from service.taxes import serializers
from service.taxes.models import Remittance, TaxTransaction
from service.taxes.schemas_remittances import NewRemittance
from service.taxes.serializers import remittance

Standing = TaxTransaction.Standing


def remittances(caller: Caller) -> QuerySet[Remittance]:
    """Those of the caller's business, with their taxes."""
    paid_over = Prefetch("transactions", queryset=TaxTransaction.objects.order_by("deducted_at", "id"))
    return Remittance.objects.filter(business_id=caller.business.id).prefetch_related(paid_over)


def remit(caller: Caller, new: NewRemittance) -> Remittance:
    """Writes down that taxes were paid over, all of them or none.

    422 naming what is none of the business's, named twice, of another currency, or deducted after that day, and for a
    day to come; 409 invalid_state for a tax that is REMITTED or REVERSED, or a day in a closed period; 409 duplicate
    for a reference that was used.
    """
    with transaction.atomic():
        if (done := effects.earlier(caller, remittances(caller))) is not None:
            return done
        rows = _deducted(caller, new)
        created = Remittance(
            id=effects.new_id(caller),
            business=caller.business,
            reference=new.reference or "",
            remitted_on=new.remitted_on,
            currency=rows[0].currency,
            amount_minor=sum(row.tax_minor for row in rows),
            created_by=caller.label,
        )
        created.ledger_transaction_id = _post(created)
        try:
            with transaction.atomic():
                created.save(force_insert=True)
        except IntegrityError:
            raise errors.duplicate(f"There is a remittance {created.reference} already.") from None
        for row, line in zip(rows, new.transactions, strict=True):
            _remitted(caller, row, created, line.certificate_no)
        remitted = remittances(caller).get(pk=created.pk)
        record_audit(caller, "tax.remit", "remittance", created.id, after=remittance(remitted))
    return remitted


def _deducted(caller: Caller, new: NewRemittance) -> list[TaxTransaction]:
    """The named taxes, locked, in their order."""
    ids = [line.tax_transaction_id for line in new.transactions]
    rows = TaxTransaction.objects.filter(business_id=caller.business.id, id__in=ids).select_related("tax", "vendor")
    by_id = {row.id: row for row in rows.select_for_update(no_key=True, of=("self",)).order_by("id")}
    field_errors: list[FieldError] = []
    if new.remitted_on > periods.day_of(timezone.now(), caller.business):
        field_errors.append({"field": "remitted_on", "code": "future", "message": "That day is still to come."})
    for place in range(len(ids)):
        problem = _problem_of(caller, new, by_id, ids, place)
        if problem:
            code, message = problem
            field_errors.append({"field": f"transactions.{place}.tax_transaction_id", "code": code, "message": message})
    if field_errors:
        raise errors.many_validation_failed(field_errors)
    over = next((row for row in by_id.values() if row.status != Standing.DEDUCTED), None)
    if over is not None:
        raise errors.invalid_state(f"The tax {over.id} of {over.bill_payment_ref} is {over.status} already.")
    return [by_id[tax_transaction_id] for tax_transaction_id in ids]


def _problem_of(
    caller: Caller, new: NewRemittance, by_id: dict[str, TaxTransaction], ids: list[str], place: int
) -> tuple[str, str] | None:
    """Code and words for what is wrong with one of them."""
    row, first = by_id.get(ids[place]), by_id.get(ids[0])
    if row is None:
        return "unknown", "There is no such tax transaction."
    if ids[place] in ids[:place]:
        return "duplicate", "It is named twice."
    if first is not None and row.currency != first.currency:
        return "currency", f"It is in {row.currency}: a remittance is of one currency."
    if periods.day_of(row.deducted_at, caller.business) > new.remitted_on:
        return "too_early", "It was deducted after that day."
    return None


def _post(row: Remittance) -> int:
    owed = system_account(row.business, "WHT_PAYABLE", row.currency).pk
    bank = system_account(row.business, "BANK_FLOAT", row.currency).pk
    text = f"Withheld taxes paid over {row.reference}".strip()
    legs = [Leg(owed, -row.amount_minor, text), Leg(bank, row.amount_minor, text)]
    return post(row.business, f"tax-remittance:{row.id}", "TAX_REMITTANCE", legs, text, row.remitted_on).id


def _remitted(caller: Caller, row: TaxTransaction, paid: Remittance, certificate_no: str) -> None:
    before = {"status": row.status, "certificate_no": row.certificate_no, "remittance_id": None}
    row.status, row.certificate_no, row.remittance = Standing.REMITTED, certificate_no, paid
    row.save(update_fields=["status", "certificate_no", "remittance", "updated_at"])
    payload: JsonObject = serializers.tax_transaction(row)
    record_event(caller.business, "tax_transaction.remitted", payload, previous=before, actor=caller)
    record_audit(
        caller, "tax_transaction.remit", "tax_transaction", row.id, before, {name: payload[name] for name in before}
    )
