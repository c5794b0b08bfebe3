"""Which addresses of an identity provider are called: https and public, loopback by plain http in development alone.

A business names its provider itself, so a stranger chooses where this server sends: hosts inside our own network are none
of theirs.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from django.conf import settings


class AddressRefused(ValueError):
    """This address is not called; the text is a sentence that says why."""


def check_address(address: str) -> None:
    """AddressRefused unless the address may be called; its host is resolved for that."""
    try:
        parts = urlsplit(address)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise AddressRefused("This is not an address.") from None
    if parts.scheme not in {"http", "https"} or not host:
        raise AddressRefused("The address begins with https:// and names a host.")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise AddressRefused("The address carries no sign-in and no # part.")
    if settings.SIGN_ON_HOSTS and not any(host == name or host.endswith(f".{name}") for name in settings.SIGN_ON_HOSTS):
        raise AddressRefused(f"{host} is not on the list of identity providers that this installation calls.")
    addresses = _resolve(host, port or 443)
    if settings.SIGN_ON_HTTP_ON_LOOPBACK and all(address.is_loopback for address in addresses):
        return
    if parts.scheme != "https":
        raise AddressRefused("The address must be https.")
    if not all(_is_public(address) for address in addresses):
        raise AddressRefused(f"{host} has no public address.")


def origin_of(address: str) -> str:
    """The scheme, host and port of an address: "https://login.example.com"."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


def _resolve(host: str, port: int) -> list[IpAddress]:
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise AddressRefused(f"The host {host} cannot be found.") from None
    return [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in entries]


def _is_public(address: IpAddress) -> bool:
    mapped = getattr(address, "ipv4_mapped", None) or address
    return bool(mapped.is_global and not mapped.is_multicast)
