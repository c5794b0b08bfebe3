"""A deleted access token is forgotten by every process at once."""

from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver
from oauth2_provider.models import AccessToken

from service.ttl_cache import invalidate


@receiver(post_delete, sender=AccessToken)
def forget(sender: type[AccessToken], instance: AccessToken, **_: Any) -> None:
    """A revoked token dies in every process at once, and a validation that runs right now cannot bring it back."""
    invalidate(instance.token_checksum)
