"""What transaction tests stand on: movements written by hand, and files sent in."""

from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from service.sandbox import simulation
from tests.service.house import House


def written(house: House, by: str = "Ada", **more: Any) -> dict[str, Any]:
    """A PENDING transaction, made by an admin."""
    body = {"type": "TOPUP", "org_wallet_ref": "1", "amount": 2500.5, "counterparty": "Acme Ltd", **more}
    answer = house.post("/transactions/new", body, by=by)
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def put(house: House, path: str, body: Any = None, by: str = "Apollo", **more: Any) -> Any:
    """A PUT, by an approver unless somebody else is named."""
    return house.send("PUT", path, body, by=by, **more)


def posted(house: House, **more: Any) -> dict[str, Any]:
    """A transaction written by Ada and approved by Apollo."""
    answer = put(house, f"/transactions/{written(house, **more)['_id']}/approve")
    assert answer.status_code == 200, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def upload(house: House, path: str, content: bytes, name: str = "proof.pdf", by: str = "Ada", **fields: str) -> Any:
    """Sends a file as a form."""
    data = encode_multipart(BOUNDARY, {**fields, "file": SimpleUploadedFile(name, content)})
    headers = {"Authorization": f"Bearer {house.token}", "business-id": house.business.id}
    headers["X-Acting-Employee"] = house.person(by).id
    return house.browser.generic("POST", f"/v2{path}", data, MULTIPART_CONTENT, headers=headers)


def spend(house: House, *names: str, count: int = 1) -> list[str]:
    """Expenses by those people; the ids of their transactions, newest first."""
    created = simulation.spend_some(house.business, [house.person(name) for name in names], count, with_receipts=False)
    found = {row["expense_id"]: row["_id"] for row in house.get("/transactions?limit=1000").json()["docs"]}
    return [found[expense.id] for expense in created]


def available(house: House, ref: str = "1") -> Decimal:
    """What a wallet has, in its currency's units."""
    row = next(row for row in house.get("/accounts").json()["docs"] if row["org_wallet_ref"] == ref)
    return Decimal(str(row["balances"]["available"]))


@pytest.fixture
def other(db: None) -> House:
    """Another business."""
    return House()
