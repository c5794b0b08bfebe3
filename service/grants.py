"""Rights a person holds beyond their role: wallet policies, treasury operators, PEOPLE_EDIT (column `grant`).

And rights that were taken from a person or a role, which no operation may be called with (`check_scope`).

The area that knows registers a lookup for its names; unknown means denied. A view says `@requires(…, grant=…)`, which
lets in who holds the grant on anything at all; the action then asks `check` about the one thing, or narrows its rows to
`held`.
"""

from collections.abc import Callable, Collection

from service import errors
from service.caller import Caller

# The ids (of wallets, of fund accounts, "*" for the business) on which the caller's person holds a grant now.
Lookup = Callable[[Caller, str], frozenset[str]]
EVERYTHING = "*"
_LOOKUPS: dict[str, Lookup] = {}
# Refuses the caller what the scope is for, where that was taken away.
Refusal = Callable[[Caller, str], None]
_REFUSALS: list[Refusal] = []


def register(prefix: str, lookup: Lookup) -> None:
    """Called when the area that knows is loaded; `prefix` is the grant's name or how its names begin ("WALLET_")."""
    _LOOKUPS[prefix] = lookup


def held(caller: Caller, grant: str) -> frozenset[str]:
    """The ids on which the caller's person holds the grant; none without a person or for an unknown grant."""
    if caller.employee is None:
        return frozenset()
    lookup = next((registered for prefix, registered in _LOOKUPS.items() if grant.startswith(prefix)), None)
    return lookup(caller, grant) if lookup else frozenset()


def check(caller: Caller, roles: Collection[str], grant: str, object_id: str = EVERYTHING) -> None:
    """403 insufficient_role unless the role is one of `roles` or the person holds the grant on that id."""
    if caller.role in roles:
        return
    granted = held(caller, grant)
    if object_id not in granted and EVERYTHING not in granted:
        raise errors.insufficient_role()


def register_refusal(refusal: Refusal) -> None:
    """Called when the area that knows what was taken away is loaded."""
    _REFUSALS.append(refusal)


def check_scope(caller: Caller, scope: str) -> None:
    """403 insufficient_role where what the scope is for was taken from the person or their role."""
    for refusal in _REFUSALS:
        refusal(caller, scope)
