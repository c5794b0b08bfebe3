"""The cache that our processes share. A cache that is away is like an empty one: slower, not broken."""

from collections.abc import Iterable, Mapping
from typing import Any

import structlog
from django.core.cache import cache

log = structlog.get_logger(__name__)


def load(name: str, *, away: Any = None) -> Any:
    """The value stored under a name; None where there is none, `away` where the cache is."""
    try:
        return cache.get(name)
    except Exception as error:  # whatever the cache's client raises
        log.warning("cache away", error=type(error).__name__)
        return away


def load_many(names: Iterable[str]) -> Mapping[str, Any]:
    """The stored values of several names by name, in one call; names without a value are left out."""
    try:
        return dict(cache.get_many(names))
    except Exception as error:  # likewise
        log.warning("cache away", error=type(error).__name__)
        return {}


def store(name: str, value: Any, seconds: int) -> None:
    """Stores a value under a name for so many seconds."""
    try:
        cache.set(name, value, seconds)
    except Exception as error:  # likewise
        log.warning("cache away", error=type(error).__name__)


def delete(name: str) -> None:
    """Deletes the value of a name."""
    try:
        cache.delete(name)
    except Exception as error:  # likewise
        log.warning("cache away", error=type(error).__name__)


def increment(name: str, seconds: int) -> int | None:
    """Adds one to a counter that lives for so many seconds; the new count, or None where the cache is away."""
    try:
        cache.add(name, 0, seconds)
        return int(cache.incr(name))
    except Exception as error:  # likewise, or the counter ended between the two
        log.warning("cache away", error=type(error).__name__)
        return None


def raise_to(name: str, number: int, seconds: int) -> None:
    """Stores a number under a name for so many seconds, unless a larger one is there: then that is kept so long. Of two at
    once neither is lost; the number may then be larger than both."""
    try:
        if cache.add(name, number, seconds):
            return
        missing = number - int(cache.get(name) or 0)
        if missing > 0:
            cache.incr(name, missing)
        cache.touch(name, seconds)
    except Exception as error:  # likewise, or the number ended between the calls
        log.warning("cache away", error=type(error).__name__)
