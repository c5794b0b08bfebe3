"""Django's Redis cache with its client kept: making a client anew for each call costs more than the call."""

from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient


class KeptClient(RedisCacheClient):
    """One client per pool; a client is safe to share between threads."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._kept: dict[int, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """The client for reading or writing a key."""
        index = self._get_connection_pool_index(write)  # type: ignore[attr-defined]
        client = self._kept.get(index)
        if client is None:
            client = self._kept[index] = super().get_client(key, write=write)
        return client


class KeptRedisCache(RedisCache):
    """The backend that uses it."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = KeptClient
