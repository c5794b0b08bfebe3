"""Policies in their groups."""

from typing import Any

from tests.service.house import House


def group(house: House, code: str) -> str:
    """The id of a policy group."""
    rows = house.get("/business-policies").json()["docs"]
    found: str = next(row["_id"] for row in rows if row["code"] == code)
    return found


def create_policy(house: House, type_: str, target: str = "", **more: Any) -> dict[str, Any]:
    """A policy of that type; BLOCK unless another action is given."""
    code = "CATEGORY" if type_ in ("CATEGORY", "SUBCATEGORY") else type_
    body = {"type": type_, "action": "BLOCK", **({"target": target} if target else {}), **more}
    answer = house.post(f"/business-policies/create/{group(house, code)}", body)
    assert answer.status_code == 201, answer.content
    found: dict[str, Any] = answer.json()
    return found


def limit(amount: float, period: str | None = "MONTH", currency: str = "KES") -> dict[str, Any]:
    return {"limit": amount, "currency": currency, "period": period}


def workflow(house: House, **more: Any) -> dict[str, Any]:
    """A workflow of one approver."""
    body = {"name": "Anybody", "steps": [{"order": 1, "role": "APPROVER"}], **more}
    answer = house.post("/business-policies/workflows", body)
    assert answer.status_code == 201, answer.content
    found: dict[str, Any] = answer.json()
    return found
