"""The jobs of the event feed."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from service.events import relay
from service.events.models import Event
from service.retention import forget

KEEP_EVENTS = timedelta(days=30)


@shared_task(name="service.events.relay")
def relay_events() -> int:
    """Numbers committed events and asks for what follows, such as their delivery, at once; each second."""
    numbered = relay.relay()
    if numbered:
        relay.announce()
    return numbered


@shared_task(name="service.events.forget_old")
def forget_old_events() -> int:
    """Deletes events past the 30 days that the feed goes back; hourly."""
    old = Event.objects.filter(created_at__lt=timezone.now() - KEEP_EVENTS, sequence__isnull=False)
    return forget(old)
