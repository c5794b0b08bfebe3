"""What our processes tell each other through the cache. A cache that is away is like an empty one: slower, not broken."""

from collections.abc import Iterable
from typing import Any

import structlog
from django.core.cache import cache

log = structlog.get_logger(__name__)


def recall(name: str) -> Any:
    """What was kept under a name, or None."""
    try:
        return cache.get(name)
    except Exception as error:  # whatever the cache's client raises
        log.warning("cache away", error=type(error).__name__)
        return None


def recall_all(names: Iterable[str]) -> dict[str, Any]:
    """What was kept of several names, in one look."""
    try:
        return dict(cache.get_many(names))
    except Exception as error:  # likewise
        log.warning("cache away", error=type(error).__name__)
        return {}


def keep(name: str, value: Any, seconds: int) -> None:
    """Keeps something for so many seconds."""
    try:
        cache.set(name, value, seconds)
    except Exception as error:  # likewise
        log.warning("cache away", error=type(error).__name__)


def forget(name: str) -> None:
    """Forgets what was kept."""
    try:
        cache.delete(name)
    except Exception as error:  # likewise
        log.warning("cache away", error=type(error).__name__)


def count(name: str, seconds: int) -> int | None:
    """One more under a name that lives for so many seconds; the count, or None where it cannot be kept."""
    try:
        cache.add(name, 0, seconds)
        return int(cache.incr(name))
    except Exception as error:  # likewise, or the counter ended between the two
        log.warning("cache away", error=type(error).__name__)
        return None
