"""The housekeeping of tokens and stored answers."""

from celery import shared_task
from django.utils import timezone
from oauth2_provider.models import AccessToken

from service.businesses.models import StoredAnswer
from service.retention import forget


@shared_task(name="service.businesses.forget_answers")
def forget_answers() -> int:
    """Deletes stored answers whose time is over; hourly."""
    return forget(StoredAnswer.objects.filter(keep_until__lt=timezone.now()))


@shared_task(name="service.businesses.forget_tokens")
def forget_tokens() -> int:
    """Deletes expired access tokens; hourly."""
    return forget(AccessToken.objects.filter(expires__lt=timezone.now()))
