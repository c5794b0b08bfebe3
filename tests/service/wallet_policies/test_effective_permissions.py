"""Computed permissions: by role, by policy, denied; and what a policy opens elsewhere."""

from datetime import timedelta

from django.utils import timezone

from service import grants
from service.investments.models import Fund, FundAccount, Operator
from service.wallet_policies.models import WalletPermission, WalletPolicy
from tests.days import business_day
from tests.service.house import House, code
from tests.service.wallet_policies.conftest import granted, wallet_id


def computed(house: House, who: str, by: str = "Apollo") -> dict[str, object]:
    answer = house.get(f"/wallet-policies/permissions/{house.person(who).id}/{wallet_id(house)}", by=by)
    assert answer.status_code == 200, answer.content
    found: dict[str, object] = answer.json()
    return found


def test_a_role_and_a_policy_add_up(house: House) -> None:
    assert computed(house, "Carla")["effective"] == []
    created = granted(house, limits={"daily": 10})
    seen = computed(house, "Carla", by="Carla")
    assert seen["effective"] == ["WALLET_VIEW", "WALLET_ALLOCATE"]
    assert {source["source"] for source in seen["sources"]} == {"POLICY"}  # type: ignore[attr-defined]
    assert seen["sources"][0]["policy_id"] == created["_id"]  # type: ignore[index]
    assert seen["sources"][0]["limit"]["daily_minor"] == 1000  # type: ignore[index]
    granted(house, who="Apollo", permissions=["WALLET_VIEW"])
    by_role = computed(house, "Apollo")
    assert "WALLET_PAYOUT_APPROVE" in by_role["effective"]  # type: ignore[operator]
    both = [each["source"] for each in by_role["sources"] if each["permission"] == "WALLET_VIEW"]  # type: ignore[attr-defined]
    assert both == ["ROLE", "POLICY"]


def test_deny_wins(house: House) -> None:
    created = granted(house, who="Apollo", permissions=["WALLET_VIEW", "WALLET_ALLOCATE"])
    house.post(f"/wallet-policies/{created['_id']}/suspend")
    seen = computed(house, "Apollo")
    assert {"WALLET_VIEW", "WALLET_ALLOCATE"}.isdisjoint(seen["effective"])  # type: ignore[arg-type]
    assert [each["permission"] for each in seen["denied"]] == ["WALLET_VIEW", "WALLET_ALLOCATE"]  # type: ignore[attr-defined]


def test_a_suspended_wallet_moves_no_money(house: House) -> None:
    granted(house)
    house.send("PUT", f"/accounts/{wallet_id(house)}/suspend", by="Apollo")
    seen = computed(house, "Carla")
    assert seen["effective"] == ["WALLET_VIEW"]
    assert seen["denied"][0]["permission"] == "WALLET_ALLOCATE"  # type: ignore[index]


def test_a_suspended_employee_has_nothing(house: House) -> None:
    granted(house)
    house.person("Carla").status = "SUSPENDED"
    house.person("Carla").save()
    assert computed(house, "Carla")["effective"] == []


def test_a_treasury_operator_has_the_wallet_of_the_fund(house: House) -> None:
    fund = Fund.objects.create(
        code=f"T{house.business.id[-6:]}",
        name="Test fund",
        manager="Test",
        currency="KES",
        type="MONEY_MARKET",
        annual_yield_bps=900,
        yield_as_of=business_day(),
        min_initial_minor=1,
        min_topup_minor=1,
        min_withdrawal_minor=1,
    )
    account = FundAccount.objects.create(business=house.business, fund=fund, cash=house.opened.wallets[0])
    Operator.objects.create(account=account, employee=house.person("Carla"), can_invest=True)
    seen = computed(house, "Carla")
    assert "WALLET_INVEST" in seen["effective"]  # type: ignore[operator]
    assert {source["source"] for source in seen["sources"]} == {"OPERATOR"}  # type: ignore[attr-defined]


def test_one_reads_ones_own_and_the_office_anybodys(house: House) -> None:
    path = f"/wallet-policies/permissions/{house.person('Carla').id}/{wallet_id(house)}"
    assert house.get(path, by="Carla").status_code == 200
    assert code(house.get(path, by="Rita")) == (404, "not_found")
    none = f"/wallet-policies/permissions/{house.person('Carla').id}/{'0' * 24}"
    assert code(house.get(none)) == (404, "not_found")


def test_the_grant_holds_while_the_policy_does(house: House) -> None:
    caller = house.caller("Carla")
    assert grants.held(caller, "WALLET_VIEW") == frozenset()
    created = granted(house)
    assert grants.held(caller, "WALLET_VIEW") == {wallet_id(house)}
    assert grants.held(caller, "WALLET_FX") == frozenset()
    assert grants.held(house.caller("Cyrus"), "WALLET_VIEW") == frozenset()
    house.post(f"/wallet-policies/{created['_id']}/suspend")
    assert grants.held(caller, "WALLET_VIEW") == frozenset()
    house.post(f"/wallet-policies/{created['_id']}/reactivate")
    row = WalletPolicy.objects.get(id=created["_id"])
    row.valid_from = timezone.now() + timedelta(hours=1)
    row.save()
    assert grants.held(caller, "WALLET_VIEW") == frozenset(), "not begun"
    row.valid_from, row.expires_at = timezone.now() - timedelta(hours=2), timezone.now() - timedelta(seconds=1)
    row.save()
    assert grants.held(caller, "WALLET_VIEW") == frozenset(), "over, though nobody has swept"


def test_the_seed_is_synced_and_never_deleted(house: House) -> None:
    WalletPermission.objects.create(name="WALLET_OLD", title="Of old", group="VIEW", position=99)
    WalletPermission.objects.filter(name="WALLET_FX").delete()
    WalletPermission.objects.filter(name="WALLET_VIEW").update(title="?")
    path = "/wallet-policies/permissions/sync"
    assert house.post(path, by="Sam").json() == {"created": 1, "updated": 1, "total": 16}
    assert house.post(path, by="Sam").json() == {"created": 0, "updated": 0, "total": 16}
    names = [row["name"] for row in house.get("/wallet-policies/permissions").json()["docs"]]
    assert len(names) == 16
    assert "WALLET_OLD" in names
    assert names[0] == "WALLET_VIEW"
    for name in ("Ada", "Apollo", "Rita", "Carla"):
        assert code(house.post(path, by=name)) == (403, "insufficient_role")
    assert code(house.get("/wallet-policies/permissions", by="Rita")) == (403, "insufficient_role")


def test_a_policy_opens_the_wallet_to_a_card_user_and_no_other(house: House) -> None:
    assert code(house.get("/accounts", by="Carla")) == (403, "insufficient_role")
    created = granted(house)
    assert [row["_id"] for row in house.get("/accounts", by="Carla").json()["docs"]] == [wallet_id(house)]
    assert house.get(f"/accounts/{wallet_id(house)}", by="Carla").status_code == 200
    assert house.get(f"/accounts/{wallet_id(house, 1)}", by="Carla").status_code in (403, 404)
    assert code(house.get(f"/accounts/{wallet_id(house)}/balance", by="Carla")) == (403, "insufficient_role")
    house.post(f"/wallet-policies/{created['_id']}/suspend")
    assert code(house.get("/accounts", by="Carla")) == (403, "insufficient_role")
