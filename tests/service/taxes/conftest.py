"""Taxes that were withheld from bills, and remittances of them over HTTP."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from service.bills import execution
from tests.service.bills.conftest import add, bill, no_worker, request_votes, unmandated  # noqa: F401
from tests.service.house import House


def day(house: House, ahead: int = 0) -> str:
    """The business's day, so many days from today."""
    return (datetime.now(ZoneInfo(house.business.time_zone)).date() + timedelta(days=ahead)).isoformat()


def deducted(house: House, amount: float = 100_000, number: str = "INV-1", **more: Any) -> dict[str, Any]:
    """The tax that was withheld from a bill which was just paid."""
    known = house.get("/taxes").json()["docs"]
    tax = next(each for each in known if each["code"] == more.pop("code", "WHT_PROFESSIONAL"))
    created = bill(house, amount, bill_no=number, withholding_tax_ids=[tax["_id"]], **more)
    row = request_votes(house, add(house, created).json()).json()
    assert execution.execute(row["_id"]) == "SUCCEEDED"
    [found] = house.get(f"/taxes/transactions?bill_payment_ref={row['payment_ref']}").json()["docs"]
    return dict(found)


def remit(house: House, *rows: dict[str, Any], by: str | None = "Ada", key: str | None = "", **more: Any) -> Any:
    """The raw answer of paying them over, today unless another day is named."""
    named = [{"tax_transaction_id": each["_id"], "certificate_no": f"KRAWHT{each['_id'][-6:]}"} for each in rows]
    body = {"remitted_on": day(house), "transactions": named, **more}
    return house.post("/taxes/remittances", body, by=by, key=key)


@pytest.fixture
def paying(unmandated: House) -> House:  # noqa: F811
    """A business whose bills need no votes."""
    return unmandated
