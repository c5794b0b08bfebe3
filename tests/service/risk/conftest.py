"""Payment requests that are scored: as those that are voted on."""

from tests.service.approvals.conftest import kept, no_worker, settled_people

__all__ = ["kept", "no_worker", "settled_people"]
