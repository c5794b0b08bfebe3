"""Addresses of databases: one host, or several of which one takes writes (`postgres://role@h1:5432,h2:5432/name`)."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit, urlunsplit

import dj_database_url

# With several hosts one of them may vanish without a word, or be one that only reads: libpq's words for what is done then.
SEVERAL_HOSTS = {
    "target_session_attrs": "read-write",
    "connect_timeout": 3,
    "tcp_user_timeout": 5_000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}


def parse(url: str, **options: Any) -> dict[str, Any]:
    """What dj_database_url makes of an address, with HOST and PORT as libpq reads several: "h1,h2" and "5432,5433".

    Of several hosts the one that takes writes is meant, unless the address says otherwise in `target_session_attrs`.
    Raises ValueError where a host has no name or its port is no number.
    """
    parts = urlsplit(url)
    account, at, hosts = parts.netloc.rpartition("@")
    if "," not in hosts:
        return dict(dj_database_url.parse(url, **options))
    names, ports = [], []
    for host in hosts.split(","):
        place = urlsplit(f"//{host}")
        if not place.hostname:
            raise ValueError("one of several hosts has no name")
        names.append(place.hostname)
        ports.append(str(place.port or 5432))
    joined = urlunsplit(parts._replace(netloc=f"{account}{at}several-hosts"))
    entry: dict[str, Any] = dict(dj_database_url.parse(joined, **options))
    entry |= {"HOST": ",".join(names), "PORT": ",".join(ports)}
    entry["OPTIONS"] = SEVERAL_HOSTS | entry.get("OPTIONS", {})
    return entry
