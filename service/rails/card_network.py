"""The card network: issues card numbers behind a token, and clears what merchants have authorised."""

import hashlib
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class IssuedCard:
    """What is known of a card outside the vault: never its number."""

    token: str
    last_four: str
    brand: str
    expiry_month: int
    expiry_year: int


class ClearingKind(StrEnum):
    """What a merchant does with an authorisation."""

    CAPTURE = "CAPTURE"
    REVERSE = "REVERSE"
    NOTHING = "NOTHING"  # the hold runs out by itself


@dataclass(frozen=True, slots=True)
class Clearing:
    """What the network presents for an authorisation; an amount above it is an over-capture and must post."""

    kind: ClearingKind
    amount_minor: int = 0


class CardNetwork(Protocol):
    """Issues and clears; both answer the same for the same reference."""

    def issue(self, reference: str, today: date) -> IssuedCard:
        """A card that is valid for three years."""

    def clear(self, authorization_ref: str, amount_minor: int) -> Clearing:
        """What the merchant presents for this authorisation."""


# By the last two digits of the amount in minor units, as merchants' test terminals do.
MAGIC: dict[int, tuple[ClearingKind, int]] = {
    91: (ClearingKind.NOTHING, 0),
    92: (ClearingKind.CAPTURE, 50),  # per cent of the authorisation: captured in part
    93: (ClearingKind.CAPTURE, 120),  # more than was authorised (a tip, fuel)
    94: (ClearingKind.REVERSE, 0),
}


class SimulatedCardNetwork:
    """Decides by the last two digits of the amount (docs/rails.md)."""

    def issue(self, reference: str, today: date) -> IssuedCard:
        """See CardNetwork."""
        digest = hashlib.sha256(reference.encode()).hexdigest()
        return IssuedCard(
            f"vcn_{digest[:24]}", f"{int(digest[24:32], 16) % 10_000:04d}", "VISA", today.month, today.year + 3
        )

    def clear(self, authorization_ref: str, amount_minor: int) -> Clearing:
        """See CardNetwork."""
        kind, per_cent = MAGIC.get(amount_minor % 100, (ClearingKind.CAPTURE, 100))
        return Clearing(kind, amount_minor * per_cent // 100)


network: CardNetwork = SimulatedCardNetwork()
