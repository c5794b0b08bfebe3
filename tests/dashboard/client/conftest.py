"""A house, a small finance service, and a proxy that fails on request between the two."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.dashboard.access.house import House, build
from tests.dashboard.client.small_service import SmallService
from tests.faults import FaultProxy


@dataclass
class Town:
    house: House
    service: SmallService
    proxy: FaultProxy


@pytest.fixture
def town(committed: None) -> Iterator[Town]:
    with SmallService() as service, FaultProxy(service.address) as proxy:
        house = build()
        house.connect(proxy.address)
        yield Town(house, service, proxy)
