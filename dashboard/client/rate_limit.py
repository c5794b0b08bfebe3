"""Staying below the service's rate limits: one budget per business for all our processes, learnt from its answers.

We use at most 80 % of what it advertises, and background reads leave 30 % of that to people. A service that
advertises nothing, or a cache that is away, limits nothing here: the service's own 429 is obeyed in any case.
"""

import hashlib
import re
import time
from collections.abc import Mapping

from dashboard.cache import increment, load, store
from dashboard.client.models import ServiceAccount
from dashboard.errors import TooMany

OURS = 0.8
BACKGROUND = 0.7
POLICY_TTL_S = 3600
LOCAL_TTL_S = 30.0
# Of a list of policies the longest window is the one to budget by; the syntax has moved between drafts.
POLICY = re.compile(r"(?:q=)?(\d+)\s*;\s*(?:[^,]*?;\s*)?w=(\d+)")

_remembered: dict[str, tuple[float, tuple[int, int] | None]] = {}


def learn(service_account: ServiceAccount, headers: Mapping[str, str], *, is_read: bool) -> None:
    """Notes the quota and window (seconds) that an answer advertises."""
    limits = [(int(quota), int(window)) for quota, window in POLICY.findall(headers.get("RateLimit-Policy", ""))]
    if not limits:
        return
    limit = max(limits, key=lambda pair: pair[1])
    name = _name(service_account, is_read)
    if (remembered := _remembered.get(name)) is None or remembered[1] != limit:
        store(name, limit, POLICY_TTL_S)
    _remembered[name] = (time.monotonic() + LOCAL_TTL_S, limit)


def spend(service_account: ServiceAccount, *, is_read: bool, background: bool) -> None:
    """Counts one call that is about to be made; TooMany, certainly not sent, where the budget is used up."""
    name = _name(service_account, is_read)
    limit = _limit(name)
    if limit is None:
        return
    quota, window = limit
    now = time.time()
    used = increment(f"{name}:{int(now // window)}", window + 1)
    if used is not None and used > quota * OURS * (BACKGROUND if background else 1.0):
        raise TooMany(
            "The finance service's rate limit is almost reached.", code="budget", retry_after=window - now % window
        )


def _limit(name: str) -> tuple[int, int] | None:
    remembered = _remembered.get(name)
    if remembered is not None and time.monotonic() < remembered[0]:
        return remembered[1]
    limit: tuple[int, int] | None = load(name)
    _remembered[name] = (time.monotonic() + LOCAL_TTL_S, limit)
    return limit


def _name(service_account: ServiceAccount, is_read: bool) -> str:
    identity = f"{service_account.base_url}|{service_account.client_id}|{service_account.remote_business_id}|{is_read}"
    return f"budget:{hashlib.sha256(identity.encode()).hexdigest()}"
