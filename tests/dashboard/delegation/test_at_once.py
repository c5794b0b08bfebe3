"""Two people who hand over to each other in the same moment do not make a loop together."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connections

from dashboard.delegation.models import Delegation
from dashboard.delegation.services import DelegationTerms, create_delegation
from dashboard.errors import Rejected
from tests.dashboard.access.house import build
from tests.days import business_day


def test_of_two_that_cross_one_holds(committed: None) -> None:
    house, together = build(), Barrier(2)
    today = business_day(1)

    def hand_over(who: str, to: str) -> str:
        actor = house.actor(who)
        draft = DelegationTerms(house.people[to], frozenset({"expense"}), today, today)
        together.wait()
        try:
            create_delegation(actor, draft, key=uuid.uuid4().hex)
        except Rejected as refused:
            return refused.detail
        finally:
            connections.close_all()
        return ""

    with ThreadPoolExecutor(2) as pool:
        sentences = sorted(pool.map(hand_over, ("Apollo", "Zawadi"), ("Zawadi", "Apollo")))
    assert sentences[0] == ""
    assert "delegated back" in sentences[1]
    assert Delegation.objects.filter(business=house.business).count() == 1
