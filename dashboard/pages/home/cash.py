"""A wallet's money as the home page tells it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cash:
    """What a wallet holds, as text; `live` or from the copy; `minor` for the sum per currency (None: not known)."""

    name: str
    currency: str
    amount: str
    as_of: str
    live: bool
    minor: int | None
