"""Vendors with accounts, made over HTTP."""

from typing import Any

from django.utils import timezone

from tests.service.house import House

ACCOUNT = "254712345678"
OTHER = "254722000111"


def call_back(**more: Any) -> dict[str, Any]:
    """A call of just now to the vendor."""
    called_at = timezone.now().isoformat().replace("+00:00", "Z")
    return {"number": "254712345678", "spoke_to": "Mary Otieno", "called_at": called_at, **more}


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


def decide(
    house: House, created: dict[str, Any], verb: str, by: str | None = "Apollo", place: int = -1, **more: Any
) -> Any:
    """The word of a second person on one of the vendor's accounts, who has called the vendor back before saying yes."""
    waiting = [each for each in created["payment_instructions"] if each["status"] == "QUARANTINED"]
    target = (waiting or created["payment_instructions"])[place]
    body: dict[str, Any] = {"reason": "Called back on the number in the contract."}
    if verb == "confirm":
        body["call_back"] = call_back()
    body |= more
    return house.post(f"/vendors/{created['_id']}/payment-instruction/{target['_id']}/{verb}", body, by=by)
