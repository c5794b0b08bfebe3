"""Wallets beyond the role: a wallet policy shows exactly the wallet and the side of it that it names."""

from typing import Any

from tests.service.house import House, code


def allow(house: House, ref: str, *permissions: str, name: str = "Carla") -> str:
    wallet = next(row["_id"] for row in house.get("/accounts").json()["docs"] if row["org_wallet_ref"] == ref)
    body: dict[str, Any] = {"wallet_id": wallet, "employee_id": house.person(name).id, "reason": "Helps out"}
    answer = house.post("/wallet-policies", {**body, "permissions": list(permissions)}, by="Sam")
    assert answer.status_code == 201, answer.json()
    return str(wallet)


def test_wallet_view_shows_that_wallet_without_its_balance(house: House) -> None:
    mine = allow(house, "2", "WALLET_VIEW")
    [row] = house.get("/accounts", by="Carla").json()["docs"]
    assert (row["_id"], row["balances"]) == (mine, None)
    assert house.get(f"/accounts/{mine}", by="Carla").json()["balances"] is None
    for part in ("balance", "transactions"):
        assert code(house.get(f"/accounts/{mine}/{part}", by="Carla")) == (403, "insufficient_role")


def test_wallet_view_balance_and_transactions_open_their_own_part(house: House) -> None:
    mine = allow(house, "2", "WALLET_VIEW", "WALLET_VIEW_BALANCE", "WALLET_VIEW_TRANSACTIONS")
    other = next(row["_id"] for row in house.get("/accounts").json()["docs"] if row["_id"] != mine)
    assert house.get("/accounts", by="Carla").json()["docs"][0]["balances"]["available"] == 400_000
    assert house.get(f"/accounts/{mine}/balance", by="Carla").json()["balances"]["available"] == 400_000
    assert house.get(f"/accounts/{mine}/transactions", by="Carla").json()["total"] == 1
    for part in ("", "/balance", "/transactions"):
        assert code(house.get(f"/accounts/{other}{part}", by="Carla")) == (404, "not_found")


def test_a_grant_changes_nothing_that_it_does_not_name(house: House) -> None:
    mine = allow(house, "2", "WALLET_VIEW")
    assert code(house.send("PUT", f"/accounts/{mine}", {"name": "Mine"}, by="Carla")) == (403, "insufficient_role")
    assert code(house.send("PUT", f"/accounts/{mine}/suspend", by="Carla")) == (403, "insufficient_role")
    assert code(house.get("/accounts/business-currencies", by="Carla")) == (403, "insufficient_role")
    assert code(house.get("/accounts", by="Rita")) == (403, "insufficient_role")
