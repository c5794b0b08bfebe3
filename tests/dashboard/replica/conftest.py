"""The alias "replica" of a test's own, pointing where the test says, and a business whose rows are committed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.conf import LazySettings
from django.db import connections

from dashboard import replica
from tests.dashboard.lists.conftest import kept_house
from tests.dashboard.pages.conftest import new_house

__all__ = ["kept_house", "new_house"]

Name = Callable[[str], None]


def socket_of_the_primary() -> str:
    """The folder of the socket of the PostgreSQL that the tests run on."""
    entry = connections.settings["default"]
    return str(entry["HOST"] or entry["OPTIONS"]["host"])


@pytest.fixture
def name_replica(committed: None, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Name]:
    """Names the PostgreSQL behind a socket as the replica of this test's database."""
    # A replica that is far behind is another test's matter.
    settings.DATABASE_REPLICA_LAG_S = 3600.0
    monkeypatch.setattr(replica, "_watch", replica._Watch())
    monkeypatch.setattr(replica, "LOOK_EVERY_S", 0.05)

    def name(socket_folder: str) -> None:
        primary = connections.settings["default"]
        options = {**primary["OPTIONS"], "connect_timeout": 2}
        connections.settings["replica"] = {**primary, "HOST": socket_folder, "OPTIONS": options}

    yield name
    if "replica" in connections.settings:
        connections["replica"].close()
        del connections["replica"], connections.settings["replica"]
