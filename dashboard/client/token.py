"""The business's access token: fetched once, shared by all processes, renewed before it ends, never logged.

Kept in the process and, sealed, in the shared cache. One fetch at a time: a lock per thread pool and an advisory lock
in the database between processes; a failure is remembered for a second, so that a dead endpoint costs one timeout.
"""

import hashlib
import random
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import requests
import structlog
from django.db import connection
from django.utils import timezone
from oauthlib.oauth2.rfc6749.errors import OAuth2Error
from urllib3.exceptions import ProtocolError

from dashboard import cache
from dashboard.access.secrets import SecretUnreadable, seal, unseal
from dashboard.client.address import require_address
from dashboard.client.http import Deadline
from dashboard.client.models import ServiceAccount
from dashboard.client.oauth import fetch_grant
from dashboard.client.transport import Truncated
from dashboard.errors import AuthFailed, BadAnswer, FinanceError, NotConnected, Unavailable

log = structlog.get_logger(__name__)

LOCK_WAIT_S = 5.0
FAILURE_LASTS_S = 1.0
SHORTEST_LIFE_S = 5.0


@dataclass(frozen=True)
class Token:
    """An access token; `renew_at` and `ends_at` are seconds since the epoch."""

    value: str
    renew_at: float
    ends_at: float
    scopes: frozenset[str]


_tokens: dict[str, Token] = {}
_failures: dict[str, tuple[float, FinanceError]] = {}
_locks: dict[str, threading.Lock] = {}


def bearer(service_account: ServiceAccount, deadline: Deadline) -> str:
    """A token that is good now. AuthFailed where the account is not accepted, Unavailable where nobody answers."""
    return current(service_account, deadline).value


def current(service_account: ServiceAccount, deadline: Deadline) -> Token:
    """The token with what it was granted; fetched if there is none or it ends soon."""
    name = _name(service_account)
    if (token := _valid_token(name)) is not None:
        return token
    lock = _locks.setdefault(name, threading.Lock())
    if not lock.acquire(timeout=min(LOCK_WAIT_S, deadline.left)):
        raise Unavailable(code="token")
    try:
        if (token := _valid_token(name)) is not None:
            return token
        failure = _failures.get(name)
        if failure is not None and time.monotonic() < failure[0]:
            raise type(failure[1])(failure[1].detail, code=failure[1].code)
        return _fetch_exclusively(service_account, name, deadline)
    finally:
        lock.release()


def drop(service_account: ServiceAccount, value: str) -> None:
    """Forgets a token that was answered with 401, if it is still the one we have."""
    name = _name(service_account)
    for stored in (_tokens.get(name), _shared(name)):
        if stored is not None and stored.value == value:
            _tokens.pop(name, None)
            cache.delete(name)


def _name(service_account: ServiceAccount) -> str:
    identity = f"{service_account.base_url}|{service_account.client_id}|{service_account.remote_business_id}|{service_account.secret_version}"
    return f"token:{hashlib.sha256(identity.encode()).hexdigest()}"


def _valid_token(name: str) -> Token | None:
    now = time.time()
    token = _tokens.get(name)
    if token is not None and now < token.renew_at:
        return token
    shared = _shared(name)
    if shared is not None and now < shared.renew_at:
        _tokens[name] = shared
        return shared
    return None


def _shared(name: str) -> Token | None:
    try:
        sealed = cache.load(name)
        if sealed is None:
            return None
        renew_at, ends_at, scopes, value = unseal(sealed).split("\n", 3)
    except (SecretUnreadable, ValueError):
        return None
    return Token(value, float(renew_at), float(ends_at), frozenset(scopes.split()))


def _fetch_exclusively(service_account: ServiceAccount, name: str, deadline: Deadline) -> Token:
    patience = Deadline(min(LOCK_WAIT_S, deadline.left))
    with _across_processes(name) as won:
        while not won and patience.left > 0:
            time.sleep(0.05)
            if (token := _valid_token(name)) is not None:
                return token
        if (token := _valid_token(name)) is not None:
            return token
        try:
            token = _fetch(service_account, deadline)
        except FinanceError as failed:
            _failures[name] = (time.monotonic() + FAILURE_LASTS_S, failed)
            if isinstance(failed, AuthFailed):
                mark_broken(service_account)
            raise
    _tokens[name] = token
    _failures.pop(name, None)
    parts = [str(token.renew_at), str(token.ends_at), " ".join(sorted(token.scopes)), token.value]
    cache.store(name, seal("\n".join(parts)), max(1, int(token.ends_at - time.time())))
    return token


@contextmanager
def _across_processes(name: str) -> Iterator[bool]:
    lock = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [lock])
        won = bool(cast(tuple[bool], cursor.fetchone())[0])
    try:
        yield won
    finally:
        if won:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [lock])


def _fetch(service_account: ServiceAccount, deadline: Deadline) -> Token:
    base = require_address(service_account.base_url)
    try:
        secret = unseal(bytes(service_account.client_secret_sealed))
    except SecretUnreadable:
        raise NotConnected("The stored secret cannot be read: set it again in Settings.", code="secret") from None
    began = time.time()
    try:
        granted = _fetch_grant_again_where_cut(base, service_account.client_id, secret, deadline)
    except (requests.exceptions.RequestException, Truncated) as error:
        log.info("token", status="no answer", error=type(error).__name__)
        raise Unavailable from None
    except FinanceError as refused:
        log.info("token", status=refused.upstream_status)
        raise
    except (OAuth2Error, ValueError):
        raise BadAnswer(code="token") from None
    log.info("token", status=200, ms=int((time.time() - began) * 1000))
    return _token(granted, began)


def _fetch_grant_again_where_cut(base: str, client_id: str, secret: str, deadline: Deadline) -> Mapping[str, Any]:
    """A connection that was kept may be closed by the service in the moment it is used: asked once more, on a new one. A
    token that is granted twice moves nothing."""
    try:
        return fetch_grant(base, client_id, secret, deadline)
    except requests.exceptions.ConnectionError as error:
        was_cut = bool(error.args) and isinstance(error.args[0], ProtocolError)
        if not was_cut or deadline.left <= 0:
            raise
    return fetch_grant(base, client_id, secret, deadline)


def _token(granted: Mapping[str, Any], began: float) -> Token:
    try:
        life = float(granted.get("expires_in") or 3600)
        value = str(granted["access_token"])
    except (ValueError, KeyError, TypeError):
        raise BadAnswer(code="token") from None
    # Renewed a little early, not by all processes at the same instant.
    early = min(60.0, life * 0.1) * random.uniform(1.0, 1.5)  # noqa: S311 - spreads load, no secret
    scopes = granted.get("scope") or ()
    granted_scopes = frozenset(scopes.split() if isinstance(scopes, str) else scopes)
    return Token(value, began + max(SHORTEST_LIFE_S, life - early), began + life, granted_scopes)


def mark_broken(service_account: ServiceAccount) -> None:
    """Notes since when the service has not accepted the account: shown in Settings and on Home."""
    if service_account.pk:
        ServiceAccount.objects.filter(pk=service_account.pk, broken_since__isnull=True).update(
            broken_since=timezone.now()
        )


def mark_working(service_account: ServiceAccount) -> None:
    """Notes that the account is accepted again."""
    if service_account.broken_since is not None:
        ServiceAccount.objects.filter(pk=service_account.pk).update(broken_since=None)
        service_account.broken_since = None
