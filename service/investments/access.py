"""Who may do what with a fund account: by role, or as one of its treasury operators."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypedDict

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from service import errors, grants
from service.accounts.models import Wallet
from service.auth import OFFICE, Caller
from service.businesses.models import Employee, Role
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.inputs import whole_number
from service.investments import serializers
from service.investments.models import OPEN_MOVEMENTS, FundAccount, Movement, Operator
from service.investments.schemas import OperatorIn, OperatorsBody

GRANT = "TREASURY_OPERATOR"
MOVERS = frozenset({Role.APPROVER})
RIGHT = {"invest": "confirmed_invest", "withdraw": "confirmed_withdraw"}


def operated(caller: Caller, grant: str) -> frozenset[str]:
    """The lookup of the grant: the fund accounts that the caller's person operates, once another admin confirmed it."""
    rows = Operator.objects.filter(
        employee_id=caller.employee_id, account__business_id=caller.business.id, confirmed_at__isnull=False
    )
    return frozenset(rows.values_list("account_id", flat=True))


def operator_seats(person: Employee, wallet: Wallet) -> Iterable[bool]:
    """Of the fund accounts whose cash the wallet is and that the person operates: whether the seat may invest."""
    return Operator.objects.filter(employee=person, account__cash=wallet).values_list("can_invest", flat=True)


def visible_accounts(caller: Caller) -> QuerySet[FundAccount]:
    """All fund accounts of the business for the office, for anybody else those that they operate."""
    rows = FundAccount.objects.filter(business_id=caller.business.id)
    rows = rows.select_related("business", "fund", "holding__balance", "cash__ledger_account__balance")
    return rows if caller.role in OFFICE else rows.filter(id__in=grants.held(caller, GRANT))


def get_account(caller: Caller, account_id: str) -> FundAccount:
    """One of the business's fund accounts, whoever asks; 404 without it."""
    rows = FundAccount.objects.filter(business_id=caller.business.id).select_related(
        "business", "fund", "cash", "holding"
    )
    account = rows.filter(id=account_id).first()
    if account is None:
        raise errors.not_found("fund account")
    return account


def lock_account(caller: Caller, account_id: str) -> FundAccount:
    """One of the business's fund accounts, locked for a change; 404 without it."""
    rows = FundAccount.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "business", "fund", "cash", "holding"
    )
    account = rows.filter(business_id=caller.business.id, id=account_id).first()
    if account is None:
        raise errors.not_found("fund account")
    return account


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
    get_account(caller, account_id)
    role = caller.role.replace("_", " ").lower()
    if caller.role in MOVERS:
        return Access(True, True, True, "ROLE", f"The role {role} moves money of every fund account.")
    seats = Operator.objects.filter(account_id=account_id, employee_id=caller.employee_id).select_related("employee")
    seat = seats.first()
    if seat is not None and seat.confirmed_at is not None:
        rights = [name for name, field in RIGHT.items() if getattr(seat, field)]
        reason = f"A treasury operator of this account who may {' and '.join(rights) or 'only look'}."
        more = " What was added waits for another admin's confirmation." if seat.waits else ""
        return Access(True, seat.confirmed_invest, seat.confirmed_withdraw, "OPERATOR", reason + more)
    person = "was named a treasury operator, which waits for another admin" if seat else "is no treasury operator"
    if caller.role in OFFICE:
        reason = f"The role {role} sees fund accounts and moves none; this person {person}."
        return Access(True, False, False, "ROLE", reason)
    reason = f"The role {role} sees no fund account, and this person {person} of it."
    return Access(False, False, False, "NONE", reason)


def list_operators(row: FundAccount) -> list[Operator]:
    """The operators of an account, by name."""
    return list(Operator.objects.filter(account=row).select_related("employee").order_by("employee__name", "id"))


def replace(caller: Caller, account_id: str, body: OperatorsBody, version: int) -> tuple[FundAccount, list[Operator]]:
    """Puts a whole new set of operators in place of the one of `version`. What is new counts once it is confirmed.

    403 self_approval_forbidden for a set that changes the caller's own seat, 412 precondition_failed where somebody
    else replaced it since, 409 operators_required for an empty set while movements are open, 422 for people who are not
    active here or named twice.
    """
    with transaction.atomic():
        row = lock_account(caller, account_id)
        if row.operators_version != version:
            raise stale()
        if not body.operators and Movement.objects.filter(account=row, status__in=OPEN_MOVEMENTS).exists():
            raise errors.conflict("operators_required", "Movements are under way: somebody must operate the account.")
        people = _people(caller, [operator.employee_id for operator in body.operators])
        now = list_operators(row)
        seated = {operator.employee_id: operator for operator in now}
        _check_not_self(caller, seated, body)
        before = serializers.operators(row, now)
        Operator.objects.filter(account=row).exclude(employee_id__in=people).delete()
        for operator in body.operators:
            seat = seated.get(operator.employee_id) or Operator(account=row, employee=people[operator.employee_id])
            _seat(caller, seat, operator)
        row.operators_version += 1
        row.version += 1
        row.save(update_fields=["operators_version", "version", "updated_at"])
        now = list_operators(row)
        after = serializers.operators(row, now)
        record_event(
            caller.business, "investment.operators_replaced", {"_id": row.id, **after}, previous=before, actor=caller
        )
        record_audit(caller, "investment.replace_operators", "fund_account", row.id, before, after)
    return row, now


