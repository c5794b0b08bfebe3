"""The housekeeping of tokens and stored answers."""

from celery import shared_task
from django.utils import timezone
from oauth2_provider.models import AccessToken

from service.idempotency import forget_old_answers


@shared_task(name="service.businesses.forget_answers")
def forget_answers() -> int:
    """Deletes stored answers whose time is over; hourly."""
    return forget_old_answers()


@shared_task(name="service.businesses.forget_tokens")
def forget_tokens() -> int:
    """Deletes expired access tokens; hourly."""
    expired = AccessToken.objects.filter(expires__lt=timezone.now())
    return expired.delete()[0]
