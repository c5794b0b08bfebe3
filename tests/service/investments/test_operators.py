"""Treasury operators: named by one admin, counted once another confirms; replaced as a whole with If-Match; access.

Naming operators is never about oneself, and an opt-in makes nobody one (decisions F.4).
"""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from service.businesses.models import Employee
from service.events.models import AuditEvent, Event
from service.investments.models import Operator
from tests.service.house import House, code
from tests.service.investments.conftest import confirm, invested, move, opened, seat
from tests.service.investments.conftest import name_operators as put


def access(house: House, account: str, by: str) -> dict[str, Any]:
    answer = house.get(f"/investments/accounts/{account}/access", by=by)
    assert answer.status_code == 200, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def test_an_opt_in_makes_nobody_an_operator(house: House) -> None:
    account = opened(house)
    answer = house.get(f"/investments/accounts/{account}/permissions", by="Sam")
    assert (answer["ETag"], answer.json()["operators"]) == ('"1"', [])
    assert code(move(house, account, "top-up", by="Ada", amount=5, org_wallet_ref="1")) == (403, "insufficient_role")


@pytest.mark.parametrize("by", ["Ada", "Sam"])
def test_naming_operators_is_never_about_oneself(house: House, by: str) -> None:
    account = opened(house)
    assert code(put(house, account, seat(house, by), by=by)) == (403, "self_approval_forbidden")
    put(house, account, seat(house, by, can_withdraw=False), by="Abel")
    more = seat(house, by)
    for people in ([more], [], [seat(house, "Carla"), more], [seat(house, by, can_invest=False)]):
        assert code(put(house, account, *people, match="2", by=by)) == (403, "self_approval_forbidden")
    stored = put(house, account, seat(house, "Carla"), seat(house, by, can_withdraw=False), match="2", by=by)
    assert stored.status_code == 200, "their own seat stays as it is"
    assert code(confirm(house, account, by, "3", by=by)) == (403, "self_approval_forbidden")


def test_who_is_named_counts_once_another_admin_confirms(house: House) -> None:
    account = opened(house)
    [named] = put(house, account, seat(house, "Carla", can_withdraw=False)).json()["operators"]
    assert (named["status"], named["may_invest"], named["named_by"]) == ("PENDING", False, house.person("Ada").id)
    what = {"amount": 5, "org_wallet_ref": "1"}
    assert code(move(house, account, "top-up", by="Carla", **what)) == (403, "insufficient_role")
    assert access(house, account, "Carla")["can_invest"] is False
    assert "waits for another admin" in access(house, account, "Carla")["reason"]
    for who in ("Ada", "Carla", "Rita", "Apollo", None):
        assert confirm(house, account, "Carla", by=who).status_code == 403
    assert code(confirm(house, account, "Carla", "1")) == (412, "precondition_failed")
    assert code(confirm(house, account, "Carla", None)) == (428, "precondition_required")
    assert code(confirm(house, account, "Rita")) == (404, "not_found")
    answer = confirm(house, account, "Carla")
    [counted] = answer.json()["operators"]
    assert (answer["ETag"], counted["status"], counted["may_invest"], counted["may_withdraw"]) == (
        '"2"', "ACTIVE", True, False,
    )  # fmt: skip
    assert counted["confirmed_by"] == house.person("Abel").id
    assert move(house, account, "top-up", by="Carla", **what).status_code == 201
    assert confirm(house, account, "Carla", by="Sam").json()["operators"] == [counted], "a second time nothing happens"
    actions = AuditEvent.objects.filter(business=house.business, action="investment.confirm_operator")
    assert [row.after["operators"][0]["status"] for row in actions] == ["ACTIVE"]
    assert Event.objects.filter(business=house.business, kind="investment.operator_confirmed").count() == 1


def test_what_is_added_waits_again_and_what_was_confirmed_stays(house: House) -> None:
    account = opened(house)
    put(house, account, seat(house, "Carla", can_withdraw=False))
    confirm(house, account, "Carla")
    [wider] = put(house, account, seat(house, "Carla"), match="2", by="Abel").json()["operators"]
    assert (wider["status"], wider["may_invest"], wider["may_withdraw"]) == ("PENDING", True, False)
    assert code(confirm(house, account, "Carla", "3", by="Abel")) == (403, "self_approval_forbidden")
    assert confirm(house, account, "Carla", "3", by="Ada").json()["operators"][0]["may_withdraw"] is True
    put(house, account, seat(house, "Carla", can_withdraw=False), match="3")
    [again] = put(house, account, seat(house, "Carla"), match="4").json()["operators"]
    assert (again["status"], again["may_withdraw"]) == ("PENDING", False), "a right that was taken is confirmed anew"


