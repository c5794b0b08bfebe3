"""Who operates a fund account: who was named, and what still waits for another admin.

Naming and confirming are never about oneself (decisions F.4): one's own seat is shown and stays as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.commands.investments import subject_about
from dashboard.mirror.models import FundAccount
from dashboard.mirror.scopes import visible_employees
from dashboard.schemas.investments import Operator, Operators


@dataclass(frozen=True, slots=True)
class OperatorRow:
    """An operator as the page shows them: what they may do by now, and what waits for whom.

    `may` and `pending` are verbs ("invest and withdraw"); `pending` is "" where nothing waits. `confirm` says whether
    the actor confirms it, None where nothing waits or it is not known who named them.
    """

    employee_id: str
    name: str
    may: str
    pending: str = ""
    named_by: str = ""
    confirm: Verdict | None = None


def seats_of(actor: Actor, account: FundAccount, current_operators: Operators | None) -> list[OperatorRow]:
    """Everybody who was named an operator: of now, or of the copy (None), in which nothing is confirmed."""
    if current_operators is None:
        return [_copied_seat(row) for row in account.operators]
    named_by = {operator.named_by for operator in current_operators.operators if operator.named_by}
    names = dict(visible_employees(actor).filter(remote_id__in=named_by).values_list("remote_id", "name"))
    return [_seat(actor, account, operator, names) for operator in current_operators.operators]


def _copied_seat(row: Mapping[str, Any]) -> OperatorRow:
    may = _verbs(row.get("may_invest", row["can_invest"]), row.get("may_withdraw", row["can_withdraw"]))
    pending = _verbs(row["can_invest"], row["can_withdraw"]) if row.get("waits") else ""
    return OperatorRow(row["employee_id"], row["name"], may if row.get("counts", True) else "", pending)


def _seat(actor: Actor, account: FundAccount, operator: Operator, names: dict[str, str]) -> OperatorRow:
    waits = operator.status == "PENDING"
    invest = operator.can_invest if operator.may_invest is None else operator.may_invest
    withdraw = operator.can_withdraw if operator.may_withdraw is None else operator.may_withdraw
    may = _verbs(invest, withdraw) if operator.confirmed_at or not waits else ""
    if not waits:
        return OperatorRow(operator.employee_id, operator.name, may)
    by, confirm = operator.named_by or "", None
    if by:
        confirm = can(
            actor, operations_extra.CONFIRM_TREASURY_OPERATOR, subject_about(account, operator.employee_id, by)
        )
    pending = _verbs(operator.can_invest, operator.can_withdraw)
    return OperatorRow(operator.employee_id, operator.name, may, pending, names.get(by, by), confirm)


def _verbs(invest: bool, withdraw: bool) -> str:
    return " and ".join(verb for verb, may in (("invest", invest), ("withdraw", withdraw)) if may) or "view"


def replacement_text(account: FundAccount, now: Sequence[Operator]) -> str:
    """That the operators of an account are replaced, and who of the set of now counts only once it is confirmed."""
    waiting = ", ".join(operator.name for operator in now if operator.status == "PENDING")
    more = f" Another admin must confirm the new ones first: {waiting}." if waiting else ""
    return f"The operators of {account.fund_name} are replaced.{more}"
