"""Which addresses we are willing to call: listed hosts, https but for loopback in development, nothing clever in the address."""

from urllib.parse import urlsplit

from django.conf import settings

from dashboard.errors import NotConnected

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def refusal_of_address(address: str) -> str:
    """Why this base address may not be called, as a sentence for a form; empty where it may."""
    try:
        parts = urlsplit(address)
        host, _ = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return "This is not an address."
    if parts.scheme not in {"http", "https"} or not host:
        return "The address begins with https:// and names a host."
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        return "The address carries no sign-in, question mark or # part."
    if host not in settings.UPSTREAM_HOSTS:
        return f"{host} is not on the list of hosts that this installation may call."
    if parts.scheme == "http" and not (host in LOOPBACK and settings.UPSTREAM_HTTP_ON_LOOPBACK):
        return "The address must be https."
    return ""


def require_address(address: str) -> str:
    """The base address without its last slash; NotConnected where it may not be called."""
    if reason := refusal_of_address(address):
        raise NotConnected(reason, code="address_refused")
    return address.rstrip("/")
