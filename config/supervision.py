"""A process that ends by itself is begun again, a little later each time; three times within a minute are too often."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

# After its first end within a minute, and after its second.
PAUSES_S = (0.5, 4.0)
WITHIN_S = 60.0


class EndedTooOften(Exception):
    """A process has ended by itself once more than it is begun again within a minute; the message says how often."""


@dataclass
class Supervision:
    """The ends of one process, and when it is begun again; `now` is a clock in seconds that nobody sets back."""

    begin: Callable[[], None]
    now: Callable[[], float] = time.monotonic
    ends: deque[float] = field(default_factory=deque)
    due: float | None = None

    def note_end(self) -> float:
        """It has ended: in how many seconds it is begun again. Raises EndedTooOften."""
        now = self.now()
        while self.ends and now - self.ends[0] > WITHIN_S:
            self.ends.popleft()
        self.ends.append(now)
        if len(self.ends) > len(PAUSES_S):
            raise EndedTooOften(f"{len(self.ends)} times within a minute")
        pause = PAUSES_S[len(self.ends) - 1]
        self.due = now + pause
        return pause

    @property
    def waits(self) -> bool:
        """Whether it has ended and is not begun again yet."""
        return self.due is not None

    def begin_if_due(self) -> None:
        """Begins it again once its pause is over."""
        if self.due is not None and self.now() >= self.due:
            self.due = None
            self.begin()
