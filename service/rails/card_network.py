"""The card network: issues card numbers behind a token, clears what merchants have authorised, ships what is plastic."""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import date, timedelta
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


class Shipping(StrEnum):
    """How far a physical card has come: made, shipped, delivered."""

    MADE = "MADE"
    SHIPPED = "SHIPPED"
    DELIVERED = "DELIVERED"


class CardNetwork(Protocol):
    """Issues and clears; both answer the same for the same reference."""

    def issue(self, reference: str, today: date) -> IssuedCard:
        """A card that is valid for three years."""

    def clear(self, authorization_ref: str, amount_minor: int) -> Clearing:
        """What the merchant presents for this authorisation."""

    def fingerprint(self, reference: str, key: bytes) -> str:
        """An HMAC of the card's number under our key: equal for the same number, and no way back. The number stays here."""

    def shipping(self, reference: str, since_order: timedelta) -> Shipping:
        """Where the physical card is, so long after it was ordered."""


# By the last two digits of the amount in minor units, as merchants' test terminals do.
MAGIC: dict[int, tuple[ClearingKind, int]] = {
    91: (ClearingKind.NOTHING, 0),
    92: (ClearingKind.CAPTURE, 50),  # per cent of the authorisation: captured in part
    93: (ClearingKind.CAPTURE, 120),  # more than was authorised (a tip, fuel)
    94: (ClearingKind.REVERSE, 0),
}

SHIPPED_AFTER = timedelta(seconds=5)
DELIVERED_AFTER = timedelta(seconds=15)


class SimulatedCardNetwork:
    """Decides by the last two digits of the amount (docs/rails.md)."""

    def issue(self, reference: str, today: date) -> IssuedCard:
        """A card whose numbers follow from its reference, good for three years (see CardNetwork)."""
        digest = hashlib.sha256(reference.encode()).hexdigest()
        return IssuedCard(f"vcn_{digest[:24]}", _last_four(digest), "VISA", today.month, today.year + 3)

    def clear(self, authorization_ref: str, amount_minor: int) -> Clearing:
        """What is captured of an authorization, by the last digits of its amount (see CardNetwork)."""
        kind, per_cent = MAGIC.get(amount_minor % 100, (ClearingKind.CAPTURE, 100))
        return Clearing(kind, amount_minor * per_cent // 100)

    def fingerprint(self, reference: str, key: bytes) -> str:
        """What the card's number is known again by, under the key (see CardNetwork)."""
        digest = hashlib.sha256(reference.encode()).hexdigest()
        return hmac.new(key, _number(digest).encode(), hashlib.sha256).hexdigest()

    def shipping(self, reference: str, since_order: timedelta) -> Shipping:
        """How far a card has come, by how long ago it was ordered (see CardNetwork)."""
        if since_order < SHIPPED_AFTER:
            return Shipping.MADE
        return Shipping.SHIPPED if since_order < DELIVERED_AFTER else Shipping.DELIVERED


def _last_four(digest: str) -> str:
    return f"{int(digest[24:32], 16) % 10_000:04d}"


def _number(digest: str) -> str:
    """Sixteen digits as a network gives them: the twelfth makes the check sum come out."""
    body = f"4{int(digest[32:48], 16) % 10**10:010d}"
    return next(number for check_digit in range(10) if _passes(number := f"{body}{check_digit}{_last_four(digest)}"))


def _passes(number: str) -> bool:
    """Luhn's check sum."""
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(number))]
    return sum(digit - 9 if digit > 9 else digit for digit in doubled) % 10 == 0


network: CardNetwork = SimulatedCardNetwork()
