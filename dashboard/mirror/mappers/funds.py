"""A fund account as a row of the copy; its operators come beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from dashboard.access.subject import Subject
from dashboard.mirror.mappers.mapper import Mapper, Payload
from dashboard.mirror.models import FundAccount


class FundAccountColumns(NamedTuple):
    """The columns of the table of FundAccount that its answers fill, beside what every copy has."""

    fund_id: str
    fund_name: str
    currency: str
    status: str
    operators: str


def fund_account(payload: Payload, locale: str) -> FundAccountColumns:
    """The columns of a fund account (B.19)."""
    operators = [
        {
            "employee_id": str(operator.get("employee_id") or ""),
            "name": str(operator.get("name") or ""),
            "can_invest": bool(operator.get("can_invest")),
            "can_withdraw": bool(operator.get("can_withdraw")),
            # Beside the published interface; a service without it lets count whoever is named.
            "may_invest": bool(operator.get("may_invest", operator.get("can_invest"))),
            "may_withdraw": bool(operator.get("may_withdraw", operator.get("can_withdraw"))),
            "waits": operator.get("status") == "PENDING",
            "counts": operator["confirmed_at"] is not None if "confirmed_at" in operator else True,
        }
        for operator in payload.get("operators") or []
        if isinstance(operator, Mapping)
    ]
    return FundAccountColumns(
        fund_id=str(payload.get("fund_id") or ""),
        fund_name=str(payload.get("fund_name") or ""),
        currency=str(payload.get("currency") or ""),
        status=str(payload.get("status") or ""),
        operators=json.dumps(operators),
    )


def fund_account_subject(account: FundAccount) -> Subject:
    """What a rule and the audit must know of a fund account."""
    return Subject(business_id=account.business_id, kind="fund_account", id=account.remote_id, title=account.fund_name)


FUND_ACCOUNT = Mapper(
    "fund_account",
    FundAccount,
    FundAccountColumns,
    fund_account,
    subject=fund_account_subject,
    names_ids=True,
)
