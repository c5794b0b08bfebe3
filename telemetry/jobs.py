"""Jobs go on with the request that asked for them: its trace and its request id travel in the message's headers."""

from __future__ import annotations

import logging.config
from contextlib import ExitStack
from typing import Any

from celery.signals import (
    before_task_publish,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_process_init,
    worker_process_shutdown,
)
from django.conf import settings

from telemetry import logs, tracing

# By the id of a job that is under way: what ends with it.
_running: dict[str, tuple[ExitStack, tracing.Span]] = {}


@before_task_publish.connect  # type: ignore[untyped-decorator]
def take_along(headers: dict[str, Any], **_: object) -> None:
    """Writes into a job's message who asks for it."""
    if (header := tracing.traceparent()) and (request_id := logs.request_id()):
        headers.update(traceparent=header, request_id=request_id)


@task_prerun.connect  # type: ignore[untyped-decorator]
def begin(task_id: str, task: Any, **_: object) -> None:
    """Binds the ids to every line of a job; one that the schedule asked for has its own id for a request id."""
    request_id = str(getattr(task.request, "request_id", "") or task_id)
    stack = ExitStack()
    stack.enter_context(logs.correlation(request_id, job=task.name, job_id=task_id))
    traceparent = str(getattr(task.request, "traceparent", "") or "")
    attributes = {"messaging.operation.name": task.name, "messaging.message.id": task_id}
    span = stack.enter_context(tracing.entry_span(f"job {task.name}", tracing.Kind.CONSUMER, traceparent, attributes))
    _running[task_id] = (stack, span)


@task_postrun.connect  # type: ignore[untyped-decorator]
def end(task_id: str, state: str | None = None, **_: object) -> None:
    """Ends the span that `begin` opened for the job, as failed where the job did."""
    if (running := _running.pop(task_id, None)) is not None:
        stack, span = running
        if state not in {"SUCCESS", "IGNORED", None}:
            span.fail(str(state))
        stack.close()


@setup_logging.connect  # type: ignore[untyped-decorator]
def set_up_logging(**_: object) -> None:
    """Celery would write lines of its own form: a worker's are those of its program's settings."""
    logging.config.dictConfig(settings.LOGGING)


@worker_process_init.connect  # type: ignore[untyped-decorator]
def name_worker(**_: object) -> None:
    """Names this process a worker of its program in its spans."""
    tracing.name_process(process="worker")


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
def send_rest(**_: object) -> None:
    """A worker's child ends without running what Python would run at its end."""
    tracing.flush()
