"""The periodic work of wallet policies."""

from celery import shared_task
from django.db import transaction
from django.utils import timezone

from service.auth import system_caller
from service.wallet_policies import services
from service.wallet_policies.models import PolicyStatus, WalletPolicy


@shared_task(name="service.wallet_policies.expire")
def expire() -> int:
    """Every minute: writes down which policies are over. They count for nothing from their end on, swept or not."""
    return expire_due()


def expire_due(limit: int = 200) -> int:
    """Expires what is due, each in a transaction of its own; answers how many."""
    due = {"status": PolicyStatus.ACTIVE, "expires_at__lte": timezone.now()}
    done = 0
    for policy_id in list(
        WalletPolicy.objects.filter(**due).order_by("expires_at").values_list("id", flat=True)[:limit]
    ):
        with transaction.atomic():
            rows = WalletPolicy.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
            row = rows.select_related("wallet", "employee", "business").filter(id=policy_id, **due).first()
            if row is not None:
                services.expire(system_caller(row.business), row)
                done += 1
    return done
