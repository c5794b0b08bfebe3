"""Whether the service is alive, and whether it can work: for whoever starts, balances and watches it."""

import logging
from collections.abc import Callable

import redis
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

log = logging.getLogger(__name__)


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers."""
    return JsonResponse({"status": "alive"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when database and queue answer, else 503 that names what does not."""
    checks = {"database": _works(_database), "queue": _works(_queue)}
    ready = all(checks.values())
    body = {"status": "ready" if ready else "not ready", "checks": checks}
    return JsonResponse(body, status=200 if ready else 503)


def _works(check: Callable[[], None]) -> bool:
    try:
        check()
    except Exception:
        log.warning("not ready: %s", check.__name__, exc_info=True)
        return False
    return True


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("select 1")


def _queue() -> None:
    client = redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2, socket_connect_timeout=2)
    with client:
        client.ping()
