"""What an employee may do with the business's money, by the copy: whoever is linked to them may do it from then on."""

from collections.abc import Mapping

from django.db.models import Q
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.access.roles import MOVING_MONEY, Role
from dashboard.mirror.models import Employee, FundAccount, WalletPermission, WalletPolicy
from dashboard.mirror.models.policies import OPEN_POLICY
from dashboard.operations import OPERATIONS


def rights_of_employee(business: Business, employee_id: str) -> list[str]:
    """What an employee has that moves money or lets others do so: their role, wallet policies (of a coming day and
    suspended ones, too) and seats as a fund operator, a sentence each; empty where it is none of these.

    An employee whom the copy does not know may have anything: so that is a sentence, too.
    """
    live = {"business": business, "tombstoned_at": None}
    role = Employee.objects.filter(**live, remote_id=employee_id).values_list("role", flat=True).first()
    if role is None:
        return ["What they may do at the finance service is not known yet."]
    sentences = []
    if role in MOVING_MONEY or role not in Role.values:
        title = Role(role).label.lower() if role in Role.values else role
        sentences.append(f"At the finance service they are {title}.")
    if wallets := _wallets_with_rights(live, employee_id):
        sentences.append(f"Wallet policies let them move money on {wallets} wallet{'s' * (wallets != 1)}.")
    operated = FundAccount.objects.filter(**live, operators__contains=[{"employee_id": employee_id}]).count()
    if operated:
        sentences.append(f"They are an operator of {operated} fund account{'s' * (operated != 1)}.")
    return sentences


def _wallets_with_rights(live: Mapping[str, object], employee_id: str) -> int:
    known = WalletPermission.objects.filter(**live, moves_money=False).values_list("remote_id", flat=True)
    # What opens something here counts, whatever the service says of it; so does what is known of nothing.
    harmless = set(known) - {row.grant for row in OPERATIONS.values() if row.grant and not row.is_read}
    policies = WalletPolicy.objects.filter(
        Q(expires_at=None) | Q(expires_at__gt=timezone.now()), **live, employee_id=employee_id, status__in=OPEN_POLICY
    )
    rows = policies.values_list("wallet_id", "permissions")
    return len({wallet for wallet, permissions in rows if set(permissions) - harmless})


def name_of_employee(business: Business, employee_id: str) -> str:
    """The name of an employee as the copy has it; "an employee" where it knows none."""
    rows = Employee.objects.filter(business=business, remote_id=employee_id).values_list("name", flat=True)
    return rows.first() or "an employee"


def is_address_of_employee(business: Business, employee_id: str, email: str) -> bool:
    """Whether the copy has this e-mail address with the employee, in capitals or not."""
    return Employee.objects.filter(business=business, remote_id=employee_id, email__iexact=email).exists()
