"""Funds: opting in, moving money into and out of a fund account, naming who operates it, and confirming them.

Raises what `run` raises. Interface: Investments (POST and PUT /investments…); naming and confirming are never about
oneself (decisions F.4).
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.standing import forget_standing
from dashboard.access.subject import Subject, people, subject_of
from dashboard.client.page import typed
from dashboard.client.reads import read_live
from dashboard.commands.run import CommandResult, Key, run, write_through
from dashboard.mirror.models import FundAccount
from dashboard.schemas.investments import MovementBody, Operator, Operators, OperatorSeatBody, OptInTerms

LIVE_S = 2.0
NAMES = {"org_wallet_ref": "wallet", "units": "amount"}


@dataclass(frozen=True)
class FundOrder:
    """A top-up, an investment or a withdrawal as the service accepted it: the amount in units of the currency, and
    whether somebody approves it first."""

    amount: Decimal
    currency: str
    needs_approval: bool


def opt_in(
    actor: Actor, body: OptInTerms, fund_name: str, *, key: Key, form: forms.BaseForm | None = None
) -> CommandResult:
    """Asks to hold a fund; whoever approves it finds it in the inbox. Answers with the opt-in."""
    fund = Subject(business_id=actor.business.pk, kind="fund", id=body["fund_id"], title=fund_name)
    result = run(actor, operations.OPT_IN_TO_FUND, fund, body, key=key, form=form)
    write_through(actor, "fund_opt_in", {"_id": result.data["ref"], **result.data})
    return result


def top_up(
    actor: Actor, account: FundAccount, body: MovementBody, *, key: Key, form: forms.BaseForm | None = None
) -> FundOrder:
    """From the wallet that `org_wallet_ref` names into the account's own."""
    return _move(actor, operations.TOP_UP_INVESTMENT, account, body, key, form)


def invest(
    actor: Actor, account: FundAccount, body: MovementBody, *, key: Key, form: forms.BaseForm | None = None
) -> FundOrder:
    """Buys units for an `amount`, out of the account's wallet or the one that is named."""
    return _move(actor, operations.INVEST, account, body, key, form)


def withdraw(
    actor: Actor, account: FundAccount, body: MovementBody, *, key: Key, form: forms.BaseForm | None = None
) -> FundOrder:
    """Redeems units, for an `amount`, so many `units`, or `all`; the amount that is answered is an estimate."""
    return _move(actor, operations.WITHDRAW_INVESTMENT, account, body, key, form)


def _move(
    actor: Actor, operation: Operation, account: FundAccount, body: MovementBody, key: Key,
    form: forms.BaseForm | None,
) -> FundOrder:  # fmt: skip
    result = run(actor, operation, account, body, key=key, path=_path(account), form=form, names=NAMES)
    return FundOrder(result.data["amount"], result.data["currency"], result.data.get("status") == "PENDING_APPROVAL")


def operators_of(actor: Actor, account: FundAccount) -> Operators:
    """Who operates an account now, with the version of the set; read live."""
    read = operations.READ_TREASURY_OPERATORS
    answer = read_live(actor, read, path=_path(account), subject=account, deadline=LIVE_S)
    return typed([answer.data], Operators)[0]


def subject_about(account: FundAccount, *employee_ids: str | None) -> Subject:
    """A fund account as the subject of a change that is about these employees, for the rule `not_self`."""
    return dataclasses.replace(subject_of(account), about=people(*employee_ids))


def replace_operators(
    actor: Actor, account: FundAccount, seats: Iterable[OperatorSeatBody], version: int, *, key: Key
) -> list[Operator]:
    """Puts these seats in place of the set of that version; the actor's own seat stays as it is.

    Returns the set as it is then; Stale where somebody
    replaced it meanwhile.
    """
    now = {seat.employee_id: seat for seat in operators_of(actor, account).operators}
    named = list(seats)
    if own := now.get(actor.employee_id):
        named.append({"employee_id": own.employee_id, "can_invest": own.can_invest, "can_withdraw": own.can_withdraw})
    changed = _changed(now, named)
    result = run(
        actor, operations.REPLACE_TREASURY_OPERATORS, subject_about(account, *changed), {"operators": named}, key=key,
        path=_path(account), if_match=version,
    )  # fmt: skip
    _copy(actor, account, result.data, changed)
    return typed(result.data["operators"], Operator)


def _changed(now: Mapping[str, Operator], named: Sequence[OperatorSeatBody]) -> list[str]:
    """The employee ids whose rights differ between the two sets of seats, sorted."""
    before = {employee_id: (operator.can_invest, operator.can_withdraw) for employee_id, operator in now.items()}
    after = {seat["employee_id"]: (seat["can_invest"], seat["can_withdraw"]) for seat in named}
    return sorted(
        employee_id for employee_id in before.keys() | after.keys() if before.get(employee_id) != after.get(employee_id)
    )


def confirm_operator(
    actor: Actor, account: FundAccount, employee_id: str, version: int, *, key: Key
) -> Operator | None:
    """Lets count what was named of somebody, of the set of that version; None where they are named no more.

    Stale where the set was replaced meanwhile.
    """
    seat = next(
        (operator for operator in operators_of(actor, account).operators if operator.employee_id == employee_id), None
    )
    if seat is None:
        return None
    title = f"{seat.name} of {account.fund_name}"
    subject = dataclasses.replace(subject_about(account, seat.employee_id, seat.named_by), title=title)
    result = run(
        actor, operations_extra.CONFIRM_TREASURY_OPERATOR, subject, key=key, if_match=version,
        path=_path(account) | {"employeeId": employee_id},
    )  # fmt: skip
    _copy(actor, account, result.data, [employee_id])
    return seat


def _path(account: FundAccount) -> dict[str, str]:
    return {"fundAccountId": account.remote_id}


def _copy(actor: Actor, account: FundAccount, data: Mapping[str, Any], changed: Sequence[str]) -> None:
    write_through(actor, "fund_account", account.payload | {"operators": data["operators"]})
    for employee_id in changed:
        forget_standing(actor.business.pk, employee_id)
