"""Who is told what of renewals: the owner and the admins, ahead of the last day to act, and of a charge that came after
the last one that a cancellation expected; each once."""

from collections.abc import Sequence

from django.db import transaction

from dashboard.access.models import Business
from dashboard.mirror.item_kinds import sees
from dashboard.mirror.models import Subscription
from dashboard.notifications.services import notify
from dashboard.notifications.topics import RENEWALS
from dashboard.renewals.models import RenewalTerms
from dashboard.renewals.selectors import cancelled_word, due_terms, expected_until, reminded_members
from dashboard.renewals.services import refresh_of
from dashboard.times import day, local, today_of


def remind() -> int:
    """Tells of every last day to act that is near, each once; the days are reckoned anew before. How many notices."""
    count = 0
    for business in Business.objects.filter(pk__in=RenewalTerms.objects.values("business")):
        ids = RenewalTerms.objects.filter(business=business).values_list("subscription_id", flat=True)
        rows = Subscription.objects.filter(business=business, remote_id__in=ids, tombstoned_at__isnull=True)
        subscriptions = {row.remote_id: row for row in rows}
        for row in subscriptions.values():
            refresh_of(row, business)
        for terms in due_terms(business):
            if subscription := subscriptions.get(terms.subscription_id):
                count += _remind_of(business, terms, subscription)
    return count


def _remind_of(business: Business, terms: RenewalTerms, row: Subscription) -> int:
    assert terms.act_by is not None
    assert terms.renewal_on is not None
    left = (terms.act_by - today_of(business)).days
    when = "today" if left == 0 else f"in {left} day{'s' * (left != 1)}"
    sentence = (
        f"{row.name} renews on {terms.renewal_on.day} {terms.renewal_on:%b %Y}. The last day to cancel it is {when}, "
        f"{terms.act_by.day} {terms.act_by:%b %Y}."
    )
    return _send(business, row, sentence, f"renewal:{row.remote_id}:{terms.act_by}")


def _send(business: Business, row: Subscription, sentence: str, key: str) -> int:
    """Who may not open the subscription is told without a way to it."""
    count = 0
    with transaction.atomic():
        for member in reminded_members(business, row.employee_id):
            item = {"kind": "subscription", "remote_id": row.remote_id}
            of = item if sees(member, "subscription", row.remote_id) else {}
            count += notify([member], RENEWALS, sentence, key=key, **of)
    return count


def follow_subscriptions(business: Business, kind: str, ids: Sequence[str]) -> None:
    """Reckons the last days of subscriptions that were written into the copy anew, and tells of charges that a
    cancellation expected none of."""
    if kind != "subscription" or not ids:
        return
    terms = RenewalTerms.objects.filter(business=business, subscription_id__in=ids).values("subscription_id")
    for row in Subscription.objects.filter(business=business, remote_id__in=terms):
        refresh_of(row, business)
    _report_late_charges(business, ids)


def _report_late_charges(business: Business, ids: Sequence[str]) -> None:
    until = {row.subscription_id: row for row in expected_until(business).filter(subscription_id__in=ids)}
    for row in Subscription.objects.filter(business=business, remote_id__in=until):
        cancellation = until[row.remote_id]
        last = cancellation.charges_until
        if last and row.last_charge_at and local(row.last_charge_at, business).date() > last:
            sentence = (
                f"{row.name} was charged on {day(row.last_charge_at, business)}, though it is "
                f"{cancelled_word(cancellation.state)} and no charge was expected after {last.day} {last:%b %Y}."
            )
            _send(business, row, sentence, f"charged-after:{row.remote_id}:{row.last_charge_at.isoformat()}")
