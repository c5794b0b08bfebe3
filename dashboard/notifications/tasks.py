"""The jobs of notifications: mails each minute, push messages several times a minute, digests at each person's hour,
forgetting what was read long ago."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from dashboard.notifications import bills, digest, mail, push_delivery, push_messages, vendor_documents, waiting
from dashboard.notifications.models import Notice

RETENTION = timedelta(days=180)


@shared_task(name="dashboard.notifications.mail", ignore_result=True)
def mail_notices() -> int:
    """Mails what waits to be mailed; each minute."""
    return mail.send_waiting()


@shared_task(name="dashboard.notifications.push", ignore_result=True)
def push_notices() -> int:
    """Looks for what has come to wait for those who want to know, and sends what is new to their devices; each 15 s."""
    waiting.watch_inboxes()
    push_messages.compose_waiting()
    return push_delivery.deliver_due()


@shared_task(name="dashboard.notifications.digests", ignore_result=True)
def send_digests() -> int:
    """Sends the digests whose hour has come; every few minutes, each person's once a day."""
    return digest.send_due()


@shared_task(name="dashboard.notifications.vendor_documents", ignore_result=True)
def remind_of_documents() -> int:
    """Tells of the documents of vendors that are about to end; hourly, each once."""
    return vendor_documents.remind()


@shared_task(name="dashboard.notifications.bills_due", ignore_result=True)
def remind_of_bills() -> int:
    """Tells of the bills that are due soon or today while nothing of them is being paid; hourly, each once."""
    return bills.remind()


@shared_task(name="dashboard.notifications.forget_old", ignore_result=True)
def forget_old_notices() -> int:
    """Forgets what was told half a year ago, and push messages that count for nothing any more; hourly."""
    push_messages.forget_old_messages()
    gone, _ = Notice.objects.filter(told_at__lt=timezone.now() - RETENTION).delete()
    return gone