def _check_not_self(caller: Caller, seated: dict[str, Operator], body: OperatorsBody) -> None:
    """The rule not_self: naming operators is never about oneself."""
    own = seated.get(caller.employee_id or "")
    before = (own.can_invest, own.can_withdraw) if own else None
    named = next((operator for operator in body.operators if operator.employee_id == caller.employee_id), None)
    if before != ((named.can_invest, named.can_withdraw) if named else None):
        raise errors.self_approval_forbidden(
            "Nobody names themselves a treasury operator, or changes their own rights."
        )


def _seat(caller: Caller, seat: Operator, named: OperatorIn) -> None:
    """Saves a seat with these rights: what was confirmed before and stays is confirmed, what is new waits."""
    fresh = seat.pk is None or not seat.named_by
    more = (named.can_invest and not seat.can_invest) or (named.can_withdraw and not seat.can_withdraw)
    seat.can_invest, seat.can_withdraw = named.can_invest, named.can_withdraw
    seat.confirmed_invest &= named.can_invest
    seat.confirmed_withdraw &= named.can_withdraw
    if fresh or more:
        seat.named_by, seat.named_at, seat.confirmed_by = caller.label, timezone.now(), ""
    seat.save()


def confirm(caller: Caller, account_id: str, employee_id: str, version: int) -> tuple[FundAccount, list[Operator]]:
    """Another admin lets what was named count, of the set of `version`; nothing happens where it counts already.

    404 without the account or the seat, 403 self_approval_forbidden for whoever named it and for the operator, 409
    invalid_state where it is not known who named it, 412 precondition_failed where the set was replaced since.
    """
    with transaction.atomic():
        row = lock_account(caller, account_id)
        if row.operators_version != version:
            raise stale()
        seats = Operator.objects.select_for_update(no_key=True, of=("self",)).select_related("employee")
        seat = seats.filter(account=row, employee_id=employee_id).first()
        if seat is None:
            raise errors.not_found("operator of this fund account")
        if caller.employee_id in (seat.employee_id, seat.named_by):
            raise errors.self_approval_forbidden(
                "Another admin confirms it: neither the operator nor whoever named them."
            )
        if not seat.named_by:
            raise errors.invalid_state("It is not known who named this operator: replace the set first.")
        now = list_operators(row)
        if not seat.waits:
            return row, now
        before = serializers.operators(row, now)
        seat.confirmed_invest, seat.confirmed_withdraw = seat.can_invest, seat.can_withdraw
        seat.confirmed_by, seat.confirmed_at = caller.label, timezone.now()
        seat.save()
        row.version += 1
        row.save(update_fields=["version", "updated_at"])
        now = list_operators(row)
        after = serializers.operators(row, now)
        record_event(
            caller.business, "investment.operator_confirmed", {"_id": row.id, **after}, previous=before, actor=caller
        )
        record_audit(caller, "investment.confirm_operator", "fund_account", row.id, before, after)
    return row, now


def _people(caller: Caller, ids: list[str]) -> dict[str, Employee]:
    if len(set(ids)) != len(ids):
        raise errors.validation_failed("operators", "Somebody is named twice.", "duplicate")
    rows = Employee.objects.filter(business_id=caller.business.id, status=Employee.Status.ACTIVE, id__in=ids)
    people = {row.id: row for row in rows}
    for place, employee_id in enumerate(ids):
        if employee_id not in people:
            raise errors.validation_failed(
                f"operators.{place}.employee_id", "There is no such active employee.", "unknown"
            )
    return people


def stale() -> errors.ServiceError:
    """412: the set was replaced since it was read."""
    return errors.ServiceError(412, "precondition_failed", "The operators were replaced since: read them again.")


def version_named(if_match: str | None) -> int:
    """The version of an If-Match header ("3", with or without quotes); 428 without it, 412 for one that never was."""
    if if_match is None:
        raise errors.ServiceError(428, "precondition_required", "Send If-Match with the version that you read.")
    text = if_match.strip().removeprefix("W/").strip('"')
    version = whole_number(text, 999_999_999)
    if version is None:
        raise stale()
    return version


class AccessShape(TypedDict):
    """What somebody may do with a fund account, by what, and why not."""

    employee_id: str | None
    can_view: bool
    can_invest: bool
    can_withdraw: bool
    source: str | None
    reason: str | None


def access(access: Access, employee_id: str | None) -> AccessShape:
    """The access as the interface shows it."""
    return {
        "employee_id": employee_id,
        "can_view": access.can_view,
        "can_invest": access.can_invest,
        "can_withdraw": access.can_withdraw,
        "source": access.source,
        "reason": access.reason,
    }
