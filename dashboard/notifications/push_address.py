"""Which addresses push messages may be sent to: a browser names its push service, and so a stranger chooses where this
server sends.

https on the usual port, public addresses alone, and only the hosts of PUSH_HOSTS where that is set. The host is resolved
once, and the connection then goes to exactly the address that was checked. Loopback by plain http is for development.
"""

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

LONGEST_ENDPOINT = 2000
HTTPS_PORT = 443


class PushAddressRefused(ValueError):
    """Nothing may be sent to this address; the text is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class PushTarget:
    """Where to connect: the checked IP address, the name that the certificate and the Host header carry, and the path with
    its query."""

    host: str
    port: int
    address: str
    path: str
    is_secure: bool


def check_endpoint(endpoint: str) -> PushTarget:
    """Where a subscription's endpoint leads; AddressRefused where nothing may be sent there."""
    if len(endpoint) > LONGEST_ENDPOINT or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        raise PushAddressRefused("This is not an address of a push service.")
    try:
        parts = urlsplit(endpoint)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise PushAddressRefused("This is not an address of a push service.") from None
    if parts.scheme not in {"http", "https"} or not host or parts.username is not None or parts.password is not None:
        raise PushAddressRefused("This is not an address of a push service.")
    is_secure = parts.scheme == "https"
    port = port or (HTTPS_PORT if is_secure else 80)
    addresses = _resolve(host, port)
    if not (settings.PUSH_HTTP_ON_LOOPBACK and all(address.is_loopback for address in addresses)):
        _check_public(host, port, addresses, is_secure=is_secure)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return PushTarget(host, port, str(addresses[0]), path, is_secure)


Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def _check_public(host: str, port: int, addresses: list[Address], *, is_secure: bool) -> None:
    if not is_secure:
        raise PushAddressRefused("A push service is called by https alone.")
    if settings.PUSH_HOSTS and not any(host == name or host.endswith(f".{name}") for name in settings.PUSH_HOSTS):
        raise PushAddressRefused("This browser's push service is not among those that this installation sends to.")
    if port != HTTPS_PORT or not all(map(_is_public, addresses)):
        raise PushAddressRefused("The push service has no public address.")


def _resolve(host: str, port: int) -> list[Address]:
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise PushAddressRefused("The host of the push service cannot be found.") from None
    return [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in entries]


def _is_public(address: Address) -> bool:
    mapped = getattr(address, "ipv4_mapped", None) or address
    return bool(mapped.is_global and not mapped.is_multicast)
