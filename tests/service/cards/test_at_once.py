"""Several at the same moment, with real commits: two swipes never both pass a limit, and each thing happens once."""

import threading
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from service import errors
from service.auth import system_caller
from service.cards import clearing, issuance, orders, selectors
from service.cards.authorizations import Swipe, authorize
from service.cards.models import Authorization, Card, CardOrder
from service.cards.schemas import NewCard
from service.employees import funds
from service.employees import selectors as employees_selectors
from service.employees.funds import FundsMove
from service.ledger.invariants import breaches
from tests.service.cards.conftest import has
from tests.service.house import House

MANY = 6
ALLOCATED = 50_000_00


def at_once(*works: Callable[[], object]) -> list[str]:
    """Runs them in threads that start together; the code of each refusal, "" for none, the name of what broke one."""
    gate, said = threading.Barrier(len(works)), [""] * len(works)

    def run(place: int) -> None:
        gate.wait(30)
        try:
            works[place]()
        except errors.ServiceError as refusal:
            said[place] = refusal.code
        except Exception as trouble:
            said[place] = type(trouble).__name__
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return sorted(said)


def card_of(house: House, **fields: Any) -> Card:
    """A card of Carla's, with 50,000 allocated to her."""
    if not Card.objects.filter(business=house.business).exists():
        funds.allocate(house.caller("Apollo"), FundsMove(employee_id=house.person("Carla").id, amount=Decimal(50_000)))
    new = NewCard.model_validate({"employee_id": house.person("Carla").id, "name": "Card", **fields})
    return issuance.create(house.caller("Ada"), new)


def codes(card: Card) -> list[str]:
    return sorted(Authorization.objects.filter(card=card).values_list("code", flat=True))


@pytest.mark.parametrize("settle_now", [True, False])
@pytest.mark.parametrize(
    ("controls", "code"),
    [
        ({"limits": [{"interval": "PER_DAY", "amount": 1500_00}]}, "interval_limit"),
        ({"max_count": {"24h": 1}}, "velocity"),
        ({"single_use": {"comparison": "LTE", "amount": 1500_00}}, "card_retired"),
    ],
)
def test_two_swipes_at_once_never_both_pass_a_limit(
    committed: None, controls: dict[str, Any], code: str, settle_now: bool
) -> None:
    house = House()
    card = card_of(house, controls=controls)

    def swipe() -> None:
        authorize(system_caller(house.business), card.id, Swipe(1000_00, "Java"), settle_now=settle_now)

    at_once(*[swipe] * MANY)
    assert codes(card) == [""] + [code] * (MANY - 1)
    assert ALLOCATED - has(house).available == 1000_00


@pytest.mark.parametrize("settle_now", [True, False])
def test_two_swipes_of_two_cards_at_once_never_both_take_what_is_left(committed: None, settle_now: bool) -> None:
    """Each card's row is locked, and nothing but the ledger stands between the cards that spend one allocation."""
    house = House()
    cards = [card_of(house) for _ in range(MANY)]

    def swipe(card: Card) -> Callable[[], object]:
        return lambda: authorize(
            system_caller(house.business), card.id, Swipe(30_000_00, "Java"), settle_now=settle_now
        )

    at_once(*[swipe(card) for card in cards])
    found = Authorization.objects.filter(card__in=cards).values_list("code", "remaining_minor")
    assert sorted(found, key=str) == [("", None)] + [("insufficient_allocation", 20_000_00)] * (MANY - 1)
    assert has(house).available == 20_000_00
    assert breaches(sealed=False) == []


def test_what_a_swipe_holds_is_not_taken_off_the_employee_at_the_same_time(committed: None) -> None:
    house = House()
    card, caller = card_of(house), system_caller(house.business)
    back = FundsMove(employee_id=house.person("Carla").id, amount=Decimal(50_000))
    said = at_once(
        lambda: authorize(caller, card.id, Swipe(1000_00, "Java"), settle_now=False),
        lambda: funds.remove(house.caller("Apollo"), back),
    )
    assert (codes(card), said) in (([""], ["", "insufficient_funds"]), (["insufficient_allocation"], ["", ""]))
    assert has(house).available == (49_000_00 if codes(card) == [""] else 0)
    assert breaches(sealed=False) == []


def test_a_swipe_ends_while_somebody_else_has_its_employee_locked(committed: None) -> None:
    """What a swipe writes refers to the employee, which is checked as it commits: were the row locked against that, a
    swipe and whoever moves the employee's money would wait for each other."""
    house = House()
    card = card_of(house)

    def swipe() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '3s'")
        authorize(system_caller(house.business), card.id, Swipe(1000_00, "Java"))

    with transaction.atomic():
        employees_selectors.lock_employee(house.caller("Apollo"), house.person("Carla").id)
        assert at_once(swipe) == [""]


def test_a_swipe_during_a_reissue_counts_for_the_new_card(committed: None) -> None:
    house = House()
    old = card_of(house, controls={"limits": [{"interval": "ALL_TIME", "amount": 1000_00}]})
    caller = system_caller(house.business)
    at_once(
        lambda: authorize(caller, old.id, Swipe(1000_00, "Java"), settle_now=False),
        lambda: issuance.reissue(house.caller("Ada"), old.id),
    )
    new = Card.objects.get(lineage=old.id)
    first = Authorization.objects.get(card=old)
    second = authorize(caller, new.id, Swipe(1, "Java"), settle_now=False)
    assert (first.code, second.code) in {("", "interval_limit"), ("card_retired", "")}


def test_two_reissues_at_once_make_one_card(committed: None) -> None:
    house = House()
    card = card_of(house)
    said = at_once(*[lambda: issuance.reissue(house.caller("Ada"), card.id)] * 3)
    assert said == ["", "invalid_state", "invalid_state"]
    assert Card.objects.filter(business=house.business, status="ACTIVE").count() == 1


def test_two_who_decide_on_an_order_at_once_decide_once(committed: None) -> None:
    house = House()
    card_of(house, type="PHYSICAL")
    order = CardOrder.objects.get(business=house.business)
    outcomes: list[str] = []

    def decide(who: str, verb: str) -> None:
        caller = house.caller(who)
        done = (
            orders.approve_many(caller, [order.id])
            if verb == "approve"
            else orders.reject_many(caller, [order.id], "No")
        )
        outcomes.append(done[0].refusal.code if done[0].refusal else "")

    at_once(lambda: decide("Abel", "approve"), lambda: decide("Apollo", "reject"), lambda: decide("Juma", "approve"))
    assert sorted(outcomes) == ["", "invalid_state", "invalid_state"]


def test_a_hold_is_captured_or_runs_out_and_the_money_moves_once(committed: None) -> None:
    house = House()
    card, caller = card_of(house), system_caller(house.business)
    row = authorize(caller, card.id, Swipe(1000_00, "Java"), settle_now=False)
    Authorization.objects.filter(pk=row.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    said = at_once(
        lambda: clearing.settle(caller, row), lambda: clearing.settle(caller, row), clearing.expire_due_holds
    )
    found = has(house)
    row.refresh_from_db()
    assert found.pending_out == 0
    assert ALLOCATED - found.posted == (1000_00 if row.status == "CAPTURED" else 0)
    assert said.count("invalid_state") >= 1
    assert selectors.card_details([card])[0]["spend"]["lifetime"] == (1000 if row.status == "CAPTURED" else 0)
