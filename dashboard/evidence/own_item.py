"""An item of a person's own, as their pack lists it before it is read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class OwnItem:
    """An item of a person's own: its key in the copy, when it was spent, requested or entered, its kind and id as the audit names
    it, and why it is theirs ("entered by them")."""

    pk: int
    at: datetime
    key: tuple[str, str]
    because: str
