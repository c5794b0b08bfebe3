"""The terms of a subscription: set by whoever may change its limits, and reckoned anew when its next charge moves."""

from datetime import date, timedelta

from django.db import transaction

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.audit.models import Outcome
from dashboard.audit.record import check_or_record_denial, record
from dashboard.mirror.models import Subscription
from dashboard.renewals.deadlines import deadline_of
from dashboard.renewals.models import Cancellation, CancellationStep, RenewalTerms

AREA = "renewal_terms"


def set_terms(
    actor: Actor,
    row: Subscription,
    *,
    notice_days: int,
    remind_days: int,
    renews_on: date | None,
    term_months: int | None,
) -> RenewalTerms:
    """Sets the terms of a subscription in place of those that it had; audited. NotAllowed for who may not change it."""
    check_or_record_denial(actor, operations.SET_SUBSCRIPTION_LIMITS, row)
    chosen = {
        "notice_days": notice_days, "remind_days": remind_days, "renews_on": renews_on, "term_months": term_months
    }  # fmt: skip
    with transaction.atomic():
        rows = RenewalTerms.objects.select_for_update(no_key=True)
        old = rows.filter(business=actor.business, subscription_id=row.remote_id).first()
        before = {name: _plain(getattr(old, name)) for name in chosen} if old else {}
        terms, _ = RenewalTerms.objects.update_or_create(
            business=actor.business, subscription_id=row.remote_id, defaults=chosen
        )
        refresh(terms, row, actor.business)
        after = {name: _plain(value) for name, value in chosen.items()}
        changed = [name for name, value in after.items() if before.get(name) != value]
        if changed or old is None:
            record(
                actor, AREA, row, Outcome.NOTED, sentence=f"set the renewal terms of subscription {row.name}"[:500],
                before={name: before[name] for name in changed if name in before},
                after={name: after[name] for name in changed},
            )  # fmt: skip
    return terms


def _plain(value: date | int | None) -> str:
    return "" if value is None else str(value)


def refresh(terms: RenewalTerms, row: Subscription, business: Business) -> None:
    """Reckons the last day to act anew, and stores it; there is none once the vendor was told that it is cancelled."""
    notified = CancellationStep.objects.filter(
        cancellation__business=business, cancellation__subscription_id=row.remote_id,
        name=CancellationStep.Name.VENDOR_NOTIFIED,
    ).exclude(cancellation__state=Cancellation.State.WITHDRAWN)  # fmt: skip
    deadline = None if notified.exists() else deadline_of(terms, row, business)
    terms.act_by = deadline.act_by if deadline else None
    terms.renewal_on = deadline.renewal_on if deadline else None
    terms.remind_on = deadline.act_by - timedelta(days=terms.remind_days) if deadline else None
    terms.save(update_fields=["act_by", "renewal_on", "remind_on"])


def refresh_of(row: Subscription, business: Business) -> None:
    """Reckons the last day to act of a subscription anew, where it has terms."""
    for terms in RenewalTerms.objects.filter(business=business, subscription_id=row.remote_id):
        refresh(terms, row, business)
