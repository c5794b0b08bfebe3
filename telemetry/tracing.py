"""Spans: what a request or a job did, in one trace across all processes that had a part in it.

With OTEL_EXPORTER_OTLP_ENDPOINT set, OpenTelemetry's SDK records them and sends them by OTLP over HTTP; each process sets
it up at its first span, after it was forked. Without it nothing of OpenTelemetry is loaded: there is a trace id for the
lines of the log all the same, and it goes on to whoever is called. No span says what somebody typed, an amount, a name,
an account or a secret: attributes are names of operations, routes, statuses and our own ids.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from structlog.contextvars import bound_contextvars, get_contextvars

from telemetry.trace_context import TraceContext

if TYPE_CHECKING:
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider

P = ParamSpec("P")
R = TypeVar("R")
Attributes = Mapping[str, str | int | bool]


class Kind(Enum):
    """What a span is of: a request that came in, a call that goes out, a job, or work in between."""

    INTERNAL = "INTERNAL"
    SERVER = "SERVER"
    CLIENT = "CLIENT"
    CONSUMER = "CONSUMER"


@dataclass(frozen=True, slots=True)
class Span:
    """A span that is under way; one that nobody records takes everything and does nothing."""

    recording: trace.Span | None = None

    def rename(self, name: str) -> None:
        """Gives it the name that was not known when it began."""
        if self.recording is not None:
            self.recording.update_name(name)

    def set(self, attributes: Attributes) -> None:
        """Adds attributes to the span, by their names."""
        if self.recording is not None:
            for name, value in attributes.items():
                self.recording.set_attribute(name, value)

    def fail(self, reason: str) -> None:
        """Says that it went wrong, by the name of an error and never by its text."""
        if self.recording is not None:
            from opentelemetry.trace import StatusCode

            self.recording.set_status(StatusCode.ERROR, reason)


NOT_RECORDED = Span()
METRICS = "opentelemetry.metrics"
# Where this process stands in a trace that nobody records.
_context: ContextVar[TraceContext | None] = ContextVar("trace_context", default=None)
_providers: dict[int, TracerProvider] = {}
_name = {"service": "countersign", "process": "web"}


def is_on() -> bool:
    """Whether spans are recorded and sent."""
    endpoint = os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT") or os.environ.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    return bool(endpoint) and os.environ.get("OTEL_SDK_DISABLED", "").lower() != "true"


if not is_on():
    # redis-py loads all that OpenTelemetry's SDK has of metrics as soon as it is installed: a sixth of a second for each
    # process, and 10 MB. It takes a module that is not to be had for one that is not there.
    sys.modules.setdefault(METRICS, None)  # type: ignore[arg-type]


def name_process(service: str = "", process: str = "") -> None:
    """Says what the spans of this process are of: a program ("countersign-dashboard"), and its "web" or "worker"."""
    _name.update({key: value for key, value in (("service", service), ("process", process)) if value})


@contextmanager
def entry_span(name: str, kind: Kind, traceparent: str = "", attributes: Attributes | None = None) -> Iterator[Span]:
    """The first span of a request or a job here: it goes on with the trace of `traceparent`, or begins one.

    Until it ends, every line of the log has its trace id.
    """
    if is_on():
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        parent = TraceContextTextMapPropagator().extract({"traceparent": traceparent} if traceparent else {})
        with _recorded(name, kind, attributes, parent) as span, bound_contextvars(trace_id=trace_id()):
            yield span
        return
    context = TraceContext.continued(traceparent)
    token = _context.set(context)
    try:
        with bound_contextvars(trace_id=context.trace_id):
            yield NOT_RECORDED
    finally:
        _context.reset(token)


@contextmanager
def span(name: str, kind: Kind = Kind.INTERNAL, attributes: Attributes | None = None) -> Iterator[Span]:
    """A span within the current one; nothing where none are recorded."""
    if not is_on():
        yield NOT_RECORDED
        return
    with _recorded(name, kind, attributes, None) as recorded:
        yield recorded


@contextmanager
def _recorded(name: str, kind: Kind, attributes: Attributes | None, parent: object) -> Iterator[Span]:
    from opentelemetry.trace import SpanKind

    # An error's text and its traceback may hold what no span may: its name alone is kept.
    with _provider().get_tracer("countersign").start_as_current_span(
        name, context=parent, kind=SpanKind[kind.value], attributes=attributes,  # type: ignore[arg-type]
        record_exception=False, set_status_on_exception=False,
    ) as recording:  # fmt: skip
        open_span = Span(recording)
        try:
            yield open_span
        except Exception as error:
            open_span.fail(type(error).__name__)
            raise


def traceparent() -> str:
    """The header for whoever is called or asked from here, and what a row keeps for a later process; "" outside of any."""
    context = current()
    return context.header if context else ""


def trace_id() -> str:
    """The id of the current trace, 32 hexadecimal digits; "" outside of any."""
    context = current()
    return context.trace_id if context else ""


def current() -> TraceContext | None:
    """Where this process stands now; None outside of any trace."""
    if not is_on():
        return _context.get()
    from opentelemetry.trace import get_current_span

    at = get_current_span().get_span_context()
    if not at.is_valid:
        return None
    return TraceContext(f"{at.trace_id:032x}", f"{at.span_id:016x}", at.trace_flags.sampled)


def in_this_trace(function: Callable[P, R]) -> Callable[P, R]:
    """The function, for a thread of its own: there its lines have the ids that are known here, and its spans this parent."""
    fields, context = get_contextvars(), _context.get()
    recorded = None
    if is_on():
        from opentelemetry.context import get_current

        recorded = get_current()

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        token = _context.set(context)
        try:
            with bound_contextvars(**fields), _attached(recorded):
                return function(*args, **kwargs)
        finally:
            _context.reset(token)

    return run


@contextmanager
def _attached(recorded: object) -> Iterator[None]:
    if recorded is None:
        yield
        return
    from opentelemetry.context import attach, detach

    token = attach(recorded)  # type: ignore[arg-type]
    try:
        yield
    finally:
        detach(token)


def flush() -> None:
    """Sends what has not been sent yet; for a process that ends without saying goodbye to its modules."""
    if provider := _providers.get(os.getpid()):
        provider.force_flush(2000)


def _provider() -> TracerProvider:
    """This process's own: the thread that sends does not survive a fork."""
    provider = _providers.get(os.getpid())
    if provider is None:
        if METRICS in sys.modules and sys.modules[METRICS] is None:
            del sys.modules[METRICS]
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        name = os.environ.get("OTEL_SERVICE_NAME") or _name["service"]
        provider = TracerProvider(
            resource=Resource.create(
                {
                    "service.name": name,
                    "countersign.process": _name["process"],
                    "process.runtime.version": sys.version.split()[0],
                }
            )
        )
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        _providers.clear()
        _providers[os.getpid()] = provider
    return provider
