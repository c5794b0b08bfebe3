"""Payment requests that are scored: as those that are voted on."""

from tests.service.approvals.conftest import committed_house, no_worker, settled_people

__all__ = ["committed_house", "no_worker", "settled_people"]
