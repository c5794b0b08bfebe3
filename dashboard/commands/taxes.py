"""Withholding taxes: adding one, dating its next terms, archiving it, and recording what was paid over to the authority.

Raises what `run` raises; what the service refuses stands on the form. The copy holds no taxes. Interface: Taxes.
"""

from collections.abc import Mapping
from typing import Any

from django import forms

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.subject import Subject
from dashboard.commands.run import CommandResult, Key, run
from dashboard.errors import FAILED, NotFound
from dashboard.schemas.taxes import NewTaxBody, RemittanceBody, Tax, TaxNameBody, TermsBody

REFUSALS = (*FAILED, NotFound)
# What the forms call otherwise than the service.
NAMES = {
    "resident_rate_bps": "resident_rate",
    "non_resident_rate_bps": "non_resident_rate",
    "threshold_amount": "threshold",
}


def create(actor: Actor, body: NewTaxBody, *, key: Key, form: forms.BaseForm | None = None) -> CommandResult:
    """Adds a tax with its first terms; `body` is a NewTax. Answers with it."""
    return run(
        actor, operations.CREATE_TAX, None, body, key=key, form=form, names=NAMES, refusals=REFUSALS
    )  # fmt: skip


def edit(
    actor: Actor, tax: Tax, body: TermsBody | TaxNameBody, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Renames a tax, or gives it terms that hold from a day on. Answers with it."""
    return _change(actor, operations.EDIT_TAX, tax, body, key, form)


def archive(actor: Actor, tax: Tax, *, key: Key) -> CommandResult:
    """Ends the use of a tax: what it has deducted stays. Answers with it."""
    return _change(actor, operations.ARCHIVE_TAX, tax, None, key)


def record_remittance(
    actor: Actor, body: RemittanceBody, title: str, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Records that deducted taxes were paid over; `body` is a NewRemittance, `title` says what of for the audit."""
    subject = Subject(business_id=actor.business.pk, kind="remittance", id="", title=title)
    return run(actor, operations_extra.CREATE_REMITTANCE, subject, body, key=key, form=form, refusals=REFUSALS)


def _change(
    actor: Actor, operation: Operation, tax: Tax, body: Mapping[str, Any] | None, key: Key,
    form: forms.BaseForm | None = None,
) -> CommandResult:  # fmt: skip
    subject = Subject(business_id=actor.business.pk, kind="tax", id=tax.id, title=tax.name)
    return run(
        actor, operation, subject, body, key=key, path={"taxId": tax.id}, form=form, names=NAMES, refusals=REFUSALS
    )  # fmt: skip
