"""The subscription against its table: ACTIVE and PAUSED, each from any state, and nothing else moves it."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.subscriptions.models import Subscription, SubscriptionStatus
from tests.service.house import House
from tests.service.subscriptions.conftest import charge, subscription

MOVES = st.lists(
    st.sampled_from(["ACTIVE", "PAUSED", "DELETED", "active", "charge", "limit", "weekly", "team"]), max_size=8
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=MOVES)
def test_no_transition_outside_the_table_is_reachable(house: House, moves: list[str]) -> None:
    Subscription.objects.filter(business=house.business).delete()
    made = subscription(house)
    expected = "ACTIVE"
    of = {"subscription_id": made["_id"]}
    for name in moves:
        if name == "charge":
            charge(house)
        elif name in ("limit", "weekly"):
            change = {"limit": 100} if name == "limit" else {"billing_frequency": "WEEKLY"}
            assert house.send("PUT", "/subscriptions/limits-billing-frequency", {**of, **change}).status_code == 200
        elif name == "team":
            assert house.send("PUT", "/subscriptions/team", {**of, "team_id": None}).status_code == 200
        else:
            answer = house.send("PUT", "/subscriptions/status", {**of, "status": name})
            assert answer.status_code == (200 if name in SubscriptionStatus.values else 422)
            expected = name if name in SubscriptionStatus.values else expected
        row = Subscription.objects.get(pk=made["_id"])
        assert row.status == expected
        assert (row.next_charge_at is None) == (expected == "PAUSED")
