"""The limits of a policy: per movement, per day, per month; two at once never both pass."""

from datetime import timedelta

import pytest
from django.db import transaction

from service import errors
from service.wallet_policies import limits
from service.wallet_policies.models import WalletUse
from tests.service.cards.test_swipe import swipe
from tests.service.house import House, code
from tests.service.ledger.conftest import at_once
from tests.service.payments.conftest import draft, initiated, item, no_worker  # noqa: F401
from tests.service.wallet_policies.conftest import granted


def move(house: House, amount_minor: int, who: str = "Carla", permission: str = "WALLET_ALLOCATE") -> str:
    """The code of the refusal, or nothing."""
    try:
        with transaction.atomic():
            limits.check(house.caller(who), house.opened.wallets[0], permission, amount_minor)
    except errors.ServiceError as refusal:
        return refusal.code
    return ""


def test_without_a_policy_the_role_decides(house: House) -> None:
    assert move(house, 10**12, "Apollo") == ""
    limits.check(house.caller(None), house.opened.wallets[0], "WALLET_ALLOCATE", 10**12)
    assert not WalletUse.objects.filter(employee=house.person("Apollo")).exists()


def test_per_transaction_and_daily_and_monthly(house: House) -> None:
    granted(house, limits={"per_transaction": 100, "daily": 150, "monthly": 200})
    assert move(house, 100_01) == "limit_exceeded"
    assert move(house, 100_00) == ""
    assert move(house, 50_01) == "limit_exceeded"
    assert move(house, 50_00) == ""
    assert move(house, 1) == "limit_exceeded"
    for row in WalletUse.objects.filter(employee=house.person("Carla")):
        row.at -= timedelta(days=1)
        row.save()
    left = 50_00 if row.at.month == (row.at + timedelta(days=1)).month else 100_00
    assert move(house, left) == ""
    assert WalletUse.objects.filter(employee=house.person("Carla")).count() == 3


def test_what_was_refused_counts_for_nothing(house: House) -> None:
    granted(house, limits={"daily": 100})
    for _ in range(3):
        assert move(house, 100_01) == "limit_exceeded"
    assert move(house, 100_00) == ""


def test_a_limit_binds_the_permissions_it_is_given_with(house: House) -> None:
    granted(house, who="Apollo", limits={"daily": 1}, permissions=["WALLET_ALLOCATE"])
    assert move(house, 100_00, "Apollo") == "limit_exceeded"
    assert move(house, 100_00, "Apollo", "WALLET_FX") == ""


def test_a_suspended_policy_takes_away_what_it_names(house: House) -> None:
    created = granted(house, who="Apollo", permissions=["WALLET_ALLOCATE"])
    house.post(f"/wallet-policies/{created['_id']}/suspend")
    assert move(house, 1, "Apollo") == "policy_blocked"
    house.send("DELETE", f"/wallet-policies/{created['_id']}")
    assert move(house, 1, "Apollo") == ""


def test_a_payout_counts_once_and_not_at_all_when_it_is_stopped(house: House, no_worker: list[str]) -> None:  # noqa: F811
    granted(house, who="Ada", by="Sam", permissions=["WALLET_PAYOUT_INITIATE"], limits={"daily": 2000})
    created = initiated(house, item(1500))
    path = f"/payments/{created['batch_no']}"
    for _ in range(2):  # there and back again
        assert house.send("PATCH", f"{path}/draft").status_code == 200
        assert house.send("PATCH", f"{path}/initiate").status_code == 200
    second = draft(house, item(600, "254712345679"))
    assert code(house.send("PATCH", f"/payments/{second['batch_no']}/initiate")) == (422, "limit_exceeded")
    house.post("/payments/payout/cancel", {"batch_no": created["batch_no"], "reason": "No more"})
    assert house.send("PATCH", f"/payments/{second['batch_no']}/initiate").status_code == 200


def test_a_card_is_declined_by_its_holders_policy(house: House) -> None:
    granted(house, permissions=["WALLET_CARD_FUND"], limits={"daily": 2000})
    assert swipe(house, {"amount": 1500})["approved"]
    declined = swipe(house, {"amount": 501})
    assert (declined["approved"], declined["code"]) == (False, "policy_blocked")
    assert declined["checks"][-1]["check"] == "wallet_policy"
    assert swipe(house, {"amount": 500})["approved"], "what was declined counts for nothing"


@pytest.mark.parametrize("run", range(3))
def test_two_at_once_never_both_pass_a_limit(committed: None, run: int) -> None:
    house = House()
    granted(house, limits={"daily": 100})
    answers = at_once(6, lambda _: move(house, 60_00))
    assert sorted(map(str, answers)) == ["", *["limit_exceeded"] * 5]