def test_an_approver_counts_by_role_and_as_an_operator_only_once_confirmed(house: House) -> None:
    account = opened(house)
    [named] = put(house, account, seat(house, "Apollo")).json()["operators"]
    assert (named["status"], named["may_invest"]) == ("ACTIVE", True)
    Employee.objects.filter(id=house.person("Apollo").id).update(role="ADMIN")
    assert code(move(house, account, "top-up", amount=5, org_wallet_ref="1")) == (403, "insufficient_role")
    [waits] = house.get(f"/investments/accounts/{account}/permissions").json()["operators"]
    assert waits["status"] == "PENDING"


def test_operators_of_before_nobody_knows_who_named_are_named_anew(house: House) -> None:
    account = opened(house)
    Operator.objects.create(account_id=account, employee=house.person("Carla"))
    assert code(move(house, account, "top-up", by="Carla", amount=5, org_wallet_ref="1")) == (403, "insufficient_role")
    assert code(confirm(house, account, "Carla", "1")) == (409, "invalid_state")
    put(house, account, seat(house, "Carla"))
    assert confirm(house, account, "Carla", by="Ada").status_code == 403
    assert confirm(house, account, "Carla", by="Abel").status_code == 200


@pytest.mark.parametrize(
    "fields",
    [
        {"confirmed_invest": True},
        {"confirmed_at": timezone.now(), "can_withdraw": False, "confirmed_withdraw": True},
        {"confirmed_by": "self"},
        {"named_by": "somebody", "confirmed_by": "somebody"},
    ],
)
def test_the_table_itself_refuses_what_nobody_else_confirmed(house: House, fields: dict[str, Any]) -> None:
    carla = house.person("Carla")
    event = {name: carla.id if value == "self" else value for name, value in fields.items()}
    with pytest.raises(IntegrityError, match="operator_confirmed_by_another"), transaction.atomic():
        Operator.objects.create(account_id=opened(house), employee=carla, **event)


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
    assert (len(row.before["operators"]), len(row.after["operators"]), row.after["version"]) == (0, 1, 2)


def test_never_none_while_movements_are_open(house: House) -> None:
    account = opened(house)
    move(house, account, "invest", amount=2000, org_wallet_ref="1")
    assert code(put(house, account)) == (409, "operators_required")
    from service.investments import settlement

    settlement.settle_due()
    assert put(house, account).json()["operators"] == []


def test_an_operator_moves_within_their_rights_and_nobody_else(house: House) -> None:
    account = opened(house)
    for name in ("Carla", "Rita", "Sam"):
        for verb, body in (("invest", {"amount": 2000}), ("top-up", {"amount": 1}), ("withdraw", {"all": True})):
            answer = move(house, account, verb, by=name, **body, **({"org_wallet_ref": "1"}))
            assert code(answer) == (403, "insufficient_role")
    put(house, account, seat(house, "Carla", can_withdraw=False), seat(house, "Sam", can_invest=False))
    for name in ("Carla", "Sam"):
        assert confirm(house, account, name).status_code == 200
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
    assert code(house.get("/investments/accounts", by="Carla")) == (403, "insufficient_role")
    confirm(house, account, "Carla")
    assert [row["_id"] for row in house.get("/investments/accounts", by="Carla").json()["docs"]] == [account]
    assert house.get("/investments/accounts", by="Sam").json()["total"] == 2
    assert house.get(f"/investments/accounts/{account}", by="Carla").status_code == 200
    other = next(row for row in house.get("/investments/accounts").json()["docs"] if row["_id"] != account)
    assert code(house.get(f"/investments/accounts/{other['_id']}", by="Carla")) == (404, "not_found")


def test_access_names_its_reason(house: House) -> None:
    account = opened(house)
    put(house, account, seat(house, "Carla", can_withdraw=False))
    confirm(house, account, "Carla")
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
