"""A page that is opened by roles and by no operation (dashboard/operations_pages.py holds the table)."""

from dataclasses import dataclass

from dashboard.access.operation import Operation
from dashboard.access.roles import Role


@dataclass(frozen=True)
class SitePage:
    """A page of the dashboard: `shows` are the operations that its contents are scoped by."""

    name: str
    roles: frozenset[Role]
    purpose: str
    operations: tuple[Operation, ...] = ()
    # The finance service knows nothing of it: the role here opens it, whatever the one there is.
    is_ours: bool = False
