"""How often a client may ask (decisions B.4): sliding windows in the shared cache, by the client's plan.

The count of the last window is taken as the current bucket plus the part of the one before that still lies within it:
two counters, no list of timestamps. When the cache is unreachable, reads and writes go on: the limiter protects the
service, it does not guard money.
"""

import logging
import time
from dataclasses import dataclass

from django.core.cache import cache
from django.http import HttpRequest

from service import errors
from service.businesses.models import ApiKey, Client, RatePlan

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `quota` requests in any `window_s` seconds."""

    name: str
    quota: int
    window_s: int


PLANS: dict[str, dict[str, tuple[Limit, ...]]] = {
    RatePlan.STANDARD: {
        "reads": (Limit("default", 600, 60), Limit("burst", 50, 1)),
        "writes": (Limit("writes", 120, 60), Limit("burst", 50, 1)),
        "exports": (Limit("exports", 6, 60),),
        "token": (Limit("token", 30, 60),),
        "v1": (Limit("per_second", 10, 1), Limit("per_day", 86_400, 86_400)),
    },
    RatePlan.HIGH: {
        "reads": (Limit("default", 600_000, 60),),
        "writes": (Limit("writes", 600_000, 60),),
        "exports": (Limit("exports", 600, 60),),
        "token": (Limit("token", 6_000, 60),),
        "v1": (Limit("per_second", 5_000, 1),),
    },
}


@dataclass(frozen=True, slots=True)
class Spent:
    """What is left after this request, and in how many seconds there is more."""

    limit: Limit
    left: int
    reset_s: int

    @property
    def refused(self) -> bool:
        return self.left < 0


def spend(who: str, limit: Limit) -> Spent:
    """Counts one request of `who` against the limit."""
    now = time.time()
    bucket = int(now // limit.window_s)
    elapsed = now / limit.window_s - bucket
    current, previous = f"rate:{limit.name}:{who}:{bucket}", f"rate:{limit.name}:{who}:{bucket - 1}"
    try:
        before = cache.get(previous, 0)
        fresh = cache.add(current, 1, limit.window_s * 2 + 1)
        count = 1 if fresh else cache.incr(current)
    except Exception:
        log.warning("rate limiter unreachable: let through")
        return Spent(limit, limit.quota, limit.window_s)
    used = count + before * (1 - elapsed)
    return Spent(limit, int(limit.quota - used) if used <= limit.quota else -1, int(limit.window_s * (1 - elapsed)) + 1)


def _tightest(who: str, limits: tuple[Limit, ...]) -> Spent:
    spent = [spend(who, limit) for limit in limits]
    refused = [each for each in spent if each.refused]
    return refused[0] if refused else spent[0]


def _fields(spent: Spent) -> dict[str, str]:
    """The fields of draft-ietf-httpapi-ratelimit-headers-10."""
    name, limit = spent.limit.name, spent.limit
    return {
        "RateLimit-Policy": f'"{name}";q={limit.quota};w={limit.window_s}',
        "RateLimit": f'"{name}";r={max(0, spent.left)};t={spent.reset_s}',
    }


def spend_v2(request: HttpRequest, client: Client, kind: str = "") -> dict[str, str]:
    """Counts a v2 request; the headers of the answer, or 429. `kind` is "reads", "writes" by method where empty."""
    kind = kind or ("reads" if request.method in ("GET", "HEAD") else "writes")
    spent = _tightest(f"{client.pk}:{client.business_id}", PLANS[client.rate_plan][kind])
    headers = _fields(spent)
    if spent.refused:
        raise errors.rate_limited(spent.reset_s, headers)
    return headers


def spend_token(client_id: str, rate_plan: str) -> None:
    """Counts a token request; 429 over the limit."""
    spent = _tightest(client_id, PLANS[rate_plan]["token"])
    if spent.refused:
        raise errors.rate_limited(spent.reset_s, _fields(spent))


def spend_v1(key: ApiKey) -> dict[str, str]:
    """Counts a request of the old interface; its X-RateLimit headers, or 429 with them."""
    spent = _tightest(key.id, PLANS[key.rate_plan]["v1"])
    headers = {
        "X-RateLimit-Limit": spent.limit.name,
        "X-RateLimit-Remaining": str(max(0, spent.left)),
        "X-RateLimit-Reset": str(int(time.time()) + spent.reset_s),
    }
    if spent.refused:
        raise errors.rate_limited(spent.reset_s, headers)
    return headers
