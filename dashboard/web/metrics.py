"""Metrics for Prometheus: what requests and calls took, and how what waits stands, read when it is asked for."""

from __future__ import annotations

import hmac
import os
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from django.conf import settings
from django.db import connection
from django.db.models import Count, Min, Model
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from dashboard.access.decorators import public
from dashboard.audit.models import AuditWaiting
from dashboard.client.models import OutboundOperation, OutboundState, ServiceAccount
from dashboard.decisions.models import Decision, DecisionState
from dashboard.enqueue import jobs_by_queue
from dashboard.metrics import ANSWERED_REQUESTS, REQUEST_S
from dashboard.mirror.models import Drift, InboxEvent, InboxState, SyncCursor
from dashboard.notifications.models import Notice, PushDelivery

OPEN_DECISIONS = (DecisionState.WAITING, DecisionState.SENDING, DecisionState.UNKNOWN)
OPEN_WRITES = (OutboundState.PENDING, OutboundState.SENT, OutboundState.DEFERRED, OutboundState.UNKNOWN)
# A page that nobody has named, and an address that leads nowhere: whoever asks for strange ones makes no new label.
UNNAMED = "none"


class RequestMetrics:
    """Counts each request under the name of its page, and times it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        response = self.get_response(request)
        page = (request.resolver_match.url_name if request.resolver_match else "") or UNNAMED
        method = request.method if request.method in {"GET", "HEAD", "POST"} else "other"
        ANSWERED_REQUESTS.labels(page, method, str(response.status_code)).inc()
        REQUEST_S.labels(page, method).observe(time.perf_counter() - began)
        return response


@require_safe
@public
def metrics(request: HttpRequest) -> HttpResponse:
    """All of it in Prometheus's text format, for who brings METRICS_TOKEN; 404 for everybody else, and where there is none."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.METRICS_TOKEN or not hmac.compare_digest(token.encode(), settings.METRICS_TOKEN.encode()):
        raise Http404
    registry = CollectorRegistry()
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        counted = generate_latest(registry)
    else:
        counted = generate_latest(REGISTRY)
    waiting = CollectorRegistry()
    waiting.register(Waiting())
    return HttpResponse(counted + generate_latest(waiting), content_type=CONTENT_TYPE_LATEST)


class Waiting(Collector):
    """What waits, how long the oldest of it has, and how far the copy has come; of all businesses together."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges, each read from its table now."""
        yield from _by_state("decisions", "Decisions that are not settled", Decision, OPEN_DECISIONS, "created_at")
        yield from _by_state(
            "writes", "Writes to the service without a final answer", OutboundOperation, OPEN_WRITES,
            "created_at",
        )  # fmt: skip
        yield from _by_state(
            "webhooks", "Webhooks stored and not applied", InboxEvent,
            (InboxState.RECEIVED, InboxState.FAILED), "received_at",
        )  # fmt: skip
        yield from _copy()
        yield _gauge("audit_unsealed", "Lines of the audit that wait for their seal", AuditWaiting.objects.count())
        unmailed = Notice.objects.filter(mail_wanted=True, mailed_at=None).count()
        yield _gauge("notices_to_mail", "Notices that wait to be mailed", unmailed)
        yield _gauge("push_deliveries", "Push messages on their way", PushDelivery.objects.count())
        yield from _queues()
        yield _connections()


def _name(rest: str) -> str:
    return f"countersign_dashboard_{rest}"


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(_name(name), text, value=value)


def _seconds_since(moment: datetime | None) -> float:
    return (timezone.now() - moment).total_seconds() if moment else 0.0


def _by_state(
    name: str, text: str, model: type[Model], states: Iterable[str], since: str
) -> Iterator[GaugeMetricFamily]:
    counts = GaugeMetricFamily(_name(name), f"{text}, by state", labels=["state"])
    oldest = GaugeMetricFamily(_name(f"{name}_oldest_seconds"), f"{text}: the age of the oldest", labels=["state"])
    # One state at a time: each has a partial index, which a list of states would not be answered from.
    for state in states:
        group = model._default_manager.filter(state=state).aggregate(count=Count("pk"), first=Min(since))
        counts.add_metric([state], group["count"])
        oldest.add_metric([state], _seconds_since(group["first"]))
    yield counts
    yield oldest


def _copy() -> Iterator[GaugeMetricFamily]:
    connected = ServiceAccount.objects.values("business_id")
    cursors = SyncCursor.objects.filter(business_id__in=connected)
    yield _gauge("businesses", "Businesses that are connected to a service", ServiceAccount.objects.count())
    failing = cursors.filter(failing_since__isnull=False)
    yield _gauge("businesses_failing", "Businesses whose service does not answer", failing.count())
    longest = failing.aggregate(first=Min("failing_since"))["first"]
    yield _gauge("failing_seconds", "For how long the longest of them has not", _seconds_since(longest))
    oldest = cursors.aggregate(first=Min("as_of"))["first"]
    yield _gauge("copy_age_seconds", "The age of the oldest copy of a business", _seconds_since(oldest))
    drifts = Drift.objects.filter(closed_at=None).count()
    yield _gauge("copy_drifts", "Days on which a copy differs from its service", drifts)


def _queues() -> Iterator[GaugeMetricFamily]:
    # Nothing is said of queues that cannot be asked; all else still is.
    if (counts := jobs_by_queue()) is not None:
        gauge = GaugeMetricFamily(_name("queue_jobs"), "Jobs that no worker has begun yet, by queue", labels=["queue"])
        for queue, count in counts.items():
            gauge.add_metric([queue], float(count))
        yield gauge


def _connections() -> GaugeMetricFamily:
    gauge = GaugeMetricFamily(_name("database_connections"), "Connections to our database, by state", labels=["state"])
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(state, 'unknown'), count(*) FROM pg_stat_activity WHERE datname = current_database() GROUP BY 1"
        )
        for state, count in cursor.fetchall():
            gauge.add_metric([state], count)
    return gauge
