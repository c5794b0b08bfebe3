"""The wallet that a top-up is paid from: the one that allocations are tested with."""

from tests.dashboard.people.conftest import first_wallet

__all__ = ["first_wallet"]
