"""What investment tests stand on: a fund account, opened by one person and approved by another."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from service.approvals.mandates import NewMandate, open_mandates
from service.approvals.models import ActionType
from service.investments import accrual, settlement
from service.investments.models import FundAccount, Movement
from service.ledger.post import today
from tests.service.house import House


def fund(house: House, code: str = "BAO-MMF-KES") -> dict[str, Any]:
    """A fund of the catalogue."""
    rows = house.get("/investments/funds").json()["docs"]
    found: dict[str, Any] = next(row for row in rows if row["code"] == code)
    return found


def request_opt_in(house: House, code: str = "BAO-MMF-KES", by: str = "Ada") -> dict[str, Any]:
    """An opt-in that waits."""
    answer = house.post("/investments/opt-in", {"fund_id": fund(house, code)["_id"]}, by=by)
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def opened(house: House, code: str = "BAO-MMF-KES") -> str:
    """An active fund account, asked for by Ada and approved by Apollo; its id."""
    created = request_opt_in(house, code)
    answer = house.post(f"/investments/opt-in/{created['ref']}/approve", by="Apollo")
    assert answer.status_code == 200, answer.json()
    return str(created["fund_account_id"])


def name_operators(
    house: House, account: str, *people: dict[str, Any], match: str | None = "1", by: str = "Ada"
) -> Any:
    """Puts these in the place of the operators of that version; the raw answer."""
    headers = {"If-Match": match} if match is not None else {}
    path = f"/investments/accounts/{account}/permissions"
    return house.send("PUT", path, {"operators": list(people)}, by=by, headers=headers)


def confirm(house: House, account: str, name: str, match: str | None = "2", by: str | None = "Abel") -> Any:
    """Another admin lets an operator count; the raw answer."""
    headers = {"If-Match": match} if match is not None else {}
    path = f"/investments/accounts/{account}/permissions/{house.person(name).id}/confirm"
    return house.post(path, by=by, headers=headers)


def seat(house: House, name: str, **rights: bool) -> dict[str, Any]:
    return {"employee_id": house.person(name).id, **rights}


def move(house: House, account: str, verb: str, by: str = "Apollo", key: str = "", **body: Any) -> Any:
    """invest, top-up or withdraw."""
    return house.post(f"/investments/accounts/{account}/{verb}", body, by=by, key=key)


def invested(house: House, account: str, amount: float = 100_000, ref: str = "1") -> None:
    """Money from a wallet of the business, in units already."""
    answer = move(house, account, "invest", amount=amount, org_wallet_ref=ref)
    assert answer.status_code == 202, answer.json()
    settlement.settle(answer.json()["_id"])


def state(house: House, account: str) -> dict[str, Any]:
    found: dict[str, Any] = house.get(f"/investments/accounts/{account}").json()
    return found


def available(house: House, ref: str = "1") -> Decimal:
    rows = {row["org_wallet_ref"]: row["balances"] for row in house.get("/accounts").json()["docs"]}
    return Decimal(str(rows[ref]["available"]))


def pass_days(monkeypatch: pytest.MonkeyPatch, house: House, days: int) -> date:
    """It is so many days later for investments."""
    later = today(house.business) + timedelta(days=days)
    for module in (settlement, accrual):
        monkeypatch.setattr(module, "today", lambda _: later)
    return later


def due_now(movement_id: str) -> None:
    """Its notice is over."""
    row = Movement.objects.select_related("business").get(id=movement_id)
    Movement.objects.filter(id=movement_id).update(value_date=today(row.business))


def held(account: str) -> Decimal:
    """The units under way."""
    return FundAccount.objects.get(id=account).held_units


@pytest.fixture
def mandated(house: House) -> House:
    """A business in which two of three approvers vote on investments from 50,000 shillings on."""
    people = [house.person(name) for name in ("Apollo", "Zawadi", "Juma")]
    open_mandates(house.business, people, [NewMandate(ActionType.INVESTMENT, "KES", 2, 50_000_00, None, False)])
    return house
