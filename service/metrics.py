"""Metrics for Prometheus: what requests took, and how what waits stands, read when it is asked for (docs/monitoring.md).

With PROMETHEUS_MULTIPROC_DIR set, the processes of one machine add up in files there; without it each counts alone.
"""

from __future__ import annotations

import hmac
import logging
import os
import time
from collections.abc import Callable, Iterator
from datetime import datetime

import redis
from django.conf import settings
from django.db import connection
from django.db.models import Count, Min
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from service.events.models import Event
from service.ledger import seals
from service.ledger.models import LedgerHorizon
from service.webhooks.models import Delivery, WebhookEndpoint

log = logging.getLogger(__name__)

ANSWER_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
REQUESTS = Counter(
    "countersign_service_requests", "Requests answered, by operation and status.", ["operation", "method", "status"]
)
REQUEST_S = Histogram(
    "countersign_service_request_seconds", "How long an operation took to answer.", ["operation", "method"],
    buckets=ANSWER_S,
)  # fmt: skip
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})
QUEUE = "service"
# Of an address that leads nowhere: whoever asks for strange ones makes no new label.
UNNAMED = "none"


class RequestMetrics:
    """Counts each request under the route of its operation, and times it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        response = self.get_response(request)
        operation = request.resolver_match.route if request.resolver_match else UNNAMED
        method = request.method if request.method in METHODS else "other"
        REQUESTS.labels(operation, method, str(response.status_code)).inc()
        REQUEST_S.labels(operation, method).observe(time.perf_counter() - began)
        return response


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All of it in Prometheus's text format, for who brings SERVICE_METRICS_TOKEN; 404 for everybody else, and where there
    is none."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.METRICS_TOKEN or not hmac.compare_digest(token.encode(), settings.METRICS_TOKEN.encode()):
        raise Http404
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        counted = generate_latest(registry)
    else:
        counted = generate_latest(REGISTRY)
    waiting = CollectorRegistry()
    waiting.register(Waiting())
    return HttpResponse(counted + generate_latest(waiting), content_type=CONTENT_TYPE_LATEST)


class Waiting(Collector):
    """What waits behind the answers, and how long the oldest of it has; of all businesses together."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges, each read from its table now."""
        yield _gauge("ledger_unsealed", "Ledger transactions that wait for their seal", seals.waiting())
        sealed = LedgerHorizon.objects.filter(name="transaction").values_list("position", flat=True).first()
        yield _gauge("ledger_sealed", "Ledger transactions in the hash chain", sealed or 0)
        events = Event.objects.filter(sequence=None).count()
        yield _gauge("events_unnumbered", "Events that wait for their number in the feed", events)
        pending = Delivery.objects.filter(status=Delivery.Status.PENDING)
        deliveries = pending.aggregate(n=Count("pk"), first=Min("event__created_at"))
        yield _gauge("webhook_deliveries", "Webhook deliveries that have not been taken", deliveries["n"])
        yield _gauge("webhook_oldest_seconds", "The age of the oldest of them", _seconds_since(deliveries["first"]))
        failing = WebhookEndpoint.objects.filter(failing_since__isnull=False).count()
        yield _gauge("webhook_endpoints_failing", "Endpoints that take nothing", failing)
        yield from _queue()
        yield _connections()


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"countersign_service_{name}", text, value=value)


def _seconds_since(moment: datetime | None) -> float:
    return (timezone.now() - moment).total_seconds() if moment else 0.0


def _queue() -> Iterator[GaugeMetricFamily]:
    try:
        with redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2, socket_connect_timeout=2) as client:
            waiting = float(client.llen(QUEUE))
    except redis.RedisError as away:
        # Nothing is said of a queue that cannot be asked; all else still is.
        log.warning("the queue cannot be counted: %s", type(away).__name__)
        return
    yield _gauge("queue_jobs", "Jobs that no worker has begun yet", waiting)


def _connections() -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(
        "countersign_service_database_connections", "Connections to our database, by state", labels=["state"]
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(state, 'unknown'), count(*) FROM pg_stat_activity WHERE datname = current_database() GROUP BY 1"
        )
        for state, count in cursor.fetchall():
            gauge.add_metric([state], count)
    return gauge
