"""Treasury operators: replaced as a whole with If-Match, never none while movements are open; access with its reason."""

from typing import Any

import pytest

from service.events.models import AuditEvent
from tests.service.house import House, code
from tests.service.investments.conftest import invested, move, opened


def put(house: House, account: str, *people: dict[str, Any], match: str | None = "1", by: str = "Ada") -> Any:
    headers = {"If-Match": match} if match is not None else {}
    path = f"/investments/accounts/{account}/permissions"
    return house.send("PUT", path, {"operators": list(people)}, by=by, headers=headers)


def seat(house: House, name: str, **rights: bool) -> dict[str, Any]:
    return {"employee_id": house.person(name).id, **rights}


def access(house: House, account: str, by: str) -> dict[str, Any]:
    answer = house.get(f"/investments/accounts/{account}/access", by=by)
    assert answer.status_code == 200, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def test_who_asked_for_the_fund_operates_it_first(house: House) -> None:
    answer = house.get(f"/investments/accounts/{opened(house)}/permissions", by="Sam")
    assert answer["ETag"] == '"1"'
    assert [each["name"] for each in answer.json()["operators"]] == [house.person("Ada").name]


def test_operators_are_replaced_with_if_match(house: House) -> None:
    account = opened(house)
    answer = put(house, account, seat(house, "Carla", can_withdraw=False), match='"1"')
    assert (answer.status_code, answer["ETag"], answer.json()["version"]) == (200, '"2"', 2)
    assert [each["employee_id"] for each in answer.json()["operators"]] == [house.person("Carla").id]
    stale = put(house, account, seat(house, "Rita"))
    assert code(stale) == (412, "precondition_failed")
    assert code(put(house, account, seat(house, "Rita"), match=None)) == (428, "precondition_required")
    for nonsense in ("abc", '"²"', "9" * 30, "*"):
        assert put(house, account, match=nonsense).status_code == 412
    row = AuditEvent.objects.get(business=house.business, action="investment.replace_operators")
    assert (len(row.before["operators"]), row.after["version"]) == (1, 2)


def test_never_none_while_movements_are_open(house: House) -> None:
    account = opened(house)
    move(house, account, "invest", amount=2000, org_wallet_ref="1")
    assert code(put(house, account)) == (409, "operators_required")
    from service.investments import settling

    settling.settle_due()
    assert put(house, account).json()["operators"] == []


def test_an_operator_moves_within_their_rights_and_nobody_else(house: House) -> None:
    account = opened(house)
    for name in ("Carla", "Rita", "Sam"):
        for verb, body in (("invest", {"amount": 2000}), ("top-up", {"amount": 1}), ("withdraw", {"all": True})):
            answer = move(house, account, verb, by=name, **body, **({"org_wallet_ref": "1"}))
            assert code(answer) == (403, "insufficient_role")
    put(house, account, seat(house, "Carla", can_withdraw=False), seat(house, "Sam", can_invest=False))
    assert move(house, account, "invest", by="Carla", amount=2000, org_wallet_ref="1").status_code == 202
    assert move(house, account, "top-up", by="Carla", amount=5, org_wallet_ref="1").status_code == 201
    assert code(move(house, account, "withdraw", by="Carla", all=True)) == (403, "insufficient_role")
    invested(house, account)
    assert code(move(house, account, "invest", by="Sam", amount=2000)) == (403, "insufficient_role")
    assert move(house, account, "withdraw", by="Sam", amount=500).status_code == 202
    other = opened(house, "BAO-BAL-KES")
    assert code(move(house, other, "top-up", by="Carla", amount=5, org_wallet_ref="1")) == (403, "insufficient_role")


def test_an_operator_sees_their_accounts_alone(house: House) -> None:
    account, _ = opened(house), opened(house, "BAO-BAL-KES")
    assert code(house.get("/investments/accounts", by="Carla")) == (403, "insufficient_role")
    put(house, account, seat(house, "Carla"))
    assert [row["_id"] for row in house.get("/investments/accounts", by="Carla").json()["docs"]] == [account]
    assert house.get("/investments/accounts", by="Sam").json()["total"] == 2
    assert house.get(f"/investments/accounts/{account}", by="Carla").status_code == 200
    other = next(row for row in house.get("/investments/accounts").json()["docs"] if row["_id"] != account)
    assert code(house.get(f"/investments/accounts/{other['_id']}", by="Carla")) == (404, "not_found")


def test_access_names_its_reason(house: House) -> None:
    account = opened(house)
    put(house, account, seat(house, "Carla", can_withdraw=False))
    found = {name: access(house, account, name) for name in ("Apollo", "Carla", "Ada", "Sam", "Rita")}
    rights = {
        name: (each["source"], each["can_view"], each["can_invest"], each["can_withdraw"])
        for name, each in found.items()
    }
    assert rights == {
        "Apollo": ("ROLE", True, True, True),
        "Carla": ("OPERATOR", True, True, False),
        "Ada": ("ROLE", True, False, False),
        "Sam": ("ROLE", True, False, False),
        "Rita": ("NONE", False, False, False),
    }
    assert found["Carla"]["employee_id"] == house.person("Carla").id
    assert found["Carla"]["reason"] == "A treasury operator of this account who may invest."
    assert all(each["reason"] for each in found.values())
    assert house.get(f"/investments/accounts/{account}/access", by=None).status_code == 403


def test_a_set_that_cannot_be_is_422(house: House, houses: Any) -> None:
    account, other = opened(house), houses()
    house.person("Rex").status = "SUSPENDED"
    house.person("Rex").save()
    for people in (
        [seat(house, "Carla"), seat(house, "Carla")],
        [seat(other, "Carla")],
        [seat(house, "Rex")],
        [{"employee_id": "x"}],
        [{**seat(house, "Carla"), "more": 1}],
        [seat(house, "Carla")] * 51,
    ):
        assert code(put(house, account, *people)) == (422, "validation_failed")


@pytest.mark.parametrize("name", ["Carla", "Rita", "Apollo"])
def test_admins_alone_replace_operators(house: House, name: str) -> None:
    assert code(put(house, opened(house), seat(house, "Carla"), by=name)) == (403, "insufficient_role")


def test_another_businesss_account_is_404(house: House, houses: Any) -> None:
    account, other = opened(house), houses()
    for part in ("", "/permissions", "/access"):
        assert code(other.get(f"/investments/accounts/{account}{part}")) == (404, "not_found")
    assert code(put(other, account, seat(other, "Carla"))) == (404, "not_found")
    for verb, body in (("invest", {"amount": 5}), ("top-up", {"amount": 5}), ("withdraw", {"all": True})):
        answer = move(other, account, verb, **body, **({"org_wallet_ref": "1"}))
        assert code(answer) == (404, "not_found")


def test_without_the_entitlement_there_are_no_investments(houses: Any) -> None:
    plain = houses(entitled=False)
    for path in ("funds", "accounts", "portfolio", "portfolio/performance", "opt-in/x", "accounts/x/access"):
        assert code(plain.get(f"/investments/{path}")) == (403, "entitlement_required")
