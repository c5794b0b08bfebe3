"""Which addresses of an identity provider are called: https and public, loopback by plain http in development alone.

A business names its provider itself, so a stranger chooses where this server sends: hosts inside our own network are none
of theirs.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from django.conf import settings

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class AddressRefused(ValueError):
    """This address is not called; the text is a sentence that says why."""


def check_address(address: str) -> None:
    """AddressRefused unless the address may be called now; its host is resolved for that.

    Whoever calls it connects to what `public_addresses` answers: a name can mean another host a moment later.
    """
    scheme, host, port = check_form(address)
    public_addresses(scheme, host, port)


def check_link(address: str) -> None:
    """AddressRefused unless a browser may be led to the address: https, or plain http to this machine in development.

    This server calls nothing there, so its host may stand in the business's own network.
    """
    scheme, host, _ = check_form(address)
    is_loopback = settings.SIGN_ON_HTTP_ON_LOOPBACK and host in LOOPBACK_HOSTS
    if scheme != "https" and not is_loopback:
        raise AddressRefused("The address must be https.")


def check_in_requests(address: str) -> None:
    """AddressRefused for an address that the toolkit of SAML writes into no request: its rule for hosts is narrower."""
    from onelogin.saml2.settings import validate_url

    if not validate_url(address, allow_single_label_domain=True):
        raise AddressRefused("Requests cannot be sent to a host that is written so.")


def check_form(address: str) -> tuple[str, str, int]:
    """The scheme, host and port of an address that may be called as far as can be said without resolving its host; else
    AddressRefused."""
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
    return parts.scheme, host, port or (443 if parts.scheme == "https" else 80)


def public_addresses(scheme: str, host: str, port: int) -> list[IpAddress]:
    """The addresses that a host has now, each of which may be called; AddressRefused where one of them may not."""
    addresses = _resolve(host, port)
    if settings.SIGN_ON_HTTP_ON_LOOPBACK and all(address.is_loopback for address in addresses):
        return addresses
    if scheme != "https":
        raise AddressRefused("The address must be https.")
    if not all(_is_public(address) for address in addresses):
        raise AddressRefused(f"{host} has no public address.")
    return addresses


def origin_of(address: str) -> str:
    """The scheme, host and port of an address: "https://login.example.com"."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _resolve(host: str, port: int) -> list[IpAddress]:
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise AddressRefused(f"The host {host} cannot be found.") from None
    return [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in entries]


def _is_public(address: IpAddress) -> bool:
    mapped = getattr(address, "ipv4_mapped", None) or address
    return bool(mapped.is_global and not mapped.is_multicast)
