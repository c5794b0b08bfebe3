"""Accounting periods: closing one, and reopening it as another admin than the one who closed it.

Raises what `run` raises; what the service refuses stands on the form. The copy holds no periods.
"""

from django import forms

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.access.subject import Subject, people
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.commands.run import CommandResult, Key, run
from dashboard.errors import FAILED, NotFound
from dashboard.schemas.accounting import AccountingPeriod

REFUSALS = (*FAILED, NotFound)


def period_subject(actor: Actor, period: AccountingPeriod) -> Subject:
    """A period for the gate: its maker is whoever closed it, who does not reopen it. The service names nobody where none of
    its people did."""
    return Subject(
        business_id=actor.business.pk,
        kind="period",
        id=period.period,
        title=period.period,
        makers=people(period.changed_by) if period.status == "CLOSED" else frozenset(),
    )


def close(
    actor: Actor, period: AccountingPeriod, *, left_open: str, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Closes a month: nothing is posted into it any more, and decisions on its expenses stop. `left_open` is what was
    accepted as still open in it, in words: the audit keeps it; "" for nothing."""
    subject = period_subject(actor, period)
    result = run(
        actor, operations_accounting.CLOSE_PERIOD, subject, {"accept_open_items": bool(left_open)},
        key=key, path={"period": period.period}, form=form, refusals=REFUSALS,
    )  # fmt: skip
    if left_open:
        sentence = f"accepted what was open in accounting period {period.period}"
        record(
            actor,
            operations_accounting.CLOSE_PERIOD,
            subject,
            Outcome.NOTED,
            sentence=sentence,
            after={"open": left_open},
        )
    return result


def reopen(
    actor: Actor, period: AccountingPeriod, reason: str, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Opens the last closed month again. NotAllowed for whoever closed it."""
    return run(
        actor, operations_accounting.REOPEN_PERIOD, period_subject(actor, period), {"reason": reason},
        key=key, path={"period": period.period}, form=form, refusals=REFUSALS,
    )  # fmt: skip
