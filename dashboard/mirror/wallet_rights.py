"""What wallet policies can give, and what a role gives by itself: read from the service, which alone decides it."""

from __future__ import annotations

import logging
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils import timezone
from pydantic import ValidationError

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.client.page import read_page
from dashboard.client.reads import read_live
from dashboard.errors import Forbidden, NotFound
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Employee, Origin, Wallet, WalletPolicy
from dashboard.mirror.models.policies import OPEN_POLICY
from dashboard.schemas.wallet_policies import Computed

log = logging.getLogger(__name__)


def refresh_wallet_rights(business: Business) -> None:
    """The permissions and the roles with theirs. An account that is not entitled to them has none."""
    reader = Actor.reader_for(business)
    try:
        apply_permissions(business, read_live(reader, operations.LIST_WALLET_PERMISSIONS).data)
        roles = [permissions for role in Role if (permissions := _permissions_of_role(reader, role)) is not None]
    except (Forbidden, NotFound) as refused:
        log.info("no wallet permissions of business %s: %s", business.pk, refused.code)
        return
    upsert("wallet_role", business, roles, Origin.POLL, read_at=timezone.now())


def apply_permissions(business: Business, data: Any) -> None:
    """Brings the list of permissions, as the service answered it, into the copy in its own order."""
    rows = [
        {**row, "_id": row.get("name"), "place": place}
        for place, row in enumerate(read_page(data).rows)
        if row.get("name")
    ]
    upsert("wallet_permission", business, rows, Origin.POLL, read_at=timezone.now())


def _permissions_of_role(reader: Actor, role: Role) -> dict[str, Any] | None:
    """The role's permissions, seen by somebody active who has nothing else on an active wallet; None for nobody."""
    live = {"business": reader.business, "tombstoned_at": None}
    for wallet_id in Wallet.objects.filter(**live, status="ACTIVE").values_list("remote_id", flat=True)[:5]:
        policy = WalletPolicy.objects.filter(
            **live, wallet_id=wallet_id, employee_id=OuterRef("remote_id"), status__in=OPEN_POLICY
        )
        employee = Employee.objects.filter(~Exists(policy), **live, role=role, status="ACTIVE").first()
        if employee is None:
            continue
        path = {"employeeId": employee.remote_id, "walletId": wallet_id}
        answer = read_live(reader, operations.READ_EFFECTIVE_WALLET_PERMISSIONS, path=path, subject=employee)
        try:
            computed = Computed.model_validate(answer.data)
        except ValidationError:
            continue
        given = [source.permission for source in computed.sources if source.source == "ROLE"]
        return {"_id": str(role), "permissions": given}
    return None
