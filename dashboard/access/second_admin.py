"""Whether a business requires a second admin: asked by whatever gives somebody a role, known by a higher floor.

Who registers it is proposals/, where it is switched. Without an answer nobody gives a role.
"""

from collections.abc import Callable

from dashboard.access.models import Business

# Said where a role that moves money would be given by one person alone.
ROLES_NEED_TWO = (
    "Roles that move money need a second admin: choose another role here, then change it under Roles and mandates."
)

Reader = Callable[[Business], bool]
_readers: list[Reader] = []


def register_requirement(reader: Reader) -> None:
    """Registers, once at start-up, what knows which businesses require a second admin."""
    _readers[:] = [reader]


def is_second_admin_required(business: Business) -> bool:
    """Whether the business requires a second admin; LookupError where nobody has registered what knows it."""
    if not _readers:
        raise LookupError("nobody has said which businesses require a second admin")
    return _readers[0](business)
