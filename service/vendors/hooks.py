"""What areas above say of vendors: what keeps one from being deleted, what follows when two are merged, and whose phone a
number is."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from service.auth import Caller
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


def _nothing(caller: Caller, source: Vendor, target: Vendor) -> None:
    """What moves by itself, such as what goes by the vendor's name."""


def _no_obstacle(source: Vendor, target: Vendor) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Follower:
    """What of an area belongs to vendors: how many, what moves it from one to another in the caller's transaction, and what
    stands in the way of that as a sentence, "" for nothing."""

    noun: str
    count: Callable[[Vendor], int]
    move: Callable[[Caller, Vendor, Vendor], None] = _nothing
    obstacle: Callable[[Vendor, Vendor], str] = _no_obstacle


_FOLLOWERS: list[Follower] = []


def register_follower(follower: Follower) -> None:
    """Called by an area when it is loaded."""
    _FOLLOWERS.append(follower)


def followers() -> list[Follower]:
    """What of all areas belongs to vendors, by its noun."""
    return sorted(_FOLLOWERS, key=lambda follower: follower.noun)


# Which employees of a business (its id) have one of these phone numbers, as (digits of the number, name).
PhoneOwners = Callable[[str, Iterable[str]], list[tuple[str, str]]]
_PHONE_OWNERS: list[PhoneOwners] = []


def register_phone_owners(lookup: PhoneOwners) -> None:
    """Called by an area when it is loaded."""
    _PHONE_OWNERS.append(lookup)


def phone_owners(business_id: str, numbers: Iterable[str]) -> list[tuple[str, str]]:
    """The employees who have one of these numbers, as (digits, name)."""
    digits = [number for number in numbers if number]
    return [owner for lookup in _PHONE_OWNERS for owner in lookup(business_id, digits)] if digits else []
