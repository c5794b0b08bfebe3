"""One HTTP call and its reply, as plain values, and the moment after which nobody waits for it any more."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Download:
    """The file that the body of an answer is saved as, where it may be too long for memory, and what hears after each piece
    how many bytes there are by now. A second try begins the file anew."""

    path: Path
    on_bytes: Callable[[int], None]


@dataclass(frozen=True)
class Call:
    """One call. `safe` may be repeated without harm: it reads, or it carries a key.

    `stored` is JSON that the outbox keeps in place of the body: of a file what it is, never its bytes.
    """

    base_url: str
    method: str
    path: str
    template: str
    headers: Mapping[str, str]
    query: Mapping[str, str | int] = field(default_factory=dict)
    body: bytes | None = field(default=None, repr=False)
    is_read: bool = True
    safe: bool = True
    read_s: float = 15.0
    tries: int = 3
    stored: bytes | None = field(default=None, repr=False)
    download: Download | None = field(default=None, repr=False)

    @property
    def in_outbox(self) -> bytes | None:
        """What the outbox keeps of the body."""
        return self.body if self.stored is None else self.stored


@dataclass(frozen=True)
class Reply:
    """What came back, whole; the body is empty where it was downloaded. `after_doubt`: an earlier try may have done it already, and this is no replay of its answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    ms: int
    after_doubt: bool = False


class Deadline:
    """A moment after which nobody waits any more; on the clock that nobody can set."""

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self._ends - time.monotonic())
