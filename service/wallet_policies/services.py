"""What can be done with wallet policies: grant, modify, suspend, reactivate, revoke (decisions B.11).

Each change is an event, a line of the audit trail, and a link of the policies' own chained audit.
"""

from decimal import Decimal

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from service import errors, money
from service.accounts.models import Wallet
from service.auth import Caller
from service.businesses.models import Employee
from service.events.audit import record_audit
from service.events.outbox import plain, record_event
from service.respond import JsonObject
from service.text import with_article
from service.wallet_policies import catalogue, schemas, serializers
from service.wallet_policies.models import OPEN, PolicyAudit, PolicyStatus, WalletPolicy
from service.wallet_policies.schemas import LIMITS, NewWalletPolicy, WalletLimits, WalletPolicyChange
from service.wallet_policies.selectors import get_business_wallet, wallet_policies
from service.wallet_policies.transitions import MOVES, policy_move

Before = JsonObject | None


def grant(caller: Caller, new: NewWalletPolicy, ip: str = "") -> WalletPolicy:
    """A new policy, ACTIVE from `valid_from` on; never about oneself. Inside a transaction.

    404 for an unknown wallet or employee, 409 duplicate while the employee has an open policy on the wallet, 422 where
    the employee is not active, the dates make no sense, or the role can never have the permission.
    """
    paid_from = get_business_wallet(caller, new.wallet_id)
    holder = Employee.objects.filter(business_id=caller.business.id, id=new.employee_id).first()
    if holder is None:
        raise errors.not_found("employee")
    _not_self(caller, holder.id)
    if holder.status != Employee.Status.ACTIVE:
        raise errors.validation_failed("employee_id", "This employee is not active.", "inactive")
    for old in _locked_open(paid_from, holder):
        if old.state() != PolicyStatus.EXPIRED:
            raise errors.duplicate("The employee has a policy on this wallet: modify or revoke it.")
        _move(caller, old, "expire", ip)
    row = WalletPolicy(
        business=caller.business,
        wallet=paid_from,
        employee=holder,
        permissions=_permissions(new.permissions, holder),
        valid_from=new.valid_from or timezone.now(),
        expires_at=new.expires_at,
        granted_by=caller.label,
        reason=new.reason,
    )
    _set_limits(row, new.limits)
    _check_dates(row)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        raise errors.duplicate("The employee has a policy on this wallet: modify or revoke it.") from None
    _record_change(caller, row, "wallet_policy.granted", "GRANT", None, ip)
    return row


def modify(caller: Caller, policy_id: str, changes: WalletPolicyChange, ip: str = "") -> WalletPolicy:
    """Changes what is given of an open policy; 409 invalid_state once it is over. Inside a transaction."""
    row = _locked(caller, policy_id)
    _not_self(caller, row.employee_id)
    if row.state() not in OPEN:
        raise errors.invalid_state(f"A wallet policy that is {row.state()} is not modified.")
    before = serializers.policy(row)
    given = changes.model_fields_set
    if changes.permissions is not None:
        row.permissions = _permissions(changes.permissions, row.employee)
    if changes.limits is not None:
        _set_limits(row, changes.limits, only_given=True)
    if changes.valid_from is not None:
        row.valid_from = changes.valid_from
    if "expires_at" in given:
        row.expires_at = changes.expires_at
    if changes.reason is not None:
        row.reason = changes.reason
    _check_dates(row)
    _save(row)
    _record_change(caller, row, "wallet_policy.modified", "MODIFY", before, ip)
    return row


def move(caller: Caller, policy_id: str, verb: str, ip: str = "") -> WalletPolicy:
    """Suspends, reactivates or revokes (transitions.py); to be there already is no mistake. Inside a transaction."""
    row = _locked(caller, policy_id)
    _not_self(caller, row.employee_id)
    if policy_move(row, verb, row.state()) is None:
        return row
    if verb == "reactivate" and row.expires_at is not None and row.expires_at <= timezone.now():
        raise errors.invalid_state("Its time is over: give it a later end first, or grant a new one.")
    _move(caller, row, verb, ip)
    return row


def expire(caller: Caller, row: WalletPolicy) -> None:
    """Writes down that a locked policy's time is over."""
    _move(caller, row, "expire", "")


def _move(caller: Caller, row: WalletPolicy, verb: str, ip: str) -> None:
    transition = MOVES[verb]
    before = serializers.policy(row) | {"status": row.status}
    row.status = transition.target
    _save(row)
    _record_change(caller, row, transition.event, verb.upper(), before, ip)


def _save(row: WalletPolicy) -> None:
    row.version += 1
    row.save()


def _locked(caller: Caller, policy_id: str) -> WalletPolicy:
    policy = wallet_policies(caller).select_for_update(no_key=True, of=("self",)).filter(id=policy_id).first()
    if policy is None:
        raise errors.not_found("wallet policy")
    return policy


def _locked_open(of: Wallet, holder: Employee) -> QuerySet[WalletPolicy]:
    rows = WalletPolicy.objects.select_for_update(no_key=True, of=("self",)).select_related("wallet", "employee")
    return rows.filter(wallet=of, employee=holder, status__in=OPEN)


def _not_self(caller: Caller, employee_id: str) -> None:
    if employee_id == caller.employee_id:
        raise errors.self_approval_forbidden("Nobody changes what they may do themselves.")


def _permissions(names: list[schemas.PermissionName], holder: Employee) -> list[str]:
    barred = next((name for name in names if catalogue.is_barred(holder.role, name)), None)
    if barred is not None:
        raise errors.validation_failed(
            "permissions", f"{with_article(holder.role, capital=True)} can never have {barred}.", "not_for_role"
        )
    return sorted(set(names))


def _set_limits(row: WalletPolicy, wallet_limits: WalletLimits, *, only_given: bool = False) -> None:
    for name in LIMITS:
        if only_given and name not in wallet_limits.model_fields_set:
            continue
        amount: Decimal | None = getattr(wallet_limits, name)
        try:
            minor = None if amount is None else money.to_minor(amount, row.wallet.currency)
        except money.MoneyError as refusal:
            raise errors.validation_failed(f"limits.{name}", str(refusal)) from None
        setattr(row, f"{name}_minor", minor)


def _check_dates(row: WalletPolicy) -> None:
    if row.expires_at is None:
        return
    if row.expires_at <= row.valid_from:
        raise errors.validation_failed("expires_at", "It does not lie after valid_from.", "range")
    if row.expires_at <= timezone.now():
        raise errors.validation_failed("expires_at", "It lies in the past.", "range")


def _record_change(caller: Caller, row: WalletPolicy, event: str, action: str, before: Before, ip: str) -> None:
    payload: JsonObject = serializers.policy(row)
    changed = {name: value for name, value in (before or {}).items() if payload[name] != value}
    record_event(caller.business, event, payload, previous=changed, actor=caller)
    record_audit(caller, event, "wallet_policy", row.id, before, payload)
    PolicyAudit.objects.create(
        business_id=caller.business.id,
        at=timezone.now(),
        actor=caller.label,
        acting_employee=caller.employee_id,
        policy_id=row.id,
        wallet_id=row.wallet_id,
        employee_id=row.employee_id,
        action=action,
        before=plain(before) if before is not None else None,
        after=plain(payload),
        request_id=caller.request_id,
        ip=ip,
    )
