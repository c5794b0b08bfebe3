"""The subscription against its table: ACTIVE and PAUSED, each from any state; the end of its card pauses it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from service.subscriptions.models import Subscription, SubscriptionStatus
from tests.service.cards.conftest import Make, do
from tests.service.house import House
from tests.service.subscriptions.conftest import charge, subscription

STATUSES = ["ACTIVE", "PAUSED", "DELETED", "active"]
MOVES = st.lists(
    st.sampled_from([*STATUSES, "charge", "limit", "weekly", "team", "retire", "reissue", "new card"]), max_size=10
)


@settings(max_examples=20)
@given(moves=MOVES)
def test_no_transition_outside_the_table_is_reachable(house: House, make: Make, moves: list[str]) -> None:
    Subscription.objects.filter(business=house.business).delete()
    card, ended = make(), False
    created = subscription(house, employee_id=card["employee_id"], card_id=card["_id"])
    expected = "ACTIVE"
    of = {"subscription_id": created["_id"]}
    for name in moves:
        if name == "charge":
            charge(house)
        elif name in ("limit", "weekly"):
            change = {"limit": 100} if name == "limit" else {"billing_frequency": "WEEKLY"}
            assert house.send("PUT", "/subscriptions/limits-billing-frequency", {**of, **change}).status_code == 200
        elif name == "team":
            assert house.send("PUT", "/subscriptions/team", {**of, "team_id": None}).status_code == 200
        elif name == "retire":
            assert do(house, card, name).status_code == 200
            ended, expected = True, expected if ended else "PAUSED"
        elif name == "reissue":
            answer = do(house, card, name)
            assert answer.status_code == (409 if ended else 201)
            card = card if ended else answer.json()
        elif name == "new card":
            card, ended = make(), False
            given_to = {"employee_id": card["employee_id"], "card_id": card["_id"]}
            assert house.send("PUT", "/subscriptions/assign-employee", {**of, **given_to}).status_code == 200
        else:
            answer = house.send("PUT", "/subscriptions/status", {**of, "status": name})
            stuck = ended and name == "ACTIVE" and expected == "PAUSED"
            assert answer.status_code == (409 if stuck else 200 if name in SubscriptionStatus.values else 422)
            expected = name if name in SubscriptionStatus.values and not stuck else expected
        row = Subscription.objects.get(pk=created["_id"])
        assert (row.status, row.card_id) == (expected, card["_id"])
        assert (row.next_charge_at is None) == (expected == "PAUSED")
