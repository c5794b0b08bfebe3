"""What hangs on a wallet and keeps it open: areas that attach something to wallets, such as cards, register here when
they are loaded."""

from collections.abc import Callable

from service.accounts.models import Wallet
from service.errors import FieldError

# What of an area still needs the wallet, which the caller has locked: each as a field (the area), a code and a sentence.
Lookup = Callable[[Wallet], list[FieldError]]
_LOOKUPS: list[Lookup] = []
# Of each area so many are named in a refusal.
MOST_NAMED = 20


def register_dependents(lookup: Lookup) -> None:
    """Called by an area when it is loaded."""
    _LOOKUPS.append(lookup)


def dependents_of(wallet: Wallet) -> list[FieldError]:
    """All that hangs on the wallet, area by area."""
    return [dependent for lookup in _LOOKUPS for dependent in lookup(wallet)]
