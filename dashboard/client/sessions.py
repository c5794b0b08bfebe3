"""The connections to the service: one session per process and address, and TLS whose failures say what has left."""

import os
import threading
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError
from urllib3.util.ssl_match_hostname import CertificateError

POOL = 32


class TLSConnection(HTTPSConnection):
    """A connection that is made once TLS stands. A TLS error while it is used says nothing of what has left."""

    def connect(self) -> None:
        """Raises NewConnectionError for whatever fails before the first byte of a request, the handshake included."""
        try:
            super().connect()
        except (OSError, CertificateError) as error:
            raise NewConnectionError(self, f"no TLS with {self.host}: {error}") from error


class _TLSPool(HTTPSConnectionPool):
    ConnectionCls = TLSConnection


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": HTTPConnectionPool, "https": _TLSPool}


_sessions: dict[tuple[int, str], requests.Session] = {}
_sessions_lock = threading.Lock()


def session_for(base_url: str) -> requests.Session:
    """This process's session for an address: never shared with a parent process, never configured by the environment
    (proxies, .netrc)."""
    with _sessions_lock:
        name = (os.getpid(), base_url)
        if name not in _sessions:
            session = requests.Session()
            session.trust_env = False
            session.mount("https://", _Adapter(pool_connections=4, pool_maxsize=POOL, max_retries=0))
            session.mount("http://", _Adapter(pool_connections=4, pool_maxsize=POOL, max_retries=0))
            _sessions[name] = session
        return _sessions[name]
