"""What is read of wallet policies: within the business of the caller, and as far as they may see."""

from django.db.models import Q, QuerySet
from django.utils import timezone

from service import errors
from service.accounts.models import Wallet
from service.accounts.wallets import INVESTMENT
from service.auth import OFFICE, Caller
from service.businesses.models import Employee
from service.wallet_policies.models import PolicyStatus, WalletPolicy


def wallet_policies(caller: Caller) -> QuerySet[WalletPolicy]:
    """Those of the caller's business, with wallet and employee."""
    return WalletPolicy.objects.filter(business_id=caller.business.id).select_related("wallet", "employee")


def in_state(rows: QuerySet[WalletPolicy], policy_status: PolicyStatus | None) -> QuerySet[WalletPolicy]:
    """Narrows to the state that is in effect: what is past its end counts as EXPIRED before the sweep has seen it."""
    over = Q(status=PolicyStatus.ACTIVE, expires_at__lte=timezone.now())
    if policy_status is None:
        return rows
    if policy_status == PolicyStatus.EXPIRED:
        return rows.filter(Q(status=policy_status) | over)
    return rows.filter(status=policy_status).exclude(over)


def of_wallet(caller: Caller, wallet_id: str) -> QuerySet[WalletPolicy]:
    """The policies of one wallet; 404 when it is none of the business's."""
    return wallet_policies(caller).filter(wallet=get_business_wallet(caller, wallet_id))


def of_employee(caller: Caller, employee_id: str) -> QuerySet[WalletPolicy]:
    """The policies of one employee: one's own, or anybody's for the office; 404 otherwise."""
    return wallet_policies(caller).filter(employee=visible_employee(caller, employee_id))


def get_policy(caller: Caller, policy_id: str) -> WalletPolicy:
    """One policy; 404 when the business has none such."""
    policy = wallet_policies(caller).filter(id=policy_id).first()
    if policy is None:
        raise errors.not_found("wallet policy")
    return policy


def get_business_wallet(caller: Caller, wallet_id: str) -> Wallet:
    """A wallet of the business itself, or of one of its fund accounts: those of employees and cards have no policies."""
    rows = Wallet.objects.filter(Q(holder_id="") | Q(wallet_type=INVESTMENT), business_id=caller.business.id)
    wallet = rows.filter(id=wallet_id).first()
    if wallet is None:
        raise errors.not_found("wallet")
    return wallet


def visible_employee(caller: Caller, employee_id: str) -> Employee:
    """Oneself, or anybody of the business for the office; 404 otherwise."""
    employee = Employee.objects.filter(business_id=caller.business.id, id=employee_id).first()
    if employee is None or (caller.role not in OFFICE and employee.id != caller.employee_id):
        raise errors.not_found("employee")
    return employee
