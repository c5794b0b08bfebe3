"""Stops asking a service that keeps failing, so that pages answer from the copy at once; tries again by itself."""

import threading
import time
from collections import deque
from dataclasses import dataclass, field

WINDOW_S = 30.0
LEAST_CALLS = 10
PAUSE_S = 15.0
AUTH_FAILURES = 5


@dataclass
class Breaker:
    """One per (base address, business, reads or writes). Refusals of ours and of the service's rules do not count."""

    calls: deque[tuple[float, bool]] = field(default_factory=deque)
    auth_failures: int = 0
    opened_at: float | None = None
    probing: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def allows(self) -> bool:
        """Whether a call may go out now; after the pause one probe at a time."""
        with self.lock:
            if self.opened_at is None:
                return True
            if time.monotonic() - self.opened_at < PAUSE_S or self.probing:
                return False
            self.probing = True
            return True

    def succeeded(self) -> None:
        """The service answered, whatever it answered."""
        with self.lock:
            if self.opened_at is not None:
                self.calls.clear()
            self.opened_at, self.probing, self.auth_failures = None, False, 0
            self._add_call(failed=False)

    def failed(self, *, auth: bool = False) -> None:
        """The service did not answer, failed, or did not accept the account."""
        with self.lock:
            self.auth_failures = self.auth_failures + 1 if auth else self.auth_failures
            self._add_call(failed=True)
            bad = sum(1 for _, failed in self.calls if failed)
            tripped = len(self.calls) >= LEAST_CALLS and bad * 2 >= len(self.calls)
            if self.probing or tripped or self.auth_failures >= AUTH_FAILURES:
                self.opened_at, self.probing = time.monotonic(), False

    def release(self) -> None:
        """The call is over, however it ended: the next probe may go out."""
        with self.lock:
            self.probing = False

    def _add_call(self, *, failed: bool) -> None:
        now = time.monotonic()
        self.calls.append((now, failed))
        while self.calls and self.calls[0][0] < now - WINDOW_S:
            self.calls.popleft()


_breakers: dict[tuple[str, str, bool], Breaker] = {}


def breaker_for(base_url: str, business_id: str, *, is_read: bool) -> Breaker:
    """The breaker of a business's reads or writes at a service, in this process."""
    return _breakers.setdefault((base_url, business_id, is_read), Breaker())
