"""The business of the pages' tests, as the mirror knows it, and the verb of these tests: somebody hands over."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from dashboard.delegation.models import Delegation
from dashboard.delegation.services import DelegationTerms, create_delegation
from dashboard.times import local
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.conftest import house as house
from tests.dashboard.pages.conftest import new_house as new_house


def draft(house: House, to: str = "Zawadi", **given: Any) -> DelegationTerms:
    today = local(timezone.now(), house.business).date()
    values: dict[str, Any] = {
        "delegate": house.people[to], "kinds": frozenset({"expense"}), "first": today,
        "last": today + timedelta(days=3),
    }  # fmt: skip
    return DelegationTerms(**(values | given))


def hand_over(house: House, who: str = "Apollo", to: str = "Zawadi", **given: Any) -> Delegation:
    return create_delegation(house.actor(who), draft(house, to, **given), key=uuid.uuid4().hex)
