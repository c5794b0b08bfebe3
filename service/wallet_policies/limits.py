"""The limits of a wallet policy: checked wherever money leaves a wallet, in the transaction in which it does."""

from datetime import datetime

from django.db.models import Sum
from django.utils import timezone

from service import errors, money, periods
from service.accounts.models import Wallet
from service.auth import Caller
from service.businesses.models import Employee
from service.wallet_policies.models import OPEN, PolicyStatus, WalletPolicy, WalletUse


def check(caller: Caller, wallet: Wallet, permission: str, amount_minor: int, *, ref: str = "") -> None:
    """Refuses what the caller's policy on that wallet does not allow, and counts what it does (decisions B.11).

    403 policy_blocked where the person's policy is suspended (it takes away what it names, whatever the role gives);
    422 limit_exceeded beyond a limit. Says nothing of people without a policy there: their role decides. Must run in
    the transaction that moves the money; two at once wait for each other on the policy's row, so never both pass.
    What is asked for again (`ref`: a payout that went back to draft) is counted once, and `undo` forgets it.
    """
    if caller.employee is not None:
        check_person(caller.employee, wallet, permission, amount_minor, ref=ref)


def undo(wallet: Wallet, ref: str) -> None:
    """What was counted under this reference moves no money after all."""
    WalletUse.objects.filter(wallet_id=wallet.id, ref=ref).delete()


def check_person(employee: Employee, wallet: Wallet, permission: str, amount_minor: int, *, ref: str = "") -> None:
    """Checks and counts a use by a person who does not call themselves, such as the holder of a card; see `check`."""
    refusal = _use(employee, wallet, permission, amount_minor, ref)
    if refusal is not None:
        raise refusal


def _use(
    employee: Employee, wallet: Wallet, permission: str, amount_minor: int, ref: str
) -> errors.ServiceError | None:
    """The refusal, not raised; None where the use is allowed, which is counted then."""
    policies = WalletPolicy.objects.select_for_update(no_key=True, of=("self",)).filter(
        wallet_id=wallet.id, employee_id=employee.id, status__in=OPEN, permissions__contains=[permission]
    )
    policy = policies.first()
    now = timezone.now()
    if policy is None or policy.state(now) == PolicyStatus.EXPIRED or policy.valid_from > now:
        return None
    if policy.status == PolicyStatus.SUSPENDED:
        return errors.policy_blocked(f"The wallet policy that gives {permission} is suspended.")
    if ref:
        undo(wallet, ref)
    over = _exceeded(policy, wallet, amount_minor, now)
    if over is not None:
        name, limit = over
        limit_text = f"{wallet.currency} {money.to_number(limit, wallet.currency)}"
        return errors.limit_exceeded(f"The {name} limit of the wallet policy is {limit_text}.")
    WalletUse.objects.create(
        policy=policy,
        wallet=wallet,
        employee=employee,
        permission=permission,
        amount_minor=amount_minor,
        ref=ref,
        at=now,
    )
    return None


def _exceeded(wallet_policy: WalletPolicy, wallet: Wallet, amount_minor: int, now: datetime) -> tuple[str, int] | None:
    """The first limit that the amount would break, by its name and height."""
    if wallet_policy.per_transaction_minor is not None and amount_minor > wallet_policy.per_transaction_minor:
        return "per-transaction", wallet_policy.per_transaction_minor
    today = periods.day_of(now, wallet.business)
    for name, limit, first in (
        ("daily", wallet_policy.daily_minor, today),
        ("monthly", wallet_policy.monthly_minor, today.replace(day=1)),
    ):
        if limit is not None:
            moved = WalletUse.objects.filter(
                wallet_id=wallet.id,
                employee_id=wallet_policy.employee_id,
                at__gte=periods.start_of(first, wallet.business),
            ).aggregate(sum=Sum("amount_minor"))["sum"]
            if (moved or 0) + amount_minor > limit:
                return name, limit
    return None
