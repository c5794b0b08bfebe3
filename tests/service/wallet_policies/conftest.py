"""A policy of Carla's on the business's first wallet."""

from typing import Any

from tests.service.house import House


def wallet_id(house: House, place: int = 0) -> str:
    return house.opened.wallets[place].id


def body(house: House, *, who: str = "Carla", place: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "wallet_id": wallet_id(house, place),
        "employee_id": house.person(who).id,
        "permissions": ["WALLET_VIEW", "WALLET_ALLOCATE"],
        **more,
    }


def granted(house: House, by: str = "Ada", **more: Any) -> dict[str, Any]:
    answer = house.post("/wallet-policies", body(house, **more), by=by)
    assert answer.status_code == 201, answer.content
    found: dict[str, Any] = answer.json()
    return found
