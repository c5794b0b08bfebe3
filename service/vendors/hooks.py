"""What keeps a vendor from being deleted: areas above that owe vendors money say so."""

from collections.abc import Callable

from service.vendors.models import Vendor

# What of an area is still open with the vendor, as a sentence; empty for nothing.
Lookup = Callable[[Vendor], str]
_LOOKUPS: list[Lookup] = []


def register_dependents(lookup: Lookup) -> None:
    """Called by an area when it is loaded."""
    _LOOKUPS.append(lookup)


def dependents_of(vendor: Vendor) -> str:
    """The first that is still open, as a sentence; empty for nothing."""
    return next(filter(None, (lookup(vendor) for lookup in _LOOKUPS)), "")
