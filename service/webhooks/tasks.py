"""The jobs of the webhooks."""

from datetime import timedelta

from celery import shared_task
from django.db import connection
from django.utils import timezone

from service.retention import forget
from service.webhooks.delivery import deliver_due
from service.webhooks.models import Delivery

# One delivery run at a time: a hanging endpoint must not take every worker.
DELIVERY_LOCK = 7_305_002
KEEP_DELIVERIES = timedelta(days=30)


@shared_task(name="service.webhooks.deliver")
def deliver_webhooks() -> int:
    """Sends what is due; each second."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_lock(%s)", [DELIVERY_LOCK])
        if not cursor.fetchone()[0]:
            return 0
        try:
            return deliver_due()
        finally:
            cursor.execute("select pg_advisory_unlock(%s)", [DELIVERY_LOCK])


@shared_task(name="service.webhooks.forget_old")
def forget_old_deliveries() -> int:
    """Deletes finished deliveries after 30 days; hourly."""
    done = Delivery.objects.exclude(status=Delivery.Status.PENDING)
    return forget(done.filter(due_at__lt=timezone.now() - KEEP_DELIVERIES))
