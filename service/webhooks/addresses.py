"""Which addresses webhooks may be sent to: public ones over https, and loopback only where it is allowed by setting.

A webhook makes this server send requests that a stranger chose. The host is resolved once, every address it has must
be public, and the connection then goes to exactly the address that was checked.
"""

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

RESERVED_PORTS = frozenset({22, 25, 5432, 6379})


class Forbidden(ValueError):
    """The address may not be sent to; the text says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where to connect: the checked address, and the name that the certificate and the Host header must carry."""

    url: str
    host: str
    port: int
    address: str
    secure: bool


def check(url: str) -> Target:
    """The target of a webhook URL; Forbidden when it may not be sent to."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Forbidden("The host or the port is not valid.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise Forbidden("Give an https address without a user name.")
    secure = parts.scheme == "https"
    port = port or (443 if secure else 80)
    addresses = _resolve(parts.hostname, port)
    loopback = settings.WEBHOOK_ALLOW_LOOPBACK and all(address.is_loopback for address in addresses)
    if not loopback:
        if not secure:
            raise Forbidden("Give an https address.")
        if port in RESERVED_PORTS or not all(_public(address) for address in addresses):
            raise Forbidden("The address is not a public one.")
    return Target(url, parts.hostname, port, str(addresses[0]), secure)


Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def _resolve(host: str, port: int) -> list[Address]:
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Forbidden("The host name cannot be resolved.") from None
    return [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in entries]


def _public(address: Address) -> bool:
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_global and not (mapped or address).is_multicast
