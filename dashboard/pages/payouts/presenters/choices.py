"""What the forms of payouts offer: channels, banks and wallets."""

from collections.abc import Sequence

from dashboard.mirror.models import Wallet
from dashboard.pages.payouts.presenters.rows import channel_text as channel_text
from dashboard.pages.payouts.selectors.payouts import PayoutDestinations


def channel_choices(destinations: PayoutDestinations) -> list[tuple[str, str]]:
    """The channels as the choices of a field."""
    return [(row.code, row.name or row.code) for row in destinations.channels.values()]


def bank_choices(destinations: PayoutDestinations) -> list[tuple[str, str]]:
    """The banks as the choices of a field."""
    return [(row.code, row.name or row.code) for row in destinations.banks]


def wallet_choices(wallets: Sequence[Wallet]) -> list[tuple[str, str]]:
    """The wallets as the choices of a field: reference and name with currency."""
    return [(row.org_wallet_ref, f"{row.name or row.org_wallet_ref} · {row.currency}") for row in wallets]
