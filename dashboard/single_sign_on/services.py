"""What single sign-on writes down of itself: which SAML assertions have been used, and which needed our previous key."""

import hashlib
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from dashboard.single_sign_on.models import IdentityProvider, UsedAssertion
from dashboard.single_sign_on.selectors import DecryptionKey

# A sign-in does not write each time: whether the key is still needed is a question of days.
NOTED_EVERY = timedelta(hours=1)


def use_assertion(provider: IdentityProvider, assertion_id: str, ends_at: datetime) -> bool:
    """Notes that an assertion of the provider has been used, until it ends by itself; False where it had been already."""
    used = UsedAssertion.objects.filter(provider=provider)
    used.filter(ends_at__lte=timezone.now()).delete()
    digest = hashlib.sha256(assertion_id.encode()).hexdigest()
    try:
        with transaction.atomic():
            used.create(provider=provider, digest=digest, ends_at=ends_at)
    except IntegrityError:
        return False
    return True


def note_opened(provider: IdentityProvider, opened_by: DecryptionKey) -> None:
    """Notes that our previous key has opened an assertion of the provider, at most once an hour; of the newest nothing."""
    if not opened_by.is_former:
        return
    now = timezone.now()
    # Not of a key that was removed, or has become the previous one, in between.
    rows = IdentityProvider.objects.filter(pk=provider.pk, former_key_certificate=provider.former_key_certificate)
    is_due = Q(former_key_opened_at=None) | Q(former_key_opened_at__lte=now - NOTED_EVERY)
    rows.filter(is_due).update(former_key_opened_at=now)
