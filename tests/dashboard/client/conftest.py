"""A house, a small finance service, and a proxy that fails on request between the two."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.certificates import certificate_for_localhost
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


@pytest.fixture
def tls_town(committed: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Town]:
    """The same over TLS, with a certificate that the dashboard trusts."""
    tls, bundle = certificate_for_localhost(tmp_path)
    with SmallService() as service, FaultProxy(service.address, tls=tls) as proxy:
        monkeypatch.setattr("requests.adapters.DEFAULT_CA_BUNDLE_PATH", bundle)
        house = build()
        house.connect(proxy.address)
        yield Town(house, service, proxy)
