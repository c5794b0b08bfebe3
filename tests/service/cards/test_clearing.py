"""What the network presents for an authorisation: all of it, a part, more, nothing yet, or its reversal (docs/rails.md)."""

from typing import Any

import pytest

from service.accounts.wallets import wallet_by_ref
from service.cards.models import Authorization
from service.events.models import Event
from service.expenses.models import Expense
from service.ledger.balances import balance
from service.ledger.models import LedgerHold
from tests.service.house import House

OPENING = 5_000_000_000


def cleared(house: House, amount: float) -> Authorization:
    """A swipe whose money is held, then a settlement."""
    base = f"/sandbox/businesses/{house.business.id}"
    body = {"employee_id": house.person("Carla").id, "amount": amount, "merchant": "Java", "settle": False}
    assert house.post(f"{base}/swipe", body).json()["approved"] is True
    assert house.post(f"{base}/settle").status_code == 200
    return Authorization.objects.get(card__business=house.business)


def has(house: House) -> Any:
    return balance(wallet_by_ref(house.business, "1").ledger_account_id)


@pytest.mark.parametrize(
    ("amount", "captured", "held", "status"),
    [
        (100.00, 10_000, 0, "CAPTURED"),
        (100.92, 5_046, 0, "CAPTURED"),
        (100.93, 12_111, 0, "CAPTURED"),
        (100.91, 0, 10_091, "APPROVED"),
        (100.94, 0, 0, "REVERSED"),
    ],
)
def test_the_merchant_decides_how_much(house: House, amount: float, captured: int, held: int, status: str) -> None:
    row = cleared(house, amount)
    assert row.status == status
    assert (has(house).posted, has(house).pending_out) == (OPENING - captured, held)
    expense = Expense.objects.get(business=house.business)
    if status == "CAPTURED":
        assert expense.amount_minor == captured
        assert Event.objects.filter(business=house.business, kind="card_authorization.captured").count() == 1
    if status == "REVERSED":
        assert expense.status == "DELETED"
        assert Event.objects.filter(business=house.business, kind="card_authorization.reversed").count() == 1


def test_more_than_held_is_posted_even_below_zero(house: House) -> None:
    row = cleared(house, 45_000_000.93)
    assert row.status == "CAPTURED"
    assert has(house).posted == OPENING - 4_500_000_093 * 120 // 100 < 0


def test_a_capture_after_the_hold_has_run_out_is_posted_too(house: House) -> None:
    row = cleared(house, 100.91)
    from service.auth import system_caller
    from service.cards.authorizations import settle
    from service.ledger.post import release

    release(LedgerHold.objects.get(pk=row.ledger_hold_id), "ran out")
    Authorization.objects.filter(pk=row.pk).update(amount_minor=10_000)
    assert settle(system_caller(house.business), row).status == "CAPTURED"
    assert has(house).posted == OPENING - 10_000
