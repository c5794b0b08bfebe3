"""What the network presents: captures in parts, more than was held, without asking; reversals; holds that run out.

Each of it with a card that spends an allocation, and with one that spends a wallet of the business.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from service.cards import clearing
from service.cards.models import Authorization, Capture
from service.events.models import Event
from service.expenses.models import Expense
from service.journal.models import Transaction
from service.ledger.balances import balance
from tests.service.cards.conftest import WIDE, Make, do, is_whole, use
from tests.service.cards.conftest import has as allocated
from tests.service.house import House, code

OPENING = 50_000_000_00
Has = Callable[[House], tuple[int, int]]
SHORT = {"ALLOCATION": "insufficient_allocation", "BUSINESS_WALLET": "insufficient_funds"}


@pytest.fixture(params=SHORT, autouse=True)
def funding(request: pytest.FixtureRequest) -> str:
    """What the cards spend: as much there is of the one as of the other."""
    return str(request.param)


@pytest.fixture
def make(make: Make, funding: str) -> Make:
    """Cards of that funding."""
    return lambda name="Carla", **fields: make(name, funds=OPENING // 100, funding=funding, **fields)


def clear(
    house: House, held: dict[str, Any], kind: str, amount: float | None = None, *, final: bool = False, by: str = "Ada"
) -> Any:
    body = {"kind": kind, "final": final, **({"amount": amount} if amount else {})}
    return house.post(f"/cards/authorizations/{held['_id']}/clearing", body, by=by)


@pytest.fixture
def has(house: House, funding: str) -> Callable[[House], tuple[int, int]]:
    """What has left the source, and what is held there; nothing has changed at the other one, and the ledger is whole."""

    def both(_: House) -> tuple[int, int]:
        wallet, own = balance(house.opened.wallets[0].ledger_account_id), allocated(house)
        found, other = (own, wallet) if funding == "ALLOCATION" else (wallet, own)
        assert (other.posted, other.pending_out) == (0, 0)
        assert is_whole()
        return OPENING - found.posted, found.pending_out

    return both


def amounts(house: House) -> list[int]:
    rows = Expense.objects.filter(business=house.business).exclude(status="DELETED").order_by("id")
    return list(rows.values_list("amount_minor", flat=True))


def kinds(house: House) -> list[str]:
    found = Event.objects.filter(business=house.business, kind__startswith="card_authorization")
    return [kind.partition(".")[2] for kind in found.order_by("id").values_list("kind", flat=True)]


def test_captured_in_parts_each_is_an_expense_and_in_the_book(house: House, make: Make, has: Has) -> None:
    held = use(house, make(), 1000)
    assert clear(house, held, "CAPTURE", 300).json()["status"] == "APPROVED"
    assert has(house) == (300_00, 700_00)
    assert clear(house, held, "CAPTURE", 200).json()["captured"] == 500
    assert clear(house, held, "CAPTURE", 100, final=True).json()["status"] == "CAPTURED"
    assert has(house) == (600_00, 0)
    assert amounts(house) == [300_00, 200_00, 100_00]
    assert (
        sum(Transaction.objects.filter(business=house.business, type="EXPENSE").values_list("amount_minor", flat=True))
        == 600_00
    )
    assert Capture.objects.filter(authorization_id=held["_id"]).count() == 3
    assert kinds(house) == ["approved", "captured", "captured", "captured"]


def test_over_capture_and_force_post_still_post_even_below_zero(
    house: House, make: Make, has: Has, funding: str
) -> None:
    card = make(controls={"per_transaction_limit": 50_000_000_00, "limits": [WIDE]})
    held = use(house, card, 50_000_000)
    assert clear(house, held, "CAPTURE", 50_000_010, final=True).json()["status"] == "CAPTURED"
    assert has(house) == (OPENING + 10_00, 0)
    do(house, card, "retire")
    forced = use(house, card, 90, force_post=True)
    assert (forced["status"], forced["captured"], forced["checks"]) == ("CAPTURED", 90, [])
    assert has(house) == (OPENING + 100_00, 0)
    assert amounts(house) == [50_000_010_00, 90_00]
    declined = use(house, make(), 1)
    assert (declined["code"], declined["remaining"], declined["funding"]) == (SHORT[funding], 0, funding)


def test_a_late_capture_posts_after_the_hold_has_run_out(house: House, make: Make, has: Has) -> None:
    held = use(house, make(), 100)
    Authorization.objects.filter(pk=held["_id"]).update(expires_at=timezone.now())
    assert clearing.expire_due_holds() >= 1
    assert has(house) == (0, 0)
    row = Authorization.objects.select_related("expense").get(pk=held["_id"])
    assert (row.status, row.expense and row.expense.status) == ("EXPIRED", "DELETED")
    assert clear(house, held, "CAPTURE").json()["status"] == "CAPTURED"
    assert (has(house), amounts(house)) == ((100_00, 0), [100_00])
    assert kinds(house) == ["approved", "expired", "captured"]


def test_holds_run_out_after_seven_days(house: House, make: Make, has: Has) -> None:
    held = use(house, make(), 100)
    row = Authorization.objects.get(pk=held["_id"])
    assert row.expires_at is not None
    assert timedelta(days=6, hours=23) < row.expires_at - timezone.now() <= timedelta(days=7)
    clearing.expire_due_holds()
    assert Authorization.objects.get(pk=row.pk).status == "APPROVED"
    clear(house, held, "CAPTURE", 40)
    Authorization.objects.filter(pk=row.pk).update(expires_at=timezone.now())
    clearing.expire_due_holds()
    assert Authorization.objects.get(pk=row.pk).status == "CAPTURED", "what was taken stays"
    assert has(house) == (40_00, 0)


def test_incremental_and_partial_reversal(house: House, make: Make, has: Has) -> None:
    card = make(controls={"limits": [{"interval": "PER_DAY", "amount": 500_00}]})
    held = use(house, card, 300)
    assert clear(house, held, "INCREASE", 150).json()["amount"] == 450
    assert (has(house), amounts(house)) == ((0, 450_00), [450_00])
    assert code(clear(house, held, "INCREASE", 51)) == (422, "limit_exceeded")
    assert has(house) == (0, 450_00)
    assert clear(house, held, "REVERSE", 250).json()["amount"] == 200
    assert (has(house), amounts(house)) == ((0, 200_00), [200_00])
    assert use(house, card, 300)["approved"], "what was given up may be spent again"
    assert clear(house, held, "REVERSE").json()["status"] == "REVERSED"
    assert has(house) == (0, 300_00)
    assert kinds(house) == ["approved", "approved", "reversed", "approved", "reversed"]


def test_an_increase_that_the_source_cannot_pay_leaves_the_hold(
    house: House, make: Make, has: Has, funding: str
) -> None:
    held = use(house, make(), 100)
    assert code(clear(house, held, "INCREASE", 50_000_000)) == (422, SHORT[funding])
    assert has(house) == (0, 100_00)


def test_a_reversal_gives_back_whatever_was_decided_on_the_expense(house: House, make: Make) -> None:
    held = use(house, make(), 100)
    assert house.post(f"/expenses/approve/{held['expense_id']}").json()["status"] == "APPROVED"
    assert clear(house, held, "REVERSE").json()["status"] == "REVERSED"
    assert Expense.objects.get(pk=held["expense_id"]).status == "DELETED"
    assert code(clear(house, held, "REVERSE")) == (409, "invalid_state")
    assert code(clear(house, held, "INCREASE", 5)) == (409, "invalid_state")


def test_a_reversal_on_a_suspended_wallet_gives_all_back_in_the_end(house: House, make: Make, has: Has) -> None:
    held = use(house, make(), 100)
    house.send("PUT", f"/accounts/{house.opened.wallets[0].id}/suspend", by="Apollo")
    assert clear(house, held, "REVERSE", 60).json()["amount"] == 40
    assert clear(house, held, "CAPTURE").json()["captured"] == 40
    assert has(house) == (40_00, 0)


def test_what_was_refunded_gives_room_where_the_limit_says_so(house: House, make: Make) -> None:
    for counts, outcome in ((True, True), (False, False)):
        card = make(controls={"limits": [{"interval": "PER_DAY", "amount": 100_00, "counts_refunds": counts}]})
        spent = use(house, card, 100, settle=True)
        house.post(f"/sandbox/businesses/{house.business.id}/refund", {"expense_id": spent["expense_id"]})
        assert use(house, card, 100)["approved"] is outcome


@pytest.mark.parametrize(("who", "status"), [("Carla", 403), ("Rita", 403), ("Sam", 403), ("Apollo", 200)])
def test_who_plays_the_network(house: House, make: Make, who: str, status: int) -> None:
    assert clear(house, use(house, make(), 100), "CAPTURE", by=who).status_code == status


def test_refusals(house: House, make: Make, houses: Callable[..., House]) -> None:
    card = make(controls={"per_transaction_limit": 50_00})
    declined, held = use(house, card, 51), use(house, card, 50)
    assert code(clear(house, declined, "CAPTURE")) == (409, "invalid_state")
    assert code(clear(houses(), held, "CAPTURE")) == (404, "not_found")
    assert code(clear(house, held, "INCREASE")) == (422, "validation_failed")
    assert code(clear(house, held, "GIVE")) == (422, "validation_failed")
    assert code(clear(house, held, "CAPTURE", 1.005)) == (422, "validation_failed")
    assert clear(house, held, "CAPTURE").status_code == 200
    assert code(clear(house, held, "CAPTURE")) == (409, "invalid_state")
