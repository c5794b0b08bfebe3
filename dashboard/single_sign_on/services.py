"""What single sign-on writes down of itself: which SAML assertions have been used."""

import hashlib
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.single_sign_on.models import IdentityProvider, UsedAssertion


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
