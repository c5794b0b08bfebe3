"""Until when a subscription must be cancelled so that it does not renew: reckoned from its renewals and its notice."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from dashboard.access.models import Business
from dashboard.forecast.repeats import charge_days, months_after
from dashboard.mirror.mappers.vendors import NEVER
from dashboard.mirror.models import Subscription
from dashboard.renewals.models import RenewalTerms
from dashboard.times import local, today_of

# Further ahead nothing is looked for.
HORIZON = timedelta(days=366 * 12)


@dataclass(frozen=True, slots=True)
class Deadline:
    """The last day to act, and the day of the renewal that it is for."""

    act_by: date
    renewal_on: date


def deadline_of(terms: RenewalTerms, subscription: Subscription, business: Business) -> Deadline | None:
    """The next last day to act, today at the earliest; None where no renewal is known.

    It is `notice_days` before the renewal, and the day before it at the latest.
    """
    today, notice = today_of(business), timedelta(days=max(terms.notice_days, 1))
    for renewal in _renewals(terms, subscription, business, today + notice):
        if renewal - notice >= today:
            return Deadline(renewal - notice, renewal)
    return None


def _renewals(terms: RenewalTerms, subscription: Subscription, business: Business, first: date) -> Iterator[date]:
    if terms.renews_on is not None and terms.term_months:
        start, months = terms.renews_on, terms.term_months
        passed = (first.year - start.year) * 12 + first.month - start.month
        number = max(0, passed // months)
        return (months_after(start, months * (number + step)) for step in range(3))
    if subscription.next_charge_at.year == NEVER.year:
        return iter(())
    last, following = subscription.last_charge_at, local(subscription.next_charge_at, business).date()
    last_on = local(last, business).date() if last else None
    return charge_days(subscription.billing_frequency, last_on, following, first, first + HORIZON)
