"""What keeps somebody's account from being deleted: areas above in which people have something open say so."""

from collections.abc import Callable

from service.businesses.models import Employee

# What of an area is still open of the person, each in words such as "cards that are not retired"; empty for nothing.
Lookup = Callable[[Employee], list[str]]
_LOOKUPS: list[Lookup] = []
# Named once, whichever wallets of theirs (or of their cards) have money.
MONEY = "money on their wallet"


def register_dependents(lookup: Lookup) -> None:
    """Called by an area when it is loaded; what it finds is named in the order of the areas in INSTALLED_APPS."""
    _LOOKUPS.append(lookup)


def dependents_of(person: Employee) -> list[str]:
    """All that is still open of the person in the areas above, in words."""
    return [dependent for lookup in _LOOKUPS for dependent in lookup(person)]
