"""Django's Redis cache with one client per pool: a new client for each call costs more than the call."""

from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient


class SharedClient(RedisCacheClient):
    """A cache client that makes one Redis client per pool; those are safe to share between threads."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._clients: dict[int, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """The Redis client of the pool that reads or writes a key; created once."""
        index = self._get_connection_pool_index(write)  # type: ignore[attr-defined]
        client = self._clients.get(index)
        if client is None:
            client = self._clients[index] = super().get_client(key, write=write)
        return client


class SharedClientRedisCache(RedisCache):
    """The cache backend of settings.CACHES, with one client per connection pool."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = SharedClient

    def validate_key(self, key: str) -> None:
        """Nothing: what Django looks for letter by letter in each key is what memcached would not take."""
