"""How often a client may ask (decisions B.4): sliding windows in the shared cache, by the client's plan.

The count of the last window is taken as the current bucket plus the part of the one before that still lies within it:
two counters, no list of timestamps. When the cache is unreachable, reads and writes go on: the limiter protects the
service, it does not guard money.
"""

import logging
import time
from dataclasses import dataclass

import redis
from django.http import HttpRequest

from service import errors
from service.businesses.models import ApiKey, Client, RatePlan
from service.ttl_cache import invalidation_key, send_together, shared

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
        """Whether the budget was used up, so that the request is refused."""
        return self.left < 0


@dataclass(frozen=True, slots=True)
class Visit:
    """The answer of one round trip to the shared store: each limit, and whether there is a mark on the watched key.

    `marked` is None when the store was unreachable.
    """

    spent: tuple[Spent, ...]
    marked: bool | None

    @property
    def tightest(self) -> Spent:
        """The limit that refuses, else the first."""
        return next((limit for limit in self.spent if limit.refused), self.spent[0])


def spend(who: str, limits: tuple[Limit, ...], watch: str = "") -> Visit:
    """Counts one request of `who` against the limits, and looks for a mark on `watch`."""
    now = time.time()
    before, commands = [], []
    for limit in limits:
        bucket = int(now // limit.window_s)
        current = f"rate:{limit.name}:{who}:{bucket}"
        before.append(f"rate:{limit.name}:{who}:{bucket - 1}")
        commands += [("INCR", current), ("EXPIRE", current, limit.window_s * 2 + 1)]
    marks = [invalidation_key(watch)] if watch else []
    try:
        *replies, known = send_together(shared(), [*commands, ("MGET", *before, *marks)])
    except redis.RedisError:
        log.warning("rate limiter unreachable: let through")
        return Visit(tuple(Spent(limit, limit.quota, limit.window_s) for limit in limits), None)
    spent = tuple(
        _left(limit, now, int(known[place] or 0), int(replies[2 * place])) for place, limit in enumerate(limits)
    )
    return Visit(spent, bool(watch) and known[-1] is not None)


def _left(rate_limit: Limit, now: float, before: int, count: int) -> Spent:
    elapsed = now / rate_limit.window_s % 1
    used = count + before * (1 - elapsed)
    reset_s = int(rate_limit.window_s * (1 - elapsed)) + 1
    return Spent(rate_limit, int(rate_limit.quota - used) if used <= rate_limit.quota else -1, reset_s)


def _fields(spent: Spent) -> dict[str, str]:
    """The fields of draft-ietf-httpapi-ratelimit-headers-10."""
    name, limit = spent.limit.name, spent.limit
    return {
        "RateLimit-Policy": f'"{name}";q={limit.quota};w={limit.window_s}',
        "RateLimit": f'"{name}";r={max(0, spent.left)};t={spent.reset_s}',
    }


def spend_v2(
    request: HttpRequest, client: Client, kind: str = "", watch: str = ""
) -> tuple[dict[str, str], bool | None]:
    """Counts a v2 request: the headers of the answer and whether `watch` is marked; 429 over the limit.

    `kind` names a limit of its own; else it is "reads" or "writes", by the method.
    """
    kind = kind or ("reads" if request.method in ("GET", "HEAD") else "writes")
    visit = spend(f"{client.pk}:{client.business_id}", PLANS[client.rate_plan][kind], watch)
    headers = _fields(visit.tightest)
    if visit.tightest.refused and not visit.marked:
        raise errors.rate_limited(visit.tightest.reset_s, headers)
    return headers, visit.marked


def spend_token(client_id: str, rate_plan: str) -> None:
    """Counts a token request; 429 over the limit."""
    spent = spend(client_id, PLANS[rate_plan]["token"]).tightest
    if spent.refused:
        raise errors.rate_limited(spent.reset_s, _fields(spent))


def spend_v1(key: ApiKey, watch: str = "") -> tuple[dict[str, str], bool | None]:
    """Counts a request of the old interface: its X-RateLimit headers and whether `watch` is marked; 429 over it."""
    visit = spend(key.id, PLANS[key.rate_plan]["v1"], watch)
    spent = visit.tightest
    headers = {
        "X-RateLimit-Limit": spent.limit.name,
        "X-RateLimit-Remaining": str(max(0, spent.left)),
        "X-RateLimit-Reset": str(int(time.time()) + spent.reset_s),
    }
    if spent.refused and not visit.marked:
        raise errors.rate_limited(spent.reset_s, headers)
    return headers, visit.marked
