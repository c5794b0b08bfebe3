"""The same light business as for the wallet policies, where a second admin is asked for."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from dashboard.access.models import Membership
from dashboard.proposals.models import FourEyes, Proposal
from tests.dashboard.conftest import World
from tests.dashboard.pages.conftest import House, house, new_house
from tests.dashboard.treasury.test_exchange import proven
from tests.dashboard.wallet_policies.conftest import at, policy, terms
from tests.saml_provider import SamlIdentityProvider

__all__ = ["house", "new_house"]


@pytest.fixture(scope="module")
def provider() -> SamlIdentityProvider:
    return SamlIdentityProvider()


@pytest.fixture
def owned(house: House) -> House:
    """A house whose super admins have signed in."""
    for name in ("Sam", "Selma"):
        Membership.objects.filter(pk=house.people[name].pk).update(last_seen_at=timezone.now())
    return house


@pytest.fixture
def guarded(world: World) -> World:
    """A business that asks for a second admin."""
    FourEyes.objects.create(business=world.business, is_on=True)
    return world


def propose(world: World, by: str = "Ada", **form: Any) -> Proposal:
    """Somebody proposes that Carla may only look, and no longer pay."""
    found = policy(world, "Carla")
    given = terms(permissions=["WALLET_VIEW"], seen="1", step="confirm", why="She changed teams", **form)
    answer = world.client(by).post(at(world, f"{found.remote_id}/edit/"), given)
    assert answer.status_code == 302, answer.content.decode()
    return last(world)


def last(world: World) -> Proposal:
    """The newest proposal."""
    return Proposal.objects.filter(business=world.business).latest("pk")


def decide(world: World, proposal: Proposal, by: str, how: str = "confirm", **form: str) -> Any:
    """Somebody confirms, declines or withdraws it."""
    return proven(world, by).post(at(world, f"proposals/{proposal.pk}/{how}/"), form)
