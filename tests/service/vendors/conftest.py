"""Vendors with accounts, made over HTTP."""

from typing import Any

from tests.service.house import House

ACCOUNT = "254712345678"
OTHER = "254722000111"


def account(number: str = ACCOUNT, **more: Any) -> dict[str, Any]:
    """An account on a phone."""
    return {"channel": "MPESA_SEND_MONEY", "account": number, **more}


def vendor(house: House, *accounts: dict[str, Any], by: str | None = "Ada", **more: Any) -> dict[str, Any]:
    """A vendor with one account, or with those given."""
    body = {"name": "Acacia Supplies", "payment_instructions": list(accounts) or [account()], **more}
    answer = house.post("/vendors", body, by=by)
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def decide(house: House, created: dict[str, Any], verb: str, by: str | None = "Apollo", place: int = -1) -> Any:
    """The word of a second person on one of the vendor's accounts."""
    waiting = [each for each in created["payment_instructions"] if each["status"] == "QUARANTINED"]
    target = (waiting or created["payment_instructions"])[place]
    body = {"reason": "Called back on the number in the contract."}
    return house.post(f"/vendors/{created['_id']}/payment-instruction/{target['_id']}/{verb}", body, by=by)
