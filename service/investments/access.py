"""Who may do what with a fund account: by role, or as one of its treasury operators."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from service import errors, grants
from service.auth import OFFICE, Caller
from service.businesses.models import Role
from service.employees.models import Employee
from service.events.audit import note
from service.events.outbox import record
from service.investments import shown
from service.investments.models import OPEN_MOVEMENTS, FundAccount, Movement, Operator
from service.investments.schemas import OperatorsBody

GRANT = "TREASURY_OPERATOR"
MOVERS = frozenset({Role.APPROVER})
RIGHT = {"invest": "can_invest", "withdraw": "can_withdraw"}


def operated(caller: Caller, grant: str) -> frozenset[str]:
    """The lookup of the grant: the fund accounts that the caller's person operates."""
    rows = Operator.objects.filter(employee_id=caller.employee_id, account__business_id=caller.business.id)
    return frozenset(rows.values_list("account_id", flat=True))


def accounts(caller: Caller) -> QuerySet[FundAccount]:
    """All fund accounts of the business for the office, for anybody else those that they operate."""
    rows = FundAccount.objects.filter(business_id=caller.business.id)
    rows = rows.select_related("fund", "holding__balance", "cash__ledger_account__balance")
    return rows if caller.role in OFFICE else rows.filter(id__in=grants.held(caller, GRANT))


def account(caller: Caller, account_id: str) -> FundAccount:
    """One of the business's fund accounts, whoever asks; 404 without it."""
    rows = FundAccount.objects.filter(business_id=caller.business.id).select_related("fund", "cash", "holding")
    found = rows.filter(id=account_id).first()
    if found is None:
        raise errors.not_found("fund account")
    return found


def locked(caller: Caller, account_id: str) -> FundAccount:
    """The same, locked for a change."""
    rows = FundAccount.objects.select_for_update(of=("self",)).select_related("fund", "cash", "holding")
    found = rows.filter(business_id=caller.business.id, id=account_id).first()
    if found is None:
        raise errors.not_found("fund account")
    return found


def check(caller: Caller, account_id: str, right: str) -> None:
    """403 unless an approver, or an operator of that account with the right ("invest" or "withdraw")."""
    grants.check(caller, MOVERS, GRANT, account_id)
    if caller.role in MOVERS:
        return
    held = Operator.objects.filter(account_id=account_id, employee_id=caller.employee_id, **{RIGHT[right]: True})
    if not held.exists():
        raise errors.insufficient_role(f"This operator may not {right}.")


@dataclass(frozen=True, slots=True)
class Access:
    """What a person may do with a fund account, and why: `source` is ROLE, OPERATOR or NONE."""

    can_view: bool
    can_invest: bool
    can_withdraw: bool
    source: str
    reason: str


def of_caller(caller: Caller, account_id: str) -> Access:
    """The effective access of the caller's person; 404 without the account."""
    account(caller, account_id)
    role = caller.role.replace("_", " ").lower()
    if caller.role in MOVERS:
        return Access(True, True, True, "ROLE", f"The role {role} moves money of every fund account.")
    seat = Operator.objects.filter(account_id=account_id, employee_id=caller.employee_id).first()
    if seat is not None:
        rights = [name for name, field in RIGHT.items() if getattr(seat, field)]
        reason = f"A treasury operator of this account who may {' and '.join(rights) or 'only look'}."
        return Access(True, seat.can_invest, seat.can_withdraw, "OPERATOR", reason)
    if caller.role in OFFICE:
        reason = f"The role {role} sees fund accounts and moves none; this person is no treasury operator."
        return Access(True, False, False, "ROLE", reason)
    reason = f"The role {role} sees no fund account, and this person is no treasury operator of it."
    return Access(False, False, False, "NONE", reason)


def operators(row: FundAccount) -> list[Operator]:
    """The operators of an account, by name."""
    return list(Operator.objects.filter(account=row).select_related("employee").order_by("employee__name", "id"))


def replace(caller: Caller, account_id: str, body: OperatorsBody, version: int) -> tuple[FundAccount, list[Operator]]:
    """Puts a whole new set of operators in place of the one of `version`.

    412 precondition_failed where somebody else replaced it since, 409 operators_required for an empty set while
    movements are open, 422 for people who are not active here or named twice.
    """
    with transaction.atomic():
        row = locked(caller, account_id)
        if row.operators_version != version:
            raise stale()
        if not body.operators and Movement.objects.filter(account=row, status__in=OPEN_MOVEMENTS).exists():
            raise errors.conflict("operators_required", "Movements are under way: somebody must operate the account.")
        people = _people(caller, [each.employee_id for each in body.operators])
        before = shown.operators(row, operators(row))
        Operator.objects.filter(account=row).delete()
        Operator.objects.bulk_create(
            Operator(
                account=row,
                employee=people[each.employee_id],
                can_invest=each.can_invest,
                can_withdraw=each.can_withdraw,
            )
            for each in body.operators
        )
        row.operators_version += 1
        row.version += 1
        row.save(update_fields=["operators_version", "version", "updated_at"])
        now = operators(row)
        after = shown.operators(row, now)
        record(caller.business, "investment.operators_replaced", after, previous=before, actor=caller)
        note(caller, "investment.replace_operators", "fund_account", row.id, before, after)
    return row, now


def _people(caller: Caller, ids: list[str]) -> dict[str, Employee]:
    if len(set(ids)) != len(ids):
        raise errors.validation_failed("operators", "Somebody is named twice.", "duplicate")
    rows = Employee.objects.filter(business_id=caller.business.id, status=Employee.Status.ACTIVE, id__in=ids)
    found = {row.id: row for row in rows}
    for place, each in enumerate(ids):
        if each not in found:
            raise errors.validation_failed(
                f"operators.{place}.employee_id", "There is no such active employee.", "unknown"
            )
    return found


def stale() -> errors.ServiceError:
    """412: the set was replaced since it was read."""
    return errors.ServiceError(412, "precondition_failed", "The operators were replaced since: read them again.")


def version_named(if_match: str | None) -> int:
    """The version of an If-Match header ("3", with or without quotes); 428 without it, 412 for one that never was."""
    if if_match is None:
        raise errors.ServiceError(428, "precondition_required", "Send If-Match with the version that you read.")
    text = if_match.strip().removeprefix("W/").strip('"')
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise stale()
    return int(text)


def access(found: Access, employee_id: str | None) -> dict[str, Any]:
    """The access as the interface shows it."""
    return {
        "employee_id": employee_id,
        "can_view": found.can_view,
        "can_invest": found.can_invest,
        "can_withdraw": found.can_withdraw,
        "source": found.source,
        "reason": found.reason,
    }
