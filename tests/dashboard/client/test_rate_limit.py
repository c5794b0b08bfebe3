"""Staying below the service's limits: learnt from its answers, shared by all processes, people before jobs."""

import pytest

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client import rate_limit
from dashboard.client.gateway import send
from dashboard.errors import TooMany
from tests.dashboard.client.conftest import Town


def reads(town: Town, actor: Actor, most: int) -> int:
    """How many of so many reads are let out."""
    for number in range(most):
        try:
            send(actor, operations.LIST_EXPENSES)
        except TooMany:
            return number
    return most


# A window so long that no test stands across its end.
@pytest.mark.parametrize(
    "policy",
    [
        '"default";q=20;w=86400000',
        "20;w=86400000",
        '"burst";q=5;w=1, "default";q=20;w=86400000',
        '"d";q=20;qu="r";w=86400000',
    ],
)
def test_jobs_stop_before_people_and_people_before_the_limit(town: Town, policy: str) -> None:
    town.service.policy = policy
    ada, job = town.house.actor("Ada"), Actor.reader_for(town.house.business)
    send(ada, operations.LIST_EXPENSES)
    assert reads(town, job, 30) == 11
    assert reads(town, ada, 30) == 4
    rate_limit._remembered.clear()
    with pytest.raises(TooMany) as near:
        send(ada, operations.LIST_EXPENSES)
    assert near.value.retry_after is not None
    assert near.value.changed is False
    assert len(town.proxy.sent("GET")) == 16


def test_a_service_that_advertises_nothing_is_not_limited_here(town: Town) -> None:
    for policy in ("", "nonsense", "q=;w="):
        town.service.policy = policy
        assert reads(town, town.house.actor("Ada"), 10) == 10
