"""`manage.py reseal_secrets`: after a new key was put first in ENCRYPTION_KEYS, seals every stored secret with it.

When it has run, the old key can be taken off the list.
"""

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand
from django.db import transaction

from dashboard.access.secrets import reseal
from dashboard.client.connection import rotate_secrets
from dashboard.notifications.devices import reseal_subscriptions
from dashboard.proposals.single_sign_on import reseal_proposed_secrets
from dashboard.signing.signature import reseal_keys
from dashboard.single_sign_on.selectors import reseal_provider_secrets

# Where a second factor keeps its secret (dashboard/web/signin/factors.py seals it).
FIELDS = {Authenticator.Type.TOTP: "secret", Authenticator.Type.RECOVERY_CODES: "seed"}


class Command(BaseCommand):
    """Moves secrets to the first key."""

    help = "Seals every stored secret again with the first of ENCRYPTION_KEYS."

    def handle(self, *args: Any, **options: Any) -> None:
        """Accounts, second factors, keys that sign, subscriptions of devices and identity providers, all or nothing."""
        with transaction.atomic():
            accounts, factors = rotate_secrets(), 0
            for factor in Authenticator.objects.select_for_update(no_key=True).filter(type__in=list(FIELDS)):
                name = FIELDS[factor.type]
                if sealed := factor.data.get(name):
                    factor.data[name] = reseal(sealed.encode("ascii")).decode("ascii")
                    factor.save(update_fields=["data"])
                    factors += 1
            devices, keys = reseal_subscriptions(), reseal_keys()
            providers = reseal_provider_secrets() + reseal_proposed_secrets()
        self.stdout.write(
            f"Sealed again: {accounts} service accounts, {factors} second factors, {devices} devices, {keys} signing keys, "
            f"{providers} identity providers."
        )
