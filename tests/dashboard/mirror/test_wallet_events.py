"""The balance of whose wallet it is that an event tells of: the copy has the wallets of the business alone."""

from typing import Any

import pytest

from dashboard.mirror.models import Origin, Wallet
from dashboard.mirror.webhook_inbox import apply_event
from tests.dashboard.access.house import build


def balance_changed(**more: Any) -> dict[str, Any]:
    balances = {"available_minor": 1_00, "posted_minor": 1_00}
    wallet = {"_id": "w-1", "currency": "KES", "status": "ACTIVE", "version": 3, "balances": balances, **more}
    return {"type": "wallet.balance_changed", "data": {"object": wallet}}


@pytest.mark.parametrize("kind", ["EMPLOYEE", "CARD", "INVESTMENT"])
def test_a_wallet_of_a_person_a_card_or_a_fund_is_passed_over(db: None, kind: str) -> None:
    business = build().business
    before = Wallet.objects.filter(business=business).count()
    apply_event(business, balance_changed(walletType=kind, org_wallet_ref="", name="Carla"), Origin.WEBHOOK)
    assert Wallet.objects.filter(business=business).count() == before


def test_a_wallet_of_the_business_is_brought_up_to_date(db: None) -> None:
    business = build().business
    apply_event(business, balance_changed(walletType="MAIN", org_wallet_ref="9", name="Main"), Origin.WEBHOOK)
    [row] = Wallet.objects.filter(business=business, org_wallet_ref="9")
    assert (row.remote_id, row.available_minor) == ("w-1", 1_00)
