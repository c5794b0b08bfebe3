"""Whether somebody holds a permission on a wallet by a policy: what service/grants.py asks about WALLET_ names."""

from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from service.auth import Caller
from service.wallet_policies import catalogue
from service.wallet_policies.models import PolicyStatus, WalletPolicy


def in_force(now: datetime | None = None) -> QuerySet[WalletPolicy]:
    """The policies that count at a moment: active, begun, and not past their end."""
    moment = now or timezone.now()
    return WalletPolicy.objects.filter(
        Q(expires_at=None) | Q(expires_at__gt=moment), status=PolicyStatus.ACTIVE, valid_from__lte=moment
    )


def wallets_with(caller: Caller, permission: str) -> frozenset[str]:
    """The ids of the wallets on which a policy in force gives the caller's person the permission."""
    if caller.employee is None or catalogue.is_barred(caller.employee.role, permission):
        return frozenset()
    held = in_force().filter(
        business_id=caller.business.id, employee_id=caller.employee.id, permissions__contains=[permission]
    )
    return frozenset(held.values_list("wallet_id", flat=True))
