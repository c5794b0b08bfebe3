"""The mirror's jobs; config/celery.py says when they run."""

import time
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.errors import FinanceError
from dashboard.mirror import category_labels, schedule, sync, webhook_inbox
from dashboard.mirror.models import InboxEvent, InboxState

DELIVERY_RETENTION = timedelta(days=30)
# What is read of the service takes turns with what it delivers: a new connection is told thousands of events at once.
INBOX_TURN_S = 5.0


@shared_task(name="dashboard.mirror.apply_inbox")
def apply_inbox() -> int:
    """Applies the webhooks that were stored, for as long as a turn lasts; how many. The schedule asks again where some are left."""
    applied, ends = 0, time.monotonic() + INBOX_TURN_S
    while (count := webhook_inbox.apply_received()) and time.monotonic() < ends:
        applied += count
    return applied + count


@shared_task(name="dashboard.mirror.follow_feeds")
def follow_feeds() -> None:
    """Looks at the feeds whose time has come; one that is down does not hold up the others."""
    for business in schedule.feeds_due():
        sync.follow_all(business)


@shared_task(name="dashboard.mirror.poll_bands")
def poll_bands() -> None:
    """Starts each business's due bands, a task each, so that a slow one holds up only itself."""
    for business in schedule.businesses_due():
        poll_business.delay(business.pk)


@shared_task(name="dashboard.mirror.poll_business")
def poll_business(business_id: int) -> None:
    """The due bands of one business."""
    business = Business.objects.filter(pk=business_id).first()
    if business is None:
        return
    try:
        sync.run_due_bands(business)
    except FinanceError as error:
        sync.note_outage(business, error)


@shared_task(name=category_labels.TASK)
def relabel_expenses(business_id: int) -> int:
    """Calls expenses in the copy by what their categories are called now; how many."""
    business = Business.objects.filter(pk=business_id).first()
    return category_labels.relabel_expenses(business) if business else 0


@shared_task(name="dashboard.mirror.forget_old")
def forget_old_deliveries() -> int:
    """Deletes deliveries that were applied or could not be, after 30 days; hourly."""
    old = InboxEvent.objects.filter(received_at__lt=timezone.now() - DELIVERY_RETENTION)
    return old.exclude(state=InboxState.RECEIVED).delete()[0]
