"""Whether the dashboard is alive, and whether it can work: for whoever starts, balances and watches it."""

import logging
from collections.abc import Callable

import redis
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from dashboard.access.decorators import public
from dashboard.client.models import ServiceAccount
from dashboard.mirror.models import SyncCursor

log = logging.getLogger(__name__)


@require_safe
@public
def alive(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers."""
    return JsonResponse({"status": "alive"})


@require_safe
@public
def ready(request: HttpRequest) -> JsonResponse:
    """200 when database and queue answer, else 503 that names what does not; the service upstream is shown beside."""
    checks = {"database": _works(_database), "queue": _works(_queue)}
    able = all(checks.values())
    # An outage upstream is survived on the copy: it is told, and takes no dashboard out of service.
    body = {"status": "ready" if able else "not ready", "checks": {**checks, "upstream": _works(_upstream)}}
    return JsonResponse(body, status=200 if able else 503)


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


def _upstream() -> None:
    # The mirror asks every business's service every few seconds: what it last noted is the answer.
    connected = ServiceAccount.objects.values("business_id")
    failing = SyncCursor.objects.filter(business_id__in=connected, failing_since__isnull=False).count()
    if failing:
        raise ConnectionError(f"{failing} businesses cannot reach their service")
