"""The cache that our processes share. A cache that is away is like an empty one: slower, not broken."""

from collections.abc import Iterable, Mapping
from typing import Any

import structlog
from django.core.cache import cache

log = structlog.get_logger(__name__)


def load(name: str) -> Any:
    """The value stored under a name; None where there is none, or the cache is away."""
    try:
        return cache.get(name)
    except Exception as error:  # whatever the cache's client raises
        log.warning("cache away", error=type(error).__name__)
        return None


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
