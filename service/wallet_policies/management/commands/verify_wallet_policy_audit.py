"""`manage.py service verify_wallet_policy_audit`: proves the chained audit of wallet policies, or names what breaks it."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from service.wallet_policies.audit import chain_breaches
from service.wallet_policies.models import PolicyAudit


class Command(BaseCommand):
    """Exit code 1 where a line was changed, taken out or put in."""

    help = "Checks the hash chains of the wallet policies' audit and names every line that breaks one."

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints every broken line, or how many hold."""
        broken = chain_breaches()
        for breach in broken:
            self.stdout.write(
                f"broken: business {breach.business_id}, line {breach.seq} ({breach.id}): {breach.reason}"
            )
        if broken:
            raise CommandError("The audit does not hold.", returncode=1)
        self.stdout.write(f"The audit holds: {PolicyAudit.objects.count()} lines.")
