"""A request that is answered: in its trace, under its id, with one line of what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from telemetry import logs, tracing


def answer_traced(
    request: HttpRequest, get_response: Callable[[HttpRequest], HttpResponseBase], request_id: str, *, method: str,
    place: tuple[str, Callable[[HttpRequest], str]], log: Any, traceparent: str = "",
) -> HttpResponseBase:  # fmt: skip
    """The answer, with `request_id` on it and on every line and span meanwhile; its own line is written to `log`.

    `place` names where it leads, by a key of the line and once it is resolved: never by the address, which may hold what
    somebody typed. `traceparent` is the caller's header, "" to begin a trace.
    """
    began, (key, place_of) = time.perf_counter(), place
    with (
        logs.correlation(request_id),
        tracing.entry_span(method, tracing.Kind.SERVER, traceparent, {"http.request.method": method}) as span,
    ):
        response = get_response(request)
        name, is_broken = place_of(request), response.status_code >= 500
        span.rename(f"{method} {name}")
        span.set({"http.route": name, "http.response.status_code": response.status_code})
        if is_broken:
            span.fail(str(response.status_code))
        line = {"method": method, key: name, "status": response.status_code}
        write = log.error if is_broken else log.info
        write("request", **line, ms=int((time.perf_counter() - began) * 1000))
    # Django's own line of an answer that is no success would come after the ids are gone, with the whole address.
    response._has_been_logged = True  # type: ignore[attr-defined]
    response["X-Request-Id"] = request_id
    return response
